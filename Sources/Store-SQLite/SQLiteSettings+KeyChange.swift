package import Logging
package import TrackEngine
package import TrackEngineSettings

extension SQLiteSettings {
    /// Writes the store anew under another key.
    ///
    /// An earlier attempt may have been interrupted, or have come to its end: then the store has the new key already, and what is
    /// left of the attempt is completed. The key of the settings is then not needed.
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
    /// Whether the database, or the one that waits to take its place, is encrypted.
    fileprivate var isSealed: Bool {
        Schema.isSealed(path: hasCompletedRewrite ? completedRewrite : database)
    }
}
