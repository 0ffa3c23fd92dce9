import Logging
import TrackEngine

#if SQLite
    import TrackEngineSQLite

    /// Opens the store of a directory.
    func openStore(_ directory: String, _ logger: Logger) async throws -> any FixStore {
        try await SQLiteFixStore.open(configuration: .init(directory: directory), logger: logger)
    }
#else
    /// Rejects each directory: the library has the store in memory alone.
    func openStore(_ directory: String, _ logger: Logger) async throws -> any FixStore {
        throw StoreError(.inputOutput, "expected directory = NULL: this library was built without SQLite")
    }
#endif
