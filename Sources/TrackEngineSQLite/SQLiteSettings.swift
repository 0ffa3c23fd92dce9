package import Logging
import SQLiteAccess
package import TrackEngine
public import TrackEngineSettings

extension SQLiteFixStore {
    /// `type: sqlite`: an SQLite database, which survives any end of the process.
    public static let plugin = StorePlugin(SQLiteSettings.self)
}

/// `{type: sqlite, commitInterval: 0}`
package struct SQLiteSettings: StoreSettings {
    package static let type = "sqlite"
    package static let summary = "An SQLite database, which survives any end of the process."

    /// The time for which appends wait to share a commit. 0 to 60 s; 0 commits each at once.
    package var commitInterval = Duration.zero

    /// The encryption of the store.
    package var encryption = Encryption()

    package init() {}

    /// `{key: {file: PATH}}`
    package struct Encryption: Sendable, Hashable {
        /// The location of the key, apart from the store; `nil` keeps records unencrypted.
        package var key: SecretReference?

        static let fields: [Field<Self>] = [
            keyField.meaning(
                "The encryption key of the store and of the sinks' histories: 64 hexadecimal digits or base64, as store make-key writes them to a file."
            )
        ]

        /// A secret that is not a literal. The section is a request for encryption, so it is rejected without exactly
        /// one location for a key; otherwise the store would silently be unencrypted.
        private static var keyField: Field<Self> {
            let secret = Field<Self>.secret("key", \.key)
            return Field(
                secret.name, secret.kind, places,
                read: { decoder, section in
                    guard let node = decoder.node(secret.name) else { return }
                    if node.isNull {
                        decoder.reject(secret.name, nil, places)
                    } else if let members = node.members, members.count != 1 {
                        decoder.reject(secret.name, "***", places)
                    } else {
                        secret.read(&decoder, &section)
                    }
                },
                show: secret.show
            ).required()
        }

        /// The locations where a key may be, in words that complete "expected …".
        static let places = "one of key.file, key.credential and key.env: the key is kept apart from the store"
    }

    package static let fields: [Field<Self>] = [
        .seconds("commitInterval", \.commitInterval, 0...60)
            .meaning("How long appends wait for each other, to share a commit; a power cut loses those that wait."),
        Self.encryptionField
            .meaning(
                "Encrypts the contents of the store and of the sinks' histories against access to the disk without the key."
            ),
    ]

    package mutating func check(_ table: inout TableDecoder) {
        guard case .literal = encryption.key else { return }
        table.reject("encryption.key", "***", Encryption.places)
        encryption.key = nil
    }

    /// A table, or `null` for none.
    private static var encryptionField: Field<Self> {
        let table = Field<Self>.table("encryption", \.encryption, Encryption.fields)
        return Field(
            table.name, .table, table.expectation, isOptional: true,
            parts: { _ in Encryption.fields.map { $0.description(in: Encryption()) } },
            read: { decoder, section in
                if decoder.isOff(table.name) {
                    section.encryption = Encryption()
                } else if decoder.node(table.name) != nil {
                    table.read(&decoder, &section)
                }
            },
            show: { section in section.encryption.key == nil ? .word("null") : table.show(section) })
    }

    package func site(in directory: String) -> StoreLocation {
        let files = StoreFiles(directory: directory)
        var site = StoreLocation(.files(files.opened + [files.reserve]), keepsMode: files.holdsOtherFiles)
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
            throw ConfigurationError("encryption.key", "***", error.expectation)
        }
        guard StoreKey(secret) == nil else { return }
        throw ConfigurationError("encryption.key", "***", StoreKey.expectation)
    }

    package func checkKey(in directory: String, secrets: any SecretProvider) throws(ConfigurationError) {
        try checkSecrets(secrets)
        let files = StoreFiles(directory: directory)
        let fault: KeyGuard.Problem?
        do throws(StoreError) {
            let seal = try storeKey(from: secrets).map { key throws(StoreError) in try RowCipher(key) }
            fault = try KeyGuard.fault(path: files.current, log: files.currentLog, seal)
        } catch { return }  // opening the store reports the problem
        let mark = EncryptionMark(of: files.database)
        let isPlain = Schema.version(path: files.current).map { (1...Schema.version).contains($0) } ?? false
        let isRefused = encryption.key != nil && isPlain && mark.isSet
        guard let expectation = fault?.expectation ?? (isRefused ? mark.expectation : nil) else { return }
        throw ConfigurationError("encryption.key", fault == .missing ? "null" : "***", expectation)
    }

    package func requireUnused(in directory: String) throws(StoreError) {
        let files = StoreFiles(directory: directory)
        guard FileStatus.at(files.lock) != nil else { return }
        _ = try FileLock.database(files.lock, takenBy: StoreEngine.lockOwner)
    }

    /// The key from the settings; `nil` if they have none.
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
