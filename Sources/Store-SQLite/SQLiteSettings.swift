package import Logging
package import TrackEngine
public import TrackEngineSettings

extension SQLiteFixStore {
    /// `type: sqlite`: an SQLite database, which survives whatever ends the process.
    public static let plugin = StorePlugin(SQLiteSettings.self)
}

/// `{type: sqlite, commitInterval: 0}`
package struct SQLiteSettings: StoreSettings {
    package static let type = "sqlite"
    package static let summary = "An SQLite database, which survives whatever ends the process."

    /// How long appends wait for each other, so that they share a commit. 0 to 60 s; 0 commits each at once.
    package var commitInterval = Duration.zero

    package init() {}

    package static let fields: [Field<Self>] = [
        .seconds("commitInterval", \.commitInterval, 0...60)
            .meaning("How long appends wait for each other, to share a commit; a power cut loses what waits.")
    ]

    package func site(in directory: String) -> StoreSite {
        let files = StoreFiles(directory: directory)
        var site = StoreSite(.files(files.opened + [files.reserve]), keepsMode: files.holdsOtherFiles)
        do throws(StoreError) { try files.requireRegular() } catch { site.refusal = error }
        return site
    }

    package func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore {
        var configuration = SQLiteFixStore.Configuration(directory: directory)
        configuration.commitInterval = commitInterval
        return try await SQLiteFixStore.open(configuration: configuration, logger: logger)
    }
}
