package import TrackEngine
package import TrackEngineSettings

/// The complete configuration of the agent: the result of `trackd.yaml`, remote settings, `TRACKD_…` and `--set`.
///
/// A plain value: no file or connection has been opened, and secrets have not been read.
package struct AgentConfiguration: Sendable, Hashable {
    /// The tracked object.
    package var device = DeviceSettings()
    /// The sources of fixes.
    package var sources = SourceSelection.automatic
    /// The recording rules.
    package var tracking = RecordingConfiguration()
    /// The events that are detected in the track, in addition to positions.
    package var events = EventSettings()
    /// The rules for more or less recording.
    package var profiles = ProfileSettings()
    /// Whether the machine's wireless network is read, and the positions of networks.
    package var wifi = WifiSettings()
    /// The store of waiting records.
    package var store: StoreConfiguration
    /// The destinations of records; without one, the store is the destination.
    package var sinks: [SinkConfiguration] = []
    /// The access to the running agent.
    package var control: ControlSettings
    /// The settings of the log.
    package var log = LogSettings()
    /// The remote settings, which are included in these values.
    package var remote = RemoteStatus()
    /// The origins of all values.
    package var places = ConfigurationOriginTable()

    /// The default configuration, with its state in a directory.
    package init(stateDirectory: String, program: Agent = .current) {
        store = StoreConfiguration(path: stateDirectory, kind: program.plugins.defaultStore.settings.init())
        control = ControlSettings(socket: "\(stateDirectory)/\(program.name).sock")
    }
}

/// The section `device`.
package struct DeviceSettings: Sendable, Hashable {
    /// The device's name for servers. Default: made once and saved in the state directory (``DeviceIdentity``).
    package var id: String?

    static let fields: [Field<Self>] = [
        .text("id", \.id, .device).meaning(
            "The name of the tracked object; without one a name is made once and kept in the state directory.")
    ]
}

extension AgentConfiguration {
    /// Adds the sinks of a run without a configuration.
    mutating func addUnaskedSinks(of program: Agent = .current) {
        for plugin in program.plugins.sinks {
            guard let settings = plugin.unasked?(store.path) else { continue }
            sinks.append(SinkConfiguration(name: SinkID(rawValue: plugin.type), kind: settings))
        }
    }
}

// MARK: Reading and showing

extension AgentConfiguration {
    /// Reads the whole configuration; problems go to the decoder's report.
    static func decode(
        _ root: inout TableDecoder, stateDirectory: String, program: Agent
    ) -> AgentConfiguration {
        var configuration = AgentConfiguration(stateDirectory: stateDirectory, program: program)
        Field.table("device", \.device, DeviceSettings.fields).read(&root, &configuration)
        configuration.sources = .decode(&root, program.plugins.sources)
        let (tracking, delivery) = RecordingConfiguration.decode(&root)
        configuration.tracking = tracking
        configuration.events = .decode(&root)
        configuration.profiles = .decode(&root, tracking, configuration.events)
        configuration.wifi = .decode(&root, tracking, configuration.profiles)
        configuration.store = .decode(&root, program.plugins, default: stateDirectory, delivery)
        configuration.sinks = SinkConfiguration.decode(
            &root, program.plugins.sinks, defaults: delivery.sync, inherited: delivery.given)
        configuration.control.socket = "\(configuration.store.path)/\(program.name).sock"
        Field.table("control", \.control, ControlSettings.fields).read(&root, &configuration)
        Field.table("log", \.log, LogSettings.fields).read(&root, &configuration)
        root.reportUnknownKeys(elsewhere: sections)
        return configuration
    }

    /// The sections by key, in lower case, for keys that were given outside their section.
    private static var sections: [String: String] {
        let keys = [
            "device": DeviceSettings.fields.map(\.name),
            "tracking": RecordingConfiguration.fields.map(\.name) + DeliverySettings.keysOfSinks,
            "events": EventSettings.fields.map(\.name),
            "profiles": ProfileSettings.fields.map(\.name), "wifi": WifiSettings.fields.map(\.name),
            "store": [StoreConfiguration.pathField.name] + RetentionConfiguration.fields.map(\.name),
            "control": ControlSettings.fields.map(\.name), "log": LogSettings.fields.map(\.name),
        ]
        let pairs = keys.flatMap { section, names in names.map { ($0.lowercased(), section) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Every value, for printing and comparing.
    var shown: ConfigurationValue {
        .table([
            .init(key: "device", value: .table(DeviceSettings.fields, of: device)),
            .init(key: "sources", value: sources.shown),
            .init(key: "tracking", value: .table(RecordingConfiguration.fields, of: tracking)),
            .init(key: "events", value: .table(EventSettings.fields, of: events)),
            .init(key: "profiles", value: .table(ProfileSettings.fields, of: profiles)),
            .init(key: "wifi", value: .table(WifiSettings.fields, of: wifi)),
            .init(key: "store", value: store.shown),
            .init(key: "sinks", value: .list(sinks.map(\.shown))),
            .init(key: "control", value: .table(ControlSettings.fields, of: control)),
            .init(key: "log", value: .table(LogSettings.fields, of: log)),
        ])
    }

    /// Every value as YAML, with secrets masked as `***`. Except for those, it reads back to the same configuration.
    package var effectiveYAML: String { shown.yaml }

    /// The locations of all secrets of the configuration, by key.
    package var secrets: [(key: String, reference: SecretReference)] {
        shown.leaves().compactMap { key, value in
            guard case .secret(let reference) = value else { return nil }
            return (key, reference)
        }
    }
}
