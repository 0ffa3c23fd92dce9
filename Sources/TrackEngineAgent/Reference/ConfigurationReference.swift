import TrackEngine
package import TrackEngineSettings

/// Every key that a configuration of a program can have, with its meaning, its values and its default.
///
/// It is made from the fields that read the configuration, so it cannot differ from them. `trackd explain` prints it;
/// the page of the documentation and the manual page are generated from it.
package struct ConfigurationReference: Sendable {
    /// The sections, in the order of the file.
    package let sections: [Group]
    /// The program that the configuration is for.
    let program: Agent

    /// A section of the configuration, or the keys of one type of source or sink.
    package struct Group: Sendable {
        /// The title of the section: `tracking`, `sinks of type overland`.
        package let title: String
        /// Its subject in one sentence.
        package let summary: String
        /// The keys with their full names, such as `sinks.overland.url`; `*` is the name of any element.
        package let keys: [KeyDescription]
        /// The type that the keys belong to; `nil` for keys that do not depend on a type.
        var type: String?
    }

    /// The reference of a program that has its state in a directory.
    package init(program: Agent, stateDirectory: String) {
        self.program = program
        let defaults = AgentConfiguration(stateDirectory: stateDirectory, program: program)
        sections =
            [
                Group("device", "The object that is tracked.", DeviceSettings.fields, defaults.device),
                .sources(program.plugins.sources),
            ] + program.plugins.sources.map { Group("sources", $0.settings) } + [
                Group("tracking", Self.trackingSummary, RecordingConfiguration.fields, defaults.tracking),
                Group(
                    "events", "Events that are found in the track, and areas in which positions are private.",
                    EventSettings.fields, defaults.events),
                Group("profiles", Self.profilesSummary, ProfileSettings.fields, defaults.profiles),
                Group("wifi", Self.wifiSummary, WifiSettings.fields, defaults.wifi),
                .store(program.plugins, defaults.store),
            ] + program.plugins.stores.map { Group(store: $0.settings) } + [
                .sinks(program.plugins.sinks)
            ] + program.plugins.sinks.map { Group("sinks", $0.settings) } + [
                Group("control", "How commands reach the running agent.", ControlSettings.fields, defaults.control),
                Group("log", "The messages of the log.", LogSettings.fields, defaults.log),
            ]
    }

    private static let trackingSummary =
        "Which fixes are recorded, and when. CalmGeo's keys about delivery are allowed here too, as the defaults of the "
        + "store and of all sinks: maxDaysToPersist, autoSync, syncThreshold, maxBatchSize, httpTimeout and method."

    private static let profilesSummary =
        "When more or less is recorded than tracking sets, and how much; a place has tracking of its own in "
        + "events.places. off wins over all, then below of power, trips, places, onMains, and the schedule."

    private static let wifiSummary =
        "Recording of the machine's wireless network, and positions that follow from it."

    /// Every key of every section.
    package var keys: [KeyDescription] { sections.flatMap(\.keys) }
}

// MARK: Sections

extension ConfigurationReference.Group {
    init<Settings>(_ name: String, _ summary: String, _ fields: [Field<Settings>], _ defaults: Settings) {
        self.init(
            title: name, summary: summary,
            keys: fields.flatMap { $0.description(in: defaults).flattened(under: name) })
    }

    /// The keys of one type of source or sink.
    fileprivate init(_ list: String, _ settings: any PluginSettings.Type) {
        self.init(
            title: "\(list) of type \(settings.type)", summary: settings.summary,
            keys: settings.keys.flatMap { $0.flattened(under: "\(list).\(settings.type)") }, type: settings.type)
    }

    fileprivate static func sources(_ plugins: [SourcePlugin]) -> Self {
        let list = KeyDescription(
            key: "sources",
            meaning: "Where fixes come from; automatic takes the first of the program's own choice that is there.",
            kind: .list, expectation: "automatic, or a list of sources", defaultValue: .text("automatic"))
        return Self(
            title: "sources", summary: "Where fixes come from. Every source has these keys, and those of its type.",
            keys: [list] + element(of: "sources", plugins.map(\.type)))
    }

    /// The keys of one type of store.
    fileprivate init(store settings: any StoreSettings.Type) {
        self.init(
            title: "store of type \(settings.type)", summary: settings.summary,
            keys: settings.keys.flatMap { $0.flattened(under: "store") }, type: settings.type)
    }

    fileprivate static func store(_ plugins: AgentPlugins, _ defaults: StoreConfiguration) -> Self {
        let type = KeyDescription(
            key: "type", meaning: "The type of the store, which decides the other keys.", kind: .word,
            expectation: plugins.stores.map(\.type).inWords, defaultValue: .text(plugins.defaultStore.type))
        let keys =
            [type, StoreConfiguration.pathField.description(in: defaults)]
            + RetentionConfiguration.fields.map { $0.description(in: defaults.retention) }
        return Self(
            title: "store", summary: "Where records wait until they are delivered. Every store has these keys.",
            keys: keys.flatMap { $0.flattened(under: "store") })
    }

    fileprivate static func sinks(_ plugins: [SinkPlugin]) -> Self {
        let list = KeyDescription(
            key: "sinks", meaning: "Where records are delivered; without any the store is their destination.",
            kind: .list, expectation: "a list of sinks", defaultValue: .list([]))
        let common = SyncConfiguration.fields.flatMap {
            $0.description(in: SyncConfiguration()).flattened(under: "sinks.*")
        }
        return Self(
            title: "sinks", summary: "Where records are delivered. Every sink has these keys, and those of its type.",
            keys: [list] + element(of: "sinks", plugins.map(\.type)) + common)
    }

    /// The two keys that identify the elements of a list.
    private static func element(of list: String, _ types: [String]) -> [KeyDescription] {
        [
            KeyDescription(
                key: "\(list).*.type", meaning: "The type, which decides the other keys.", kind: .word,
                expectation: types.inWords),
            KeyDescription(
                key: "\(list).*.name",
                meaning: "The name in messages and in the store; without one the type, with a number for a second one.",
                kind: .text, expectation: TextRule.name.expectation, defaultValue: .word("the type")),
        ]
    }
}
