import TrackEngine

/// The errors about a key that a history is not encrypted under.
enum HistoryKeyGuard {
    static var missing: StoreError {
        StoreError(
            .wrongKey,
            "the history is encrypted: expected the store's key (store.encryption.key), found none; the history is unchanged"
        )
    }

    static var wrong: StoreError {
        StoreError(
            .wrongKey,
            "expected the key that the history is encrypted under (store.encryption.key), found another one; "
                + "the history is unchanged")
    }

    static func damaged(_ path: String) -> StoreError {
        StoreError(
            .damaged, "\(path): the history's own key is damaged: expected one that opens; restore it from a copy")
    }

    static func noFile(_ path: String) -> StoreError {
        StoreError(.wrongKey, "the history is encrypted: expected its own key in \(path), which is not there")
    }

    static func foreignFile(_ path: String) -> StoreError {
        StoreError(.wrongKey, "\(path): expected the history's own key, found that of another history")
    }
}
