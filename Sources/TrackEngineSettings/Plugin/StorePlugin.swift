public import Logging
public import TrackEngine

/// A type of store that configurations can name.
///
/// A store's target declares one, `public static let plugin`, and an agent lists it among its plugins. No other part
/// of an agent knows the type.
public struct StorePlugin: Sendable {
    /// The word after `type:`.
    public var type: String { settings.type }
    /// The type of the store's settings.
    package let settings: any StoreSettings.Type

    /// A plugin with these settings.
    public init(_ settings: any StoreSettings.Type) {
        self.settings = settings
    }
}

/// The settings of a type of store, in addition to those of every store: its directory, and the limits of age and
/// size.
public protocol StoreSettings: PluginSettings {
    /// Warnings about valid settings, each as `key = value: …`. None by default.
    var cautions: [String] { get }
    /// The location of the records in this directory, determined without opening or creating a file.
    ///
    /// There is no default: `export` opens any store that no running agent has open, except one in memory.
    func site(in directory: String) -> StoreLocation
    /// Whether the records in the store's files cannot be read without the key. `false` by default.
    var sealsRecords: Bool { get }
    /// Reads the secrets that a store needs, without opening one. By default it needs none.
    ///
    /// - Parameter secrets: reads the secrets; the keys begin with `store.`.
    /// - Throws: a problem under a key of the settings.
    func checkSecrets(_ secrets: any SecretProvider) throws(ConfigurationError)
    /// Checks that the store in a directory, if there is one, opens with the key of the settings. The check takes no
    /// lock and does not change the store, even while another process has it open. Unreadable files are not reported
    /// here. By default every store passes.
    ///
    /// - Parameters:
    ///   - directory: the store's directory.
    ///   - secrets: reads the key; the keys of secrets begin with `store.`.
    /// - Throws: a problem under a key of the settings.
    func checkKey(in directory: String, secrets: any SecretProvider) throws(ConfigurationError)
    /// Rejects a store that another process has open. By default every store passes.
    ///
    /// - Throws: ``/TrackEngine/StoreError/Code/locked``.
    func requireUnused(in directory: String) throws(StoreError)
    /// Reads the key that encrypts the agent's data: the records in the store and the data that sinks keep. `nil`, the
    /// default, for no encryption.
    ///
    /// - Parameter secrets: reads the key; the keys of secrets begin with `store.`.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` if the key cannot be read.
    func storeKey(from secrets: any SecretProvider) throws(StoreError) -> StoreKey?
    /// Opens the store; the caller closes it.
    ///
    /// - Parameters:
    ///   - directory: an absolute path; the store creates missing parts.
    ///   - logger: receives a line for each change of state, and no positions.
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` when another process has it open, or another error.
    func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore
    /// Opens a store whose settings hold secrets. By default it needs none.
    ///
    /// - Parameters:
    ///   - directory: the store's directory.
    ///   - secrets: reads the secrets; the keys begin with `store.`.
    ///   - logger: the logger of the store.
    func openStore(
        in directory: String, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) -> any FixStore
    /// Rewrites a store under another key, if its type supports encryption. No process may have the store open.
    ///
    /// - Parameters:
    ///   - directory: the store's directory.
    ///   - change: the encryption after the change.
    ///   - secrets: reads the present key; the keys begin with `store.`.
    ///   - logger: the logger of the store.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` if the change is not possible.
    func rewriteStore(
        in directory: String, _ change: StoreKeyChange, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError)
}

/// The encryption of a store after a change.
public enum StoreKeyChange: Sendable {
    /// Encrypted with the key in a text.
    case key(Secret)
    /// Not encrypted.
    case plain
}

extension StoreSettings {
    /// None.
    public var cautions: [String] { [] }
    /// No secrets are needed.
    public func checkSecrets(_ secrets: any SecretProvider) throws(ConfigurationError) {}
    /// The files are readable.
    public var sealsRecords: Bool { false }

    /// Every store passes.
    public func checkKey(in directory: String, secrets: any SecretProvider) throws(ConfigurationError) {}
    /// Every store passes.
    public func requireUnused(in directory: String) throws(StoreError) {}

    /// No key.
    public func storeKey(from secrets: any SecretProvider) throws(StoreError) -> StoreKey? { nil }

    /// Opens the store without secrets.
    public func openStore(
        in directory: String, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) -> any FixStore {
        try await openStore(in: directory, logger: logger)
    }

    /// Refuses the change, because the type has no encryption.
    public func rewriteStore(
        in directory: String, _ change: StoreKeyChange, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) {
        throw StoreError(.wrongKey, "expected a store of a type that can be encrypted, found type \(Self.type)")
    }
}

/// The location of a store's records, and whether the store can use the directory in its configuration.
public struct StoreLocation: Sendable {
    /// The location of a store's records.
    public enum Place: Sendable, Hashable {
        /// In memory; the records are lost when the process ends.
        case memory
        /// In these files, given by their paths in the directory.
        case files([String])
        /// Elsewhere, such as in a database server; the directory holds no part of the store.
        case elsewhere
    }

    /// The location of the records.
    public var place: Place
    /// The error with which the store would reject the directory; `nil` if it is usable.
    public var refusal: StoreError?
    /// Whether the store does not change the directory's mode, because the directory has contents that others may
    /// read.
    public var keepsMode: Bool

    /// A usable site, unless a refusal is given.
    public init(_ place: Place, refusal: StoreError? = nil, keepsMode: Bool = true) {
        self.place = place
        self.refusal = refusal
        self.keepsMode = keepsMode
    }

    /// The paths of the files that the store creates in the directory; none for a store that keeps no files there.
    public var files: [String] {
        switch place {
        case .files(let paths): paths
        case .memory, .elsewhere: []
        }
    }
}
