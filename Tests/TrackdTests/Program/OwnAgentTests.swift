import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineHTTP
import TrackEngineServer
import TrackEngineSettings

/// A program of somebody else's, with a source of its own beside those that come with the engine.
@Suite struct OwnAgentTests {
    /// `type: beacon`: one fix.
    struct BeaconSettings: SourceSettings {
        static let type = "beacon"
        static let fields: [Field<Self>] = [
            .integer("channel", \.channel, 1...16).meaning("The radio channel on which the buoy sends."),
            .text("note", \.note),
        ]

        var channel = 1
        var note: String?

        mutating func check(_ table: inout TableDecoder) {
            if channel == 13 { table.reject("channel", nil, "a channel that is not reserved") }
        }

        func makeSources(named name: SourceID, _ context: PluginContext) -> [any FixSource] { [Beacon(id: name)] }
    }

    struct Beacon: FixSource {
        let id: SourceID

        func run(_ output: FixOutput) async throws {}
    }

    /// `type: shelf`: a store of somebody else's.
    struct ShelfSettings: StoreSettings {
        enum Place: String, CaseIterable { case memory, files, elsewhere }

        static let type = "shelf"
        static let fields: [Field<Self>] = [.choice("place", \.place)]

        var place = Place.memory

        func site(in directory: String) -> StoreLocation {
            switch place {
            case .memory: StoreLocation(.memory)
            case .files: StoreLocation(.files([directory + "/shelf"]))
            case .elsewhere: StoreLocation(.elsewhere)
            }
        }

        func openStore(in directory: String, logger: Logger) async throws(StoreError) -> any FixStore {
            InMemoryFixStore()
        }
    }

    private let program = Agent(name: "sea-buoy", plugins: .standard + [SourcePlugin(BeaconSettings.self)])

    private func load(
        _ yaml: String, options: [String] = [], environment: [String: String] = [:]
    ) throws(AgentConfigurationError) -> AgentConfiguration {
        let loader = ConfigurationReader(
            options: options, environment: environment, stateDirectory: "/state", program: program)
        return try loader.decode(.init(name: "buoy.yaml", bytes: Array(yaml.utf8), isPrivate: true))
    }

    @Test func `a configuration names the source, and it is read and shown like any other`() throws {
        let configuration = try load("sources: [{type: beacon, channel: 7}, {type: gpsd}]")
        guard case .listed(let sources) = configuration.sources else {
            Issue.record("no list of sources")
            return
        }
        #expect(sources.map(\.name) == ["beacon", "gpsd"])
        #expect((sources.first?.kind as? BeaconSettings)?.channel == 7)
        #expect(configuration.effectiveYAML.contains("channel: 7"))
    }

    @Test(arguments: [
        ("sources: [{type: beacon, channel: 17}]", "sources.beacon.channel"),
        ("sources: [{type: beacon, chanel: 7}]", "sources.beacon.chanel"),
        ("sources: [{type: beacon, channel: 13}]", "sources.beacon.channel"),
        ("sources: [{type: becon}]", "sources.becon.type"),
    ])
    func `the reader is as strict with it as with those of the engine`(_ yaml: String, _ key: String) {
        do throws(AgentConfigurationError) {
            _ = try load(yaml)
            Issue.record("\(yaml) was taken")
        } catch {
            expectMessages(error.problems.map(\.description), begin: ["buoy.yaml:1: \(key)"], as: yaml)
        }
    }

    @Test func `the program's name stands in variables, socket and state directory`() throws {
        let variables = ["SEA_BUOY_SOURCES_0_CHANNEL": "9", "TRACKD_SOURCES_0_CHANNEL": "5"]
        let configuration = try load("sources: [{type: beacon}]", environment: variables)
        guard case .listed(let sources) = configuration.sources else {
            Issue.record("no list of sources")
            return
        }
        #expect((sources.first?.kind as? BeaconSettings)?.channel == 9)
        #expect(configuration.control.socket == "/state/sea-buoy.sock")
        let directory = ConfigurationReader(environment: ["HOME": "/home/a"], program: program).stateDirectory
        #expect(directory.hasSuffix("/sea-buoy"))
    }

    @Test func `an export opens a store of somebody else's unless its records are gone with the agent`() async throws {
        let program = Agent(name: "sea-buoy", plugins: .standard + [StorePlugin(ShelfSettings.self)])
        func mayHoldRecords(_ place: ShelfSettings.Place, in folder: String) throws -> Bool {
            let loader = ConfigurationReader(environment: [:], stateDirectory: folder, program: program)
            let yaml = "store: {type: shelf, place: \(place.rawValue)}"
            return try loader.decode(.init(name: "buoy.yaml", bytes: Array(yaml.utf8), isPrivate: true)).store
                .mayHoldRecords
        }
        try await TestEnvironment.withTemporaryDirectory { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/shelf"))
            for (place, isThere, isMissing) in [
                (ShelfSettings.Place.memory, false, false), (.files, true, false), (.elsewhere, true, true),
            ] {
                let answers = (try mayHoldRecords(place, in: folder), try mayHoldRecords(place, in: folder + "/none"))
                #expect(answers == (isThere, isMissing), "\(place)")
            }
        }
    }

    @Test func `trackd does not know it`() {
        let trackd = ConfigurationReader(environment: [:], stateDirectory: "/state")
        #expect(throws: AgentConfigurationError.self) {
            try trackd.decode(.init(name: "a.yaml", bytes: Array("sources: [{type: beacon}]".utf8), isPrivate: true))
        }
    }

    @Test func `keys that CalmGeo has in one table reach the sinks that have them, unless these say otherwise`() throws
    {
        let configuration = try load(
            """
            tracking: {httpTimeout: 2000, method: PUT}
            sinks:
            - {type: overland, url: "https://a.example/", httpTimeout: 3000}
            - {type: overland, name: other, url: "https://b.example/"}
            - {type: mqtt, url: "mqtts://c.example"}
            """)
        let shown = configuration.effectiveYAML
        #expect(shown.contains("httpTimeout: 3000") && shown.contains("httpTimeout: 2000"))
        #expect(shown.components(of: "method: PUT") == 2)
    }

    @Test func `what a sink lacks is reported where the sink stands, not where it inherits from`() {
        do throws(AgentConfigurationError) {
            _ = try load("tracking: {httpTimeout: 2000}\n\nsinks:\n- {type: overland, token: abc}\n")
            Issue.record("a sink without an address was taken")
        } catch {
            #expect(error.problems.map(\.origin) == [.file(name: "buoy.yaml", line: 4)], "\(error)")
        }
    }

    @Test func `the reference has the keys of its source beside the others`() {
        let reference = ConfigurationReference.packaged(program)
        let expected = KeyDescription(
            key: "sources.beacon.channel", meaning: "The radio channel on which the buoy sends.", kind: .wholeNumber,
            expectation: "1 to 16", defaultValue: .word("1"))
        #expect(reference.keys(matching: "sources.beacon.channel") == [expected])
        #expect(reference.keys(matching: "store.path").first?.defaultValue == .text("/var/lib/sea-buoy"))
        #expect(reference.manualPage.contains("SEA_BUOY_TRACKING_DISTANCEFILTER"))
    }

    @Test func `what it prints and writes bears its name`() throws {
        try Agent.$current.withValue(program) {
            for help in [CommandText.text(of: "check"), CommandText.text(of: "tune")] {
                #expect(help.contains("`sea-buoy run`") && !help.contains("trackd"))
            }
            let link = try Agent.current.plugins.setupLink("overland://setup?url=https%3A%2F%2Fx.example%2F")
            let plan = try SetupPlan(
                link: link.link, type: link.type, existing: [], path: "/tmp/buoy.yaml", SetupPlan.Options())
            let text = String(decoding: plan.configuration, as: UTF8.self)
            #expect(text.contains("begun by `sea-buoy setup`") && !text.contains("trackd"))
        }
    }

    @Test func `a command of a plugin is in programs with such a plugin alone`() {
        func commands(_ plugins: AgentPlugins) -> [String] {
            Agent.$current.withValue(Agent(name: "sea-buoy", plugins: plugins)) {
                ["run", "device", "viewer", "follow", "miataru"].filter { !CommandText.text(of: $0).isEmpty }
            }
        }
        #expect(commands(.standard) == ["run", "device", "viewer", "follow", "miataru"])
        #expect(commands(AgentPlugins() + [SourcePlugin(BeaconSettings.self)]) == ["run"])
        #expect(commands(AgentPlugins() + [ServerSink.plugin]) == ["run", "device", "viewer"])
        #expect(commands(AgentPlugins() + [MiataruSink.plugin]) == ["run", "miataru"])
        #expect(commands(AgentPlugins() + [MiataruSource.plugin]) == ["run", "follow"])
    }

    @Test func `a message names the variables of this program`() {
        let loader = ConfigurationReader(environment: [:], stateDirectory: "/state", program: program)
        let yaml = "sinks: [{type: overland, url: 'https://x/?token=abc'}]"
        let error = #expect(throws: AgentConfigurationError.self) {
            try loader.decode(.init(name: "buoy.yaml", bytes: Array(yaml.utf8), isPrivate: false))
        }
        #expect(error?.problems.first?.description.contains("SEA_BUOY_SINKS_…_URL") == true)
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { split(separator: text).count - 1 }
}
