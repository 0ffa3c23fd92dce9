public import TrackEngine

/// A type of sink that configurations can name.
///
/// A sink's target declares one, `public static let plugin`, and an agent takes it among its plugins; nothing else of an
/// agent knows the type.
public struct SinkPlugin: Sendable {
    /// The word after `type:`.
    public var type: String { settings.type }
    /// What its settings are read into.
    package let settings: any SinkSettings.Type
    /// Reads the links with which receivers of this type configure their senders.
    package let setupLink: SetupLink.Format?
    /// The settings with which `run` makes such a sink where there is no configuration; `nil` for none.
    package let unasked: (@Sendable (_ stateDirectory: String) -> any SinkSettings)?

    /// A plugin with these settings.
    ///
    /// - Parameters:
    ///   - settings: what the sink's table of the configuration is read into.
    ///   - setupLink: the links that `setup` writes into a sink of this type; `nil` if there are none.
    ///   - unasked: the settings with which `run` makes such a sink where there is no configuration; `nil` for none.
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
    /// Those keys that a sink takes from the section `tracking`, where CalmGeo has them, unless it says otherwise itself.
    /// None by default.
    static var inheritedKeys: [String] { get }
    /// What two sinks of the type must not have in common; `nil`, the default, if they may.
    var claim: SinkClaim? { get }
    /// What the sink's directory, or a file in it, should be and is not, so that the sink cannot use it; `nil`, the default, if it
    /// can. Nothing is opened or made for the answer.
    var expectationOfFiles: String? { get }
    /// The threshold where the configuration names none; `nil`, the default, for that of all sinks.
    var defaultSyncThreshold: Int? { get }
    /// What a person should know about settings that are allowed, each as `key = value: …`. None by default.
    var cautions: [String] { get }
    /// What a person should know about what is recorded, for the sake of the sink's receiver, each as `key = value: …`. None by
    /// default.
    func cautions(beside tracking: RecordingConfiguration) -> [String]
    /// What two sinks had better not have in common: the second one that has it gets a caution. `nil`, the default, for nothing.
    var rivalry: SinkClaim? { get }
    /// Under which name the receiver keeps the records, where it does not tell all names apart; `nil`, the default, if it does.
    var receiverName: ReceiverName? { get }
    /// Who can see the places that the sink is given, in words that follow "seen by": the status tells people. `nil`, the
    /// default, for a sink that does not say.
    var readers: String? { get }
    /// What becomes of the records of several sources where the sink does not tell them apart, as `key = value: …`; `nil`,
    /// the default, if it does.
    var cautionAboutSeveralSources: String? { get }
    /// What the sink would send for a record, for a person to look at, with three stars for each secret; `nil`, the default,
    /// for sinks that have nothing to show.
    func sample(device: DeviceID) -> String?
    /// The sink that the settings describe; nothing is sent yet. Its files and secrets are read here.
    ///
    /// - Throws: what only the sink itself can find wrong, under its own keys.
    func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink
    /// Who may send to the sink, for one that also receives; `nil`, the default, for others. It is kept in the sink's
    /// directory, which is made if need be.
    ///
    /// - Parameter key: what the list is encrypted under; `nil` where the store is in plain.
    func deviceRegistry(encryptedUnder key: StoreKey?) throws(DeviceRegistryError) -> (any DeviceRegistry)?
    /// Where the sink keeps something that is encrypted when the store is; none, the default, for a sink that keeps nothing or
    /// keeps it in plain.
    var encryptedPlaces: [any EncryptedPlace] { get }
    /// What sinks of the type have left encrypted in the agent's state directory, whether the configuration still has them or not;
    /// none, the default, for a type that keeps nothing there.
    static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedPlace]
    /// The account under which the sink shares the place; `nil`, the default, for a sink that has none.
    func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> (any SharingAccount)?
}

extension SinkSettings {
    /// None.
    public static var inheritedKeys: [String] { [] }
    /// None.
    public var claim: SinkClaim? { nil }
    /// It can use them.
    public var expectationOfFiles: String? { nil }
    /// None.
    public func deviceRegistry(
        encryptedUnder key: StoreKey?
    ) throws(DeviceRegistryError) -> (any DeviceRegistry)? { nil }
    /// Nothing to show.
    public func sample(device: DeviceID) -> String? { nil }
    /// None.
    public func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> (any SharingAccount)? { nil }
    /// None.
    public var encryptedPlaces: [any EncryptedPlace] { [] }
    /// None.
    public static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedPlace] { [] }
    /// That of all sinks.
    public var defaultSyncThreshold: Int? { nil }
    /// None.
    public var cautions: [String] { [] }
    /// None.
    public func cautions(beside tracking: RecordingConfiguration) -> [String] { [] }
    /// Nothing.
    public var rivalry: SinkClaim? { nil }
    /// It does not say.
    public var readers: String? { nil }
    /// The receiver tells them apart.
    public var receiverName: ReceiverName? { nil }
    /// The sink tells them apart.
    public var cautionAboutSeveralSources: String? { nil }
}

/// Something that one sink has for itself, such as an MQTT client identifier.
public struct SinkClaim: Sendable {
    /// What it is; equal for sinks that would get in each other's way.
    public let place: String
    /// The key to change.
    public let key: String
    /// What is expected there.
    public let expectation: String
    /// The absolute path of the directory that is claimed; `nil` for a place of another kind.
    public let directory: String?

    /// A claim to a place.
    public init(place: String, key: String, expectation: String) {
        self.place = place
        self.key = key
        self.expectation = expectation
        directory = nil
    }

    /// A claim to a directory by its absolute path.
    ///
    /// An agent also refuses a path where no directory can be, one that belongs to its store, and a second path to the
    /// same directory.
    public init(directory: String, key: String, expectation: String) {
        let parts = directory.split(separator: "/").filter { $0 != "." }
        place = "directory:/" + parts.joined(separator: "/")
        self.key = key
        self.expectation = expectation
        self.directory = directory
    }
}
