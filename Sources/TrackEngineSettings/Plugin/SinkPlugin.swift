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
    /// The settings of the sink that `run` creates when there is no configuration; `nil` for none.
    package let unasked: (@Sendable (_ stateDirectory: String) -> any SinkSettings)?

    /// A plugin with these settings.
    ///
    /// - Parameters:
    ///   - settings: the type of the settings, read from the sink's table of the configuration.
    ///   - setupLink: the links that `setup` writes into a sink of this type; `nil` if there are none.
    ///   - unasked: the settings of the sink that `run` creates when there is no configuration; `nil` for none.
    public init(
        _ settings: any SinkSettings.Type, setupLink: SetupLink.Format? = nil,
        unasked: (@Sendable (_ stateDirectory: String) -> any SinkSettings)? = nil
    ) {
        self.settings = settings
        self.setupLink = setupLink
        self.unasked = unasked
    }
}

/// The settings of a type of sink.
public protocol SinkSettings: PluginSettings {
    /// The keys that a sink inherits from the section `tracking`, where CalmGeo has them, unless its own table has
    /// them. None by default.
    static var inheritedKeys: [String] { get }
    /// A resource that two sinks of the type must not share; `nil`, the default, if there is none.
    var claim: ConflictKey? { get }
    /// The expectation that the sink's directory, or a file in it, fails to meet, so that the sink cannot use it;
    /// `nil`, the default, if it is usable. The check neither opens nor creates files.
    var expectationOfFiles: String? { get }
    /// The threshold if the configuration has none; `nil`, the default, for the general one.
    var defaultSyncThreshold: Int? { get }
    /// Warnings about valid settings, each as `key = value: …`. None by default.
    var cautions: [String] { get }
    /// Warnings about recording settings that do not suit the sink's server, each as `key = value: …`. None by
    /// default.
    func cautions(beside tracking: RecordingConfiguration) -> [String]
    /// A resource that two sinks should not share: the second sink with it gets a warning. `nil`, the default, for
    /// none.
    var rivalry: ConflictKey? { get }
    /// The name under which the server keeps the records if it does not distinguish all names; `nil`, the default, if
    /// it does.
    var receiverName: ReceiverName? { get }
    /// The people who can see the positions that the sink receives, in words that follow "seen by", for the status.
    /// `nil`, the default, if the sink does not declare them.
    var readers: String? { get }
    /// The warning for a sink that does not distinguish the records of several sources, as `key = value: …`; `nil`,
    /// the default, if it does.
    var cautionAboutSeveralSources: String? { get }
    /// The data that the sink would send for a record, for display, with three stars for each secret; `nil`, the
    /// default, for sinks without a sample.
    func sample(device: DeviceID) -> String?
    /// Creates the sink that the settings describe, and reads its files and secrets. It does not send yet.
    ///
    /// - Throws: the problems that only the sink itself can find, under its own keys.
    func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink
    /// The devices that may send to the sink, if it also receives; `nil`, the default, for other sinks. The registry
    /// is in the sink's directory, which is created if necessary.
    ///
    /// - Parameter key: the key with which the list is encrypted; `nil` if the store is not encrypted.
    func deviceRegistry(encryptedUnder key: StoreKey?) throws(DeviceRegistryError) -> (any DeviceRegistry)?
    /// The directories in which the sink keeps data that is encrypted together with the store. None, the default, for
    /// a sink that keeps no data or keeps it unencrypted.
    var encryptedPlaces: [any EncryptedDirectory] { get }
    /// The directories with encrypted data of sinks of the type in the agent's state directory, including sinks that
    /// are no longer configured; none, the default, for a type that keeps no data there.
    static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory]
    /// The account under which the sink shares the position; `nil`, the default, for a sink without one.
    func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> (any SharingAccount)?
}

extension SinkSettings {
    /// None.
    public static var inheritedKeys: [String] { [] }
    /// None.
    public var claim: ConflictKey? { nil }
    /// The files are usable.
    public var expectationOfFiles: String? { nil }
    /// None.
    public func deviceRegistry(
        encryptedUnder key: StoreKey?
    ) throws(DeviceRegistryError) -> (any DeviceRegistry)? { nil }
    /// No sample.
    public func sample(device: DeviceID) -> String? { nil }
    /// None.
    public func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> (any SharingAccount)? { nil }
    /// None.
    public var encryptedPlaces: [any EncryptedDirectory] { [] }
    /// None.
    public static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory] { [] }
    /// The general threshold.
    public var defaultSyncThreshold: Int? { nil }
    /// None.
    public var cautions: [String] { [] }
    /// None.
    public func cautions(beside tracking: RecordingConfiguration) -> [String] { [] }
    /// None.
    public var rivalry: ConflictKey? { nil }
    /// Not declared.
    public var readers: String? { nil }
    /// The server distinguishes all names.
    public var receiverName: ReceiverName? { nil }
    /// The sink distinguishes the sources.
    public var cautionAboutSeveralSources: String? { nil }
}

/// A resource that one sink needs for itself, such as an MQTT client identifier.
public struct ConflictKey: Sendable {
    /// The resource; equal for sinks that would interfere with each other.
    public let place: String
    /// The key to change.
    public let key: String
    /// The expectation for the value of that key.
    public let expectation: String
    /// The absolute path of the claimed directory; `nil` for another kind of resource.
    public let directory: String?

    /// A claim to a resource.
    public init(place: String, key: String, expectation: String) {
        self.place = place
        self.key = key
        self.expectation = expectation
        directory = nil
    }

    /// A claim to a directory by its absolute path.
    ///
    /// An agent also rejects a path that cannot be a directory, one that belongs to its store, and a second path to
    /// the same directory.
    public init(directory: String, key: String, expectation: String) {
        let parts = directory.split(separator: "/").filter { $0 != "." }
        place = "directory:/" + parts.joined(separator: "/")
        self.key = key
        self.expectation = expectation
        self.directory = directory
    }
}
