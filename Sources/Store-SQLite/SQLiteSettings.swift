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

    /// Whether and how the store is encrypted.
    package var encryption = Encryption()

    package init() {}

    /// `{key: {file: PATH}}`
    package struct Encryption: Sendable, Hashable {
        /// Where the key is kept, apart from the store; `nil` keeps records in plain.
        package var key: SecretReference?

        static let fields: [Field<Self>] = [
            .secret("key", \.key).meaning(
                "What the store and the sinks' histories are encrypted under: 64 hexadecimal digits or base64, as store make-key writes them to a file."
            )
        ]
    }

    package static let fields: [Field<Self>] = [
        .seconds("commitInterval", \.commitInterval, 0...60)
            .meaning("How long appends wait for each other, to share a commit; a power cut loses what waits."),
        .table("encryption", \.encryption, Encryption.fields)
            .meaning(
                "Keeps what the store and the sinks' histories say unreadable for who has the disk and not the key."),
    ]

    package mutating func check(_ table: inout TableDecoder) {
        guard case .literal = encryption.key else { return }
        table.reject(
            "encryption.key", "***",
            "{file: PATH}, {credential: NAME} or {env: NAME}: the key is kept apart from the store")
        encryption.key = nil
    }

    package func site(in directory: String) -> StoreSite {
        let files = StoreFiles(directory: directory)
        var site = StoreSite(.files(files.opened + [files.reserve]), keepsMode: files.holdsOtherFiles)
        do throws(StoreError) { try files.requireRegular() } catch { site.refusal = error }
        return site
    }

    package var sealsRecords: Bool { encryption.key != nil }

    package func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore {
        guard encryption.key == nil else { throw KeyGuard.missing }
        return try await open(directory, nil, logger)
    }

    package func openStore(
        in directory: String, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) -> any FixStore {
        try await open(directory, storeKey(from: secrets), logger)
    }

    package func checkSecrets(_ secrets: any SecretProvider) throws(ConfigurationError) {
        guard let reference = encryption.key else { return }
        let secret: Secret
        do throws(SecretFailure) { secret = try secrets.take("store.encryption.key", reference) } catch {
            throw ConfigurationError(problems: [
                ConfigurationProblem(key: "encryption.key", value: "***", expectation: error.expectation)
            ])
        }
        guard StoreKey(secret) == nil else { return }
        throw ConfigurationError(problems: [
            ConfigurationProblem(key: "encryption.key", value: "***", expectation: StoreKey.expectation)
        ])
    }

    /// The key that the settings name; `nil` where they name none.
    package func storeKey(from secrets: any SecretProvider) throws(StoreError) -> StoreKey? {
        guard let reference = encryption.key else { return nil }
        let secret: Secret
        do throws(SecretFailure) { secret = try secrets.take("store.encryption.key", reference) } catch {
            throw StoreError(.wrongKey, "store.encryption.key = ***: expected \(error.expectation)")
        }
        guard let key = StoreKey(secret) else {
            throw StoreError(.wrongKey, "store.encryption.key = ***: expected \(StoreKey.expectation)")
        }
        return key
    }

    private func open(
        _ directory: String, _ key: StoreKey?, _ logger: Logger
    ) async throws(StoreError) -> SQLiteFixStore {
        var configuration = SQLiteFixStore.Configuration(directory: directory)
        configuration.commitInterval = commitInterval
        configuration.key = key
        return try await SQLiteFixStore.open(configuration: configuration, logger: logger)
    }
}
