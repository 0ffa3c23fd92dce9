import Logging
package import TrackEngine
package import TrackEngineSettings

/// Puts a store and what the sinks beside it keep under another key, or ends encryption, while no agent runs.
///
/// Whenever it ends before it is done, everything opens with the key with which the store does, and doing it again completes it:
/// the places beside the store open with both keys while the store is written anew, and with the new one alone afterwards.
package struct KeyChange: Sendable {
    private let store: StoreConfiguration
    private let places: [any EncryptedPlace]
    private let secrets: any SecretProvider
    private let logger = Logger(label: Agent.current.name) { _ in SwiftLogNoOpLogHandler() }

    package init(store: StoreConfiguration, places: [any EncryptedPlace], secrets: any SecretProvider) {
        self.store = store
        self.places = places
        self.secrets = secrets
    }

    /// Does it.
    ///
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` before anything is changed, when the present key opens one of them not.
    package func run(_ change: StoreKeyChange) async throws(StoreError) {
        switch change {
        case .key(let text):
            // What is no key, or a store that takes none, is refused by the store in its words.
            guard let key = StoreKey(text) else { return try await rewriteStore(change) }
            for place in places { try await admit(key, to: place) }
            try await rewriteStore(change)
            for place in places { try await place.restrict(to: key) }
        case .plain:
            // Where the store is in plain already, what its key was is asked for only by what is not.
            let key = try? store.kind.storeKey(from: secrets)
            for place in places { try await place.decrypt(with: key) }
            try await rewriteStore(change)
        }
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
