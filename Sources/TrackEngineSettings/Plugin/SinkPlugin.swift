public import TrackEngine

/// A type of sink that configurations can name.
///
/// A sink's target declares one, `public static let plugin`, and an agent lists it among its plugins. No other part of
/// an agent knows the type.
public struct SinkPlugin: Sendable {
    /// The word after `type:`.
    public var type: String { settings.type }
    /// The type of the sink's settings.
    package let settings: any SinkSettings.Type
    /// The format of the links with which servers of this type configure their senders.
    package let setupLink: SetupLink.Format?
    /// The keys that a sink inherits from the section `tracking`, where CalmGeo has them.
    package let inheritedKeys: [String]
    /// The settings of the sink that `run` creates when there is no configuration; `nil` for none.
    package let unasked: (@Sendable (_ stateDirectory: String) -> any SinkSettings)?

    /// A plugin with these settings.
    ///
    /// - Parameters:
    ///   - settings: the type of the settings, read from the sink's table of the configuration.
    ///   - setupLink: the links that `setup` writes into a sink of this type; `nil` if there are none.
    ///   - inheritedKeys: the keys that a sink inherits from the section `tracking`, where CalmGeo has them, unless its
    ///     own table has them.
    ///   - unasked: the settings of the sink that `run` creates when there is no configuration; `nil` for none.
    public init(
        _ settings: any SinkSettings.Type, setupLink: SetupLink.Format? = nil, inheritedKeys: [String] = [],
        unasked: (@Sendable (_ stateDirectory: String) -> any SinkSettings)? = nil
    ) {
        self.settings = settings
        self.setupLink = setupLink
        self.inheritedKeys = inheritedKeys
        self.unasked = unasked
    }
}

/// The settings of a type of sink.
///
/// Settings may have further abilities, each a protocol of its own: ``ConflictSettings``, ``DirectorySettings``,
/// ``EncryptedSettings``, ``WarningSettings``, ``SyncSettings``, ``ReceiverSettings``, ``RegistrySettings``,
/// ``SharingSettings`` and ``RequestSettings``.
public protocol SinkSettings: PluginSettings {
    /// The people who can see the positions that the sink receives, in words that follow "seen by", for the status;
    /// `nil` if they are not known.
    var readers: String? { get }
    /// Creates the sink that the settings describe, and reads its files and secrets. It does not send yet.
    ///
    /// - Throws: the problems that only the sink itself can find, under its own keys.
    func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink
}

/// The settings of a sink with another threshold than the general one.
public protocol SyncSettings: SinkSettings {
    /// The threshold if the configuration has none; `nil` for the general one.
    var defaultSyncThreshold: Int? { get }
}

/// The settings of a sink whose valid values may have consequences that the user should know.
public protocol WarningSettings: SinkSettings {
    /// Warnings, each as `key = value: …`.
    ///
    /// - Parameters:
    ///   - tracking: the recording settings, which may not suit the sink's server.
    ///   - sourceCount: the number of sources: a sink may not distinguish their records.
    func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String]
}

/// The settings of a sink that can show a request as it would send it.
public protocol RequestSettings: SinkSettings {
    /// The data that the sink would send for a record, for display, with three stars for each secret; `nil` if the
    /// settings do not suffice.
    func sample(device: DeviceID) -> String?
}
