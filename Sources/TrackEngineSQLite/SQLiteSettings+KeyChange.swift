package import Logging
package import TrackEngine
package import TrackEngineSettings

extension SQLiteSettings {
    /// Rewrites the store under another key.
    ///
    /// An earlier attempt may have been interrupted, or may have completed. In both cases the store already has the
    /// new key, and the remaining steps of the attempt are completed. The key of the settings is not needed then.
    package func rewriteStore(
        in directory: String, _ change: StoreKeyChange, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) {
        let next = try Self.key(of: change)
        var configuration = SQLiteFixStore.Configuration(directory: directory)
        configuration.key = next
        if next == nil || StoreFiles(directory: directory).isSealed {
            do throws(StoreError) {
                let store = try await SQLiteFixStore.open(configuration: configuration, logger: logger)
                return await store.close()
            } catch { guard error.code == .wrongKey else { throw error } }
        }
        configuration.key = try storeKey(from: secrets)
        let store = try await SQLiteFixStore.open(configuration: configuration, logger: logger)
        try await store.rewrite(under: next)
    }

    private static func key(of change: StoreKeyChange) throws(StoreError) -> StoreKey? {
        switch change {
        case .plain: return nil
        case .key(let text):
            guard let key = StoreKey(text) else {
                throw StoreError(.wrongKey, "the new key: expected \(StoreKey.expectation)")
            }
            return key
        }
    }
}

extension StoreFiles {
    /// Whether the database, or a completed rewrite that has not replaced it yet, is encrypted.
    fileprivate var isSealed: Bool {
        Schema.isSealed(path: hasCompletedRewrite ? completedRewrite : database)
    }
}
