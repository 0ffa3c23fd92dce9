public import Logging
public import TrackEngine

/// A type of store that configurations can name.
///
/// A store's target declares one, `public static let plugin`, and an agent takes it among its plugins; nothing else of an
/// agent knows the type.
public struct StorePlugin: Sendable {
    /// The word after `type:`.
    public var type: String { settings.type }
    /// What its settings are read into.
    package let settings: any StoreSettings.Type

    /// A plugin with these settings.
    public init(_ settings: any StoreSettings.Type) {
        self.settings = settings
    }
}

/// The settings of a type of store, beside those of every store: its directory, and how long and how much is kept.
public protocol StoreSettings: PluginSettings {
    /// What a person should know about settings that are allowed, each as `key = value: …`. None by default.
    var cautions: [String] { get }
    /// Where the store would keep its records, given this directory, looked at without opening or making anything.
    ///
    /// It has no default: `export` opens a store that no running agent has, but for one in memory.
    func site(in directory: String) -> StoreSite
    /// Whether who has the store's files, and not the key, cannot read the records in them. `false` by default.
    var sealsRecords: Bool { get }
    /// Reads the secrets that a store needs, without opening one. By default it needs none.
    ///
    /// - Parameter secrets: reads the secrets; the keys begin with `store.`.
    /// - Throws: a problem under a key of the settings.
    func checkSecrets(_ secrets: any SecretProvider) throws(ConfigurationError)
    /// Looks whether a store in a directory, if there is one, opens with the key of the settings. It takes no lock and changes
    /// nothing, also while another process has the store open. What cannot be read is no problem here. By default every store
    /// opens.
    ///
    /// - Parameters:
    ///   - directory: the store's directory.
    ///   - secrets: reads the key; the keys of secrets begin with `store.`.
    /// - Throws: a problem under a key of the settings.
    func checkKey(in directory: String, secrets: any SecretProvider) throws(ConfigurationError)
    /// Refuses a store that another process has open. By default none is known to be.
    ///
    /// - Throws: ``/TrackEngine/StoreError/Code/locked``.
    func requireUnused(in directory: String) throws(StoreError)
    /// The key that what the agent keeps is encrypted under, read now: the store's, and with it that of whatever sinks keep.
    /// `nil`, the default, keeps all in plain.
    ///
    /// - Parameter secrets: reads the key; the keys of secrets begin with `store.`.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` where it cannot be had.
    func storeKey(from secrets: any SecretProvider) throws(StoreError) -> StoreKey?
    /// Opens the store; whoever asks for it closes it.
    ///
    /// - Parameters:
    ///   - directory: an absolute path; the store makes what is missing.
    ///   - logger: gets a line for each change of state, and no positions.
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` when another process has it open, or whatever else went wrong.
    func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore
    /// The same for a store with settings that hold secrets; by default it needs none.
    ///
    /// - Parameters:
    ///   - directory: the store's directory.
    ///   - secrets: reads the secrets; the keys begin with `store.`.
    ///   - logger: where the store logs.
    func openStore(
        in directory: String, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) -> any FixStore
    /// Writes a store, which nobody may have open, anew under another key, if its type can be encrypted.
    ///
    /// - Parameters:
    ///   - directory: the store's directory.
    ///   - change: what it is encrypted with afterwards.
    ///   - secrets: reads the present key; the keys begin with `store.`.
    ///   - logger: where the store logs.
    /// - Throws: ``/TrackEngine/StoreError/Code/wrongKey`` where that cannot be done.
    func rewriteStore(
        in directory: String, _ change: StoreKeyChange, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError)
}

/// What a store is to be encrypted with.
public enum StoreKeyChange: Sendable {
    /// With the key that stands in a text.
    case key(Secret)
    /// Not at all any more.
    case plain
}

extension StoreSettings {
    /// None.
    public var cautions: [String] { [] }
    /// There are none.
    public func checkSecrets(_ secrets: any SecretProvider) throws(ConfigurationError) {}
    /// Its files can be read.
    public var sealsRecords: Bool { false }

    /// Every store opens.
    public func checkKey(in directory: String, secrets: any SecretProvider) throws(ConfigurationError) {}
    /// Nobody is known to have it open.
    public func requireUnused(in directory: String) throws(StoreError) {}

    /// There is none.
    public func storeKey(from secrets: any SecretProvider) throws(StoreError) -> StoreKey? { nil }

    /// Opens the store without secrets.
    public func openStore(
        in directory: String, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) -> any FixStore {
        try await openStore(in: directory, logger: logger)
    }

    /// Refuses: there is no key to be changed.
    public func rewriteStore(
        in directory: String, _ change: StoreKeyChange, secrets: any SecretProvider, logger: Logger
    ) async throws(StoreError) {
        throw StoreError(.wrongKey, "expected a store of a type that can be encrypted, found type \(Self.type)")
    }
}

/// What a store makes of the directory that its configuration names.
public struct StoreSite: Sendable {
    /// Where a store keeps its records.
    public enum Place: Sendable, Hashable {
        /// In the process, and gone with it.
        case memory
        /// In these files, by their paths in the directory.
        case files([String])
        /// Elsewhere, such as in a database server; nothing of it is in the directory.
        case elsewhere
    }

    /// Where the records are.
    public var place: Place
    /// Why the store would refuse the directory; `nil` where it can be used.
    public var refusal: StoreError?
    /// Whether the store leaves the directory's mode alone, because there is something in it that others may read.
    public var keepsMode: Bool

    /// A site that can be used, unless a refusal says otherwise.
    public init(_ place: Place, refusal: StoreError? = nil, keepsMode: Bool = true) {
        self.place = place
        self.refusal = refusal
        self.keepsMode = keepsMode
    }

    /// The paths of the files that the store makes in the directory; none for one that keeps nothing there.
    public var files: [String] {
        switch place {
        case .files(let paths): paths
        case .memory, .elsewhere: []
        }
    }
}
