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
    /// Opens the store; whoever asks for it closes it.
    ///
    /// - Parameters:
    ///   - directory: an absolute path; the store makes what is missing.
    ///   - logger: gets a line for each change of state, and no positions.
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` when another process has it open, or whatever else went wrong.
    func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore
}

extension StoreSettings {
    /// None.
    public var cautions: [String] { [] }
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
