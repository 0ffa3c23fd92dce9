import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineSimulated

/// File below environment below `--set`.
@Suite struct LayeringTests {
    @Test func `the environment lies above the file and --set above both`() throws {
        let yaml = "tracking: {distanceFilter: 1, stillAfter: 1, standbyAfter: 0, speedMultiplier: 1}"
        let environment = ["TRACKD_TRACKING_DISTANCEFILTER": "2", "TRACKD_TRACKING_STILLAFTER": "2"]
        let configuration = try Given.configuration(
            yaml, environment: environment, options: ["tracking.distanceFilter=3", "tracking.distanceFilter=4"])
        #expect(configuration.tracking.distanceFilter == 4)
        #expect(configuration.tracking.stillAfter == .seconds(2))
        #expect(configuration.tracking.speedMultiplier == 1)
    }

    @Test func `variables are keys with underscores, whatever their case`() throws {
        let environment = [
            "TRACKD_DEVICE_ID": "van 7", "TRACKD_SINKS_BACKOFF": "", "TRACKD_Log_Level": "debug", "PATH": "/bin",
        ].filter { $0.value != "" }
        let configuration = try Given.configuration("", environment: environment)
        #expect(configuration.device.id == "van 7")
        #expect(configuration.log.level == .debug)
    }

    @Test func `elements are changed by place and by name`() throws {
        let yaml = """
            sinks:
              - {type: overland, name: home, url: "https://a.example"}
              - {type: overland, name: Work, url: "https://b.example"}
            """
        let configuration = try Given.configuration(
            yaml, environment: ["TRACKD_SINKS_0_SYNCTHRESHOLD": "3", "TRACKD_SINKS_WORK_BACKOFF_MAXIMUM": "9"],
            options: ["sinks.home.url=https://c.example", "sinks.1.maxBatchSize=7"])
        #expect(configuration.sinks.map(\.sync.syncThreshold) == [3, 12])
        #expect(configuration.sinks.map(\.sync.backoff.maximum) == [.seconds(600), .seconds(9)])
        #expect(configuration.sinks.map(\.sync.maxBatchSize) == [250, 7])
        #expect((configuration.sinks[0].kind as? OverlandSettings)?.configuration.url == "https://c.example")
    }

    @Test func `the environment alone can make a sink`() throws {
        let configuration = try Given.configuration(
            "",
            environment: [
                "TRACKD_SINKS_0_TYPE": "overland", "TRACKD_SINKS_0_URL": "https://a.example/?token=t",
                "TRACKD_SINKS_0_TOKEN": "secret",
            ])
        let sink = try #require(Given.overlandSink(of: configuration))
        #expect(sink.configuration.url == "https://a.example/?token=t")
        #expect(sink.token == .literal(Secret("secret")))
        #expect(configuration.sinks[0].name == "overland")
    }

    private func seed(_ options: [String]) throws -> UInt64? {
        let configuration = try Given.configuration("sources: automatic", options: options)
        guard case .listed(let sources) = configuration.sources else { return nil }
        return (sources.first?.kind as? SimulatedSettings)?.seed
    }

    @Test func `a value in brackets is read as YAML, and later options change it`() throws {
        #expect(try seed(["sources=[{type: simulated, seed: 5}]"]) == 5)
        #expect(try seed(["sources=[{type: simulated, seed: 5}]", "sources.0.seed=9"]) == 9)
    }

    @Test func `a list replaces what earlier options said of its elements`() throws {
        #expect(try seed(["sources.0.seed=9", "sources=[{type: simulated, seed: 5}]"]) == 5)
    }

    @Test func `a secret above replaces the one below as a whole`() throws {
        let yaml = "sinks: [{type: overland, url: 'https://x', token: {env: A}}]"
        let configuration = try Given.configuration(
            yaml, options: ["sinks.overland.token.file=/run/token", "sinks.0.token.file=/u"])
        #expect(Given.overlandSink(of: configuration)?.token == .file("/u"))
    }

    @Test func `null above switches an optional value off`() throws {
        let configuration = try Given.configuration(
            "tracking: {maximumSpeed: 60}", options: ["tracking.maximumSpeed=null"])
        #expect(configuration.tracking.maximumSpeed == nil)
    }

    @Test func `unknown variables and options are problems`() {
        let problems = Given.problems(
            "", environment: ["TRACKD_TRACKING_DISTANCEFITLER": "5", "TRACKD_CONFIG": "x", "TRACKD_": "x"],
            options: ["tracking.stilAfter=3", "sinks.home.url=https://x", "nonsense"])
        expectMessages(
            problems,
            begin: [
                "TRACKD_", "TRACKD_TRACKING_DISTANCEFITLER: tracking.distancefitler", "--set",
                "--set: tracking.stilAfter", "--set: sinks.home",
            ])
    }

    @Test func `an option for a sink that is not there is told which ones are`() {
        let sinks = """
            sinks:
              - {type: overland, name: home, url: "https://a.example/"}
              - {type: overland, url: "https://b.example/"}
            """
        expectMessages(Given.problems(sinks, options: ["sinks.homes.url=https://x"]), begin: ["--set: sinks.homes"])
    }

    @Test func `what is wrong with several options in one way is told once`() {
        #expect(Given.problems("", options: ["sinks.2.type=overland", "sinks.2.url=https://y"]).count == 1)
    }

    @Test(arguments: ["sinks", "sources"])
    func `nothing above a list is no list`(_ key: String) throws {
        let file = "sinks: [{type: overland, url: 'https://x'}]\nsources: [{type: gpsd}]"
        let variable = "TRACKD_\(key.uppercased())"
        for problems in [
            Given.problems(file, options: ["\(key)="]), Given.problems(file, environment: [variable: "null"]),
        ] {
            #expect(problems.count == 1)
            #expect(problems.first?.contains("\(key) = null: expected ") == true, "\(problems)")
        }
        #expect(try Given.configuration(file, options: ["\(key)=[]"]).effectiveYAML.contains("\(key): []"))
    }

    @Test func `a variable that cuts a key in two, or leaves its section out, is told the key`() {
        let problems = Given.problems(
            "", environment: ["TRACKD_TRACKING_DISTANCE_FILTER": "5", "TRACKD_MAXBYTES": "5"])
        expectMessages(
            problems, begin: ["TRACKD_TRACKING_DISTANCE_FILTER: tracking.distance", "TRACKD_MAXBYTES: maxbytes"])
    }

    @Test func `a wrong value names the variable that gave it`() {
        expectMessages(
            Given.problems("log: {level: info}", environment: ["TRACKD_LOG_LEVEL": "loud"]),
            begin: ["TRACKD_LOG_LEVEL: log.level"])
    }

    @Test func `JSON is read like YAML`() throws {
        let json = #"{"device": {"id": "van-7"}, "tracking": {"distanceFilter": 5, "minimumAccuracy": null}}"#
        let configuration = try Given.configuration(json)
        #expect(configuration.device.id == "van-7")
        #expect(configuration.tracking.distanceFilter == 5)
        #expect(Given.problems("{\n\t\"log\": {\n\t\t\"level\": 5}}").count == 1)
    }

    @Test func `CalmGeo's delivery keys in tracking hold for sinks and store that say nothing`() throws {
        let configuration = try Given.configuration(
            """
            tracking: {autoSync: false, syncThreshold: 3, maxBatchSize: 4, httpTimeout: 500, method: PUT,
                       maxDaysToPersist: 1}
            sinks:
              - {type: overland, url: "https://a.example"}
              - {type: overland, url: "https://b.example", autoSync: true, httpTimeout: 700}
            """)
        #expect(configuration.sinks.map(\.name) == ["overland", "overland-2"])
        #expect(configuration.sinks.map(\.sync.autoSync) == [false, true])
        #expect(configuration.sinks.map(\.sync.syncThreshold) == [3, 3])
        let timeouts = configuration.sinks.compactMap { ($0.kind as? OverlandSettings)?.configuration.httpTimeout }
        #expect(timeouts == [.milliseconds(500), .milliseconds(700)])
        #expect(configuration.store.retention.maxDaysToPersist == 1)
    }

    @Test func `a sink sends by itself unless the file says otherwise`() throws {
        let configuration = try Given.configuration("sinks: [{type: overland, url: 'https://x'}]")
        #expect(configuration.sinks.map(\.sync.autoSync) == [true])
    }
}
