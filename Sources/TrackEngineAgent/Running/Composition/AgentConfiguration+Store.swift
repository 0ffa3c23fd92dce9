import Logging
import TrackEngine
import TrackEngineSettings

extension AgentConfiguration {
    /// Opens the store. If it has a key, also encrypts plain files next to it, under a lock against changes of the key.
    func openStore(
        under key: StoreKey?, _ secrets: AgentSecretReader, _ logger: Logger
    ) async throws(AgentStartError) -> any FixStore {
        guard let key, FileStatus.following(store.path) != nil else { return try await store.open(secrets, logger) }
        let lock: FileLock
        do throws(StoreError) { lock = try KeyChange.lock(store.path) } catch {
            throw AgentStartError(store: error)
        }
        defer { withExtendedLifetime(lock) {} }
        let opened = try await store.open(secrets, logger)
        await encryptPlaces(under: key, logger)
        return opened
    }

    /// Encrypts plain files next to an encrypted store, once opening the store has proved that the key is right.
    private func encryptPlaces(under key: StoreKey, _ logger: Logger) async {
        for place in encryptedPlaces + foundEncryptedPlaces {
            do throws(StoreError) { try await place.encrypt(under: key) } catch {
                // A file with a few names must not keep the agent from starting.
                logger.error(
                    "files next to the store cannot be encrypted under its key",
                    metadata: ["place": "\(place.path)", "error": "\(error)"])
            }
        }
    }
}

extension StoreConfiguration {
    /// Opens the store, and waits up to ``lockTimeout`` for another process that has it open.
    fileprivate func open(
        _ secrets: AgentSecretReader, _ logger: Logger
    ) async throws(AgentStartError) -> any FixStore {
        do throws(FileProblem) {
            // The control socket is in this directory, too, and a store that keeps no files does not create it.
            if kind.site(in: path).files.isEmpty { try StateDirectory.create(path) }
        } catch {
            throw .failed("\(error)")
        }
        var start: ContinuousClock.Instant?
        while true {
            do throws(StoreError) {
                return try await kind.openStore(in: path, secrets: secrets, logger: logger)
            } catch {
                guard error.code == .locked, (start ?? .now).duration(to: .now) < Self.lockTimeout else {
                    throw AgentStartError(store: error)
                }
            }
            if start == nil {
                start = .now
                logger.notice("another process has locked the store, the start waits for it")
            }
            // A cancelled start gets the same error as one that waits too long.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// How long a start waits for a store that another process has locked. A command such as `trackd export` opens the
    /// store itself where no agent answers, and closes it within seconds.
    private static var lockTimeout: Duration { .seconds(5) }
}
