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
    /// What the store would make of a directory, looked at without opening or making anything. By default it is not
    /// interested in it.
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

    /// A store that keeps nothing there.
    public func site(in directory: String) -> StoreSite { StoreSite() }
}

/// A directory as a place for a store.
public struct StoreSite: Sendable {
    /// Why the store would refuse the directory; `nil` where it can be used.
    public var refusal: StoreError?
    /// Whether the store leaves the directory's mode alone, because there is something in it that others may read.
    public var keepsMode: Bool
    /// The paths of the files that the store makes there; none for one that keeps nothing on the disk.
    public var files: [String]

    /// A place that can be used.
    public init(refusal: StoreError? = nil, keepsMode: Bool = true, files: [String] = []) {
        self.refusal = refusal
        self.keepsMode = keepsMode
        self.files = files
    }
}
