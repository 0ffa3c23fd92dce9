package import TrackEngine
package import TrackEngineSettings

/// Everything that can be said about the agent: what `trackd.yaml`, `TRACKD_…` and `--set` come to.
///
/// It is a plain value: nothing has been opened, and secrets are still where they are kept.
package struct AgentConfiguration: Sendable, Hashable {
    /// The object that is tracked.
    package var device = DeviceSettings()
    /// Where fixes come from.
    package var sources = SourceSelection.automatic
    /// What is recorded, and when.
    package var tracking = RecordingConfiguration()
    /// What is found in the track beside positions.
    package var events = EventSettings()
    /// When more or less is recorded.
    package var profiles = ProfileSettings()
    /// Whether it is found out in which wireless network the machine is, and where networks are.
    package var wifi = WifiSettings()
    /// Where records wait.
    package var store: StoreConfiguration
    /// Where records go; none means that the store is their destination.
    package var sinks: [SinkConfiguration] = []
    /// How to talk to the running agent.
    package var control: ControlSettings
    /// What is logged.
    package var log = LogSettings()
    /// What was configured from afar, and is among this.
    package var remote = RemoteStanding()
    /// Where all of this was given.
    package var places = ConfigurationPlaces()

    /// What runs without any configuration, with its state in a directory.
    package init(stateDirectory: String, program: Agent = .current) {
        store = StoreConfiguration(path: stateDirectory, kind: program.plugins.defaultStore.settings.init())
        control = ControlSettings(socket: "\(stateDirectory)/\(program.name).sock")
    }
}

/// The section `device`.
package struct DeviceSettings: Sendable, Hashable {
    /// The device's name towards receivers. Default: made once and kept in the state directory (``DeviceIdentity``).
    package var id: String?

    static let fields: [Field<Self>] = [
        .text("id", \.id, .device).meaning(
            "The name of the tracked object; without one a name is made once and kept in the state directory.")
    ]
}

extension AgentConfiguration {
    /// Adds the sinks that a run without a configuration has.
    mutating func addUnaskedSinks(of program: Agent = .current) {
        for plugin in program.plugins.sinks {
            guard let settings = plugin.unasked?(store.path) else { continue }
            var sink = SinkConfiguration(name: SinkID(rawValue: plugin.type), kind: settings)
            if let threshold = settings.defaultSyncThreshold { sink.sync.syncThreshold = threshold }
            sinks.append(sink)
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
        configuration.sinks = SinkConfiguration.decode(&root, program.plugins.sinks, delivery)
        configuration.control.socket = "\(configuration.store.path)/\(program.name).sock"
        Field.table("control", \.control, ControlSettings.fields).read(&root, &configuration)
        Field.table("log", \.log, LogSettings.fields).read(&root, &configuration)
        root.reportUnknownKeys(elsewhere: sections)
        return configuration
    }

    /// The keys of the sections, in lower case, for those that were given outside of theirs.
    private static var sections: [String: String] {
        let keys = [
            "device": DeviceSettings.fields.map(\.name),
            "tracking": RecordingConfiguration.fields.map(\.name) + DeliveryDefaults.keysOfSinks,
            "events": EventSettings.fields.map(\.name),
            "profiles": ProfileSettings.fields.map(\.name), "wifi": WifiSettings.fields.map(\.name),
            "store": [StoreConfiguration.pathField.name] + RetentionConfiguration.fields.map(\.name),
            "control": ControlSettings.fields.map(\.name), "log": LogSettings.fields.map(\.name),
        ]
        let pairs = keys.flatMap { section, names in names.map { ($0.lowercased(), section) } }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Every value, for printing and comparing.
    var shown: Shown {
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

    /// Every value as YAML, secrets masked as `***`, which reads back to the same configuration but for those.
    package var effectiveYAML: String { shown.yaml }

    /// Where every secret of the configuration is kept, under its key.
    package var secrets: [(key: String, reference: SecretReference)] {
        shown.leaves().compactMap { key, value in
            guard case .secret(let reference) = value else { return nil }
            return (key, reference)
        }
    }
}
