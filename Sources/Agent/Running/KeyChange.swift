import Logging
import SealedFiles
package import TrackEngine
package import TrackEngineSettings

/// Puts a store and what the sinks beside it keep under another key, or ends encryption, while no agent runs.
///
/// Whenever it ends before it is done, everything opens with the key with which the store does, and doing it again completes it:
/// the places beside the store open with both keys while the store is written anew, and with the new one alone afterwards.
package struct KeyChange: Sendable {
    private let store: StoreConfiguration
    private let places: [any EncryptedPlace]
    private let found: [any EncryptedPlace]
    private let secrets: any SecretProvider
    private let logger = Logger(label: Agent.current.name) { _ in SwiftLogNoOpLogHandler() }

    /// A change that has not begun.
    ///
    /// - Parameters:
    ///   - store: the store's configuration.
    ///   - places: what the configured sinks keep encrypted; all of it has to open.
    ///   - found: what is found in the agent's directory, which may be that of sinks which the configuration does not have any
    ///     more; what opens not is left as it is, and named.
    ///   - secrets: reads the present key.
    package init(
        store: StoreConfiguration, places: [any EncryptedPlace], found: [any EncryptedPlace] = [],
        secrets: any SecretProvider
    ) {
        self.store = store
        self.places = places
        let known = Set(places.map(\.path))
        self.found = found.filter { !known.contains($0.path) }
        self.secrets = secrets
    }

    /// Does it.
    ///
    /// - Returns: why places that were found are left as they are, each with its path; nothing opens them with the keys at hand.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` before anything is changed, when the present key opens one of them not;
    ///   ``/TrackEngine/StoreError/Code/locked`` while an agent runs.
    @discardableResult
    package func run(_ change: StoreKeyChange) async throws(StoreError) -> [String] {
        let lock = try Self.lock(store.path)
        defer { withExtendedLifetime(lock) {} }
        try store.kind.requireUnused(in: store.path)
        switch change {
        case .key(let text):
            // What is no key, or a store that takes none, is refused by the store in its words.
            guard let key = StoreKey(text) else {
                try await rewriteStore(change)
                return []
            }
            for place in places { try await admit(key, to: place) }
            let refused = try await leaving { place throws(StoreError) in try await admit(key, to: place) }
            try await rewriteStore(change)
            for place in places { try await place.restrict(to: key) }
            // Of a place that was refused all else is changed; and what somebody has made meanwhile is named, too.
            let left = try await leaving { place throws(StoreError) in try await place.restrict(to: key) }
            return refused.merging(left) { first, _ in first }.sorted { $0.key < $1.key }.map(\.value)
        case .plain:
            // Where the store is in plain already, what its key was is asked for only by what is not.
            let key = try? store.kind.storeKey(from: secrets)
            for place in places { try await place.decrypt(with: key) }
            let left = try await leaving { place throws(StoreError) in try await place.decrypt(with: key) }
            try await rewriteStore(change)
            return left.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Keeps others from changing the key, and agents from starting, as long as it is held.
    ///
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` while somebody else holds it.
    static func lock(_ directory: String) throws(StoreError) -> Descriptor {
        let path = directory + "/key-change"
        do throws(PrivateFileError) {
            if let lock = try PrivateFile.lockUnlessTaken(path) { return lock }
        } catch { throw StoreError(.inputOutput, error.description) }
        throw StoreError(
            .locked,
            "another process has \(path).lock locked, which starts on the store or changes its key; wait for it")
    }

    /// Does something with each place that was found; says by their paths which of them nothing opens.
    private func leaving(
        _ body: (any EncryptedPlace) async throws(StoreError) -> Void
    ) async throws(StoreError) -> [String: String] {
        var left: [String: String] = [:]
        for place in found {
            do throws(StoreError) { try await body(place) } catch { left[place.path] = try Self.leaving(place, error) }
        }
        return left
    }

    /// What is said of a place that nothing opens; other errors end the change.
    private static func leaving(_ place: any EncryptedPlace, _ error: StoreError) throws(StoreError) -> String {
        guard [.wrongKey, .damaged].contains(error.code) else { throw error }
        return "\(place.path) is left as it is: \(error.message)"
    }

    /// The present key is needed unless the place has the new one already.
    private func admit(_ key: StoreKey, to place: any EncryptedPlace) async throws(StoreError) {
        let present: Result<StoreKey?, StoreError>
        do throws(StoreError) { present = .success(try store.kind.storeKey(from: secrets)) } catch {
            present = .failure(error)
        }
        do throws(StoreError) { try await place.admit(key, beside: try? present.get()) } catch {
            guard error.code == .wrongKey, case .failure(let failure) = present else { throw error }
            throw failure  // says what is wrong with the key that the configuration names
        }
    }

    private func rewriteStore(_ change: StoreKeyChange) async throws(StoreError) {
        try await store.kind.rewriteStore(in: store.path, change, secrets: secrets, logger: logger)
    }
}

extension AgentConfiguration {
    /// What its sinks keep encrypted, and what the agent itself does.
    package var encryptedPlaces: [any EncryptedPlace] {
        let own = SealedFiles(
            in: store.path, names: [KeptPlaceFile.name, CorrectionFile.name], kind: StateDirectory.kind)
        return sinks.flatMap(\.kind.encryptedPlaces) + [own]
    }

    /// What sinks of any type have left encrypted in its state directory.
    package var foundEncryptedPlaces: [any EncryptedPlace] {
        Agent.current.plugins.sinks.flatMap { $0.settings.encryptedPlaces(in: store.path) }
    }
}
