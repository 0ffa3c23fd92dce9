import Encryption
import Logging
package import TrackEngine
package import TrackEngineSettings

/// Encrypts a store and the directories of the sinks next to it with another key, or ends encryption, while no agent
/// runs.
///
/// After an interruption at any point, everything opens with the key that opens the store, and running the change
/// again completes it. The directories open with both keys while the store is rewritten, and only with the new one
/// afterwards.
package struct KeyChange: Sendable {
    private let store: StoreConfiguration
    private let places: [any EncryptedDirectory]
    private let found: [any EncryptedDirectory]
    private let secrets: any SecretProvider
    private let logger = Logger(label: Agent.current.name) { _ in SwiftLogNoOpLogHandler() }

    /// Prepares a change.
    ///
    /// - Parameters:
    ///   - store: the store's configuration.
    ///   - places: the encrypted directories of the configured sinks; all of them must open.
    ///   - found: encrypted directories found in the agent's directory, possibly of sinks that are no longer
    ///     configured. Those that do not open are left as they are and reported.
    ///   - secrets: provides the present key.
    package init(
        store: StoreConfiguration, places: [any EncryptedDirectory], found: [any EncryptedDirectory] = [],
        secrets: any SecretProvider
    ) {
        self.store = store
        self.places = places
        let known = Set(places.map(\.path))
        self.found = found.filter { !known.contains($0.path) }
        self.secrets = secrets
    }

    /// Carries out the change.
    ///
    /// - Returns: the reasons why found directories are left as they are, each with its path: the available keys do
    ///   not open them.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` before any change, if the present key does not open one of
    ///   them; ``/TrackEngine/StoreError/Code/locked`` while an agent runs.
    @discardableResult
    package func run(_ change: StoreKeyChange) async throws(StoreError) -> [String] {
        let lock = try Self.lock(store.path)
        defer { withExtendedLifetime(lock) {} }
        try store.kind.requireUnused(in: store.path)
        switch change {
        case .key(let text):
            // The store refuses an invalid key, or any key if it does not encrypt, with its own message.
            guard let key = StoreKey(text) else {
                try await rewriteStore(change)
                return []
            }
            for place in places { try await admit(key, to: place) }
            let refused = try await leaving { place throws(StoreError) in try await admit(key, to: place) }
            try await rewriteStore(change)
            for place in places { try await place.restrict(to: key) }
            // In a refused directory the other files still change. Files created in the meantime are reported, too.
            let left = try await leaving { place throws(StoreError) in try await place.restrict(to: key) }
            return refused.merging(left) { first, _ in first }.sorted { $0.key < $1.key }.map(\.value)
        case .plain:
            // If the store is already in plain, only directories that are still encrypted need its former key.
            let key = try? store.kind.storeKey(from: secrets)
            for place in places { try await place.decrypt(with: key) }
            let left = try await leaving { place throws(StoreError) in try await place.decrypt(with: key) }
            try await rewriteStore(change)
            return left.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Locks out other changes of the key, and agents that start, as long as the lock is held.
    ///
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` while another process holds the lock.
    static func lock(_ directory: String) throws(StoreError) -> FileLock {
        let path = directory + "/key-change"
        do throws(PrivateFileError) {
            if let lock = try PrivateFile.lockUnlessTaken(path) { return lock }
        } catch { throw StoreError(.inputOutput, error.description) }
        throw StoreError(
            .locked,
            "another process has \(path).lock locked, which starts on the store or changes its key; wait for it")
    }

    /// Calls `body` with each found directory. Returns messages about those that no key opens, by their paths.
    private func leaving(
        _ body: (any EncryptedDirectory) async throws(StoreError) -> Void
    ) async throws(StoreError) -> [String: String] {
        var left: [String: String] = [:]
        for place in found {
            do throws(StoreError) { try await body(place) } catch { left[place.path] = try Self.leaving(place, error) }
        }
        return left
    }

    /// The message about a directory that no key opens; other errors end the change.
    private static func leaving(_ place: any EncryptedDirectory, _ error: StoreError) throws(StoreError) -> String {
        guard [.wrongKey, .damaged].contains(error.code) else { throw error }
        return "\(place.path) is left as it is: \(error.message)"
    }

    /// Adds the new key to a directory. The present key is needed unless the directory has the new one already.
    private func admit(_ key: StoreKey, to place: any EncryptedDirectory) async throws(StoreError) {
        let present: Result<StoreKey?, StoreError>
        do throws(StoreError) { present = .success(try store.kind.storeKey(from: secrets)) } catch {
            present = .failure(error)
        }
        do throws(StoreError) { try await place.admit(key, beside: try? present.get()) } catch {
            guard error.code == .wrongKey, case .failure(let failure) = present else { throw error }
            throw failure  // the problem with the configured key
        }
    }

    private func rewriteStore(_ change: StoreKeyChange) async throws(StoreError) {
        try await store.kind.rewriteStore(in: store.path, change, secrets: secrets, logger: logger)
    }
}

extension AgentConfiguration {
    /// The encrypted directories of the configured sinks and of the agent itself.
    package var encryptedPlaces: [any EncryptedDirectory] {
        let own = EncryptedFiles(
            in: store.path, names: [SavedPlaceFile.name, CorrectionFile.name], kind: StateDirectory.kind)
        return sinks.flatMap(\.encryptedPlaces) + [own]
    }

    /// The encrypted directories that sinks of any type have left in the state directory.
    package var foundEncryptedPlaces: [any EncryptedDirectory] {
        Agent.current.plugins.sinks.flatMap { $0.encryptedPlaces(in: store.path) }
    }
}
