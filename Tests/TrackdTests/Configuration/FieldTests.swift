import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSQLite
import TrackEngineSettings

/// Single values, their forms and their bounds.
@Suite struct FieldTests {
    @Test(arguments: [
        ("best", DesiredAccuracy.best), ("bestForNavigation", .bestForNavigation), ("-1", .best),
        ("-2", .bestForNavigation),
        ("10", .tenMeters), ("100.0", .hundredMeters), ("kilometer", .kilometer), ("3000", .threeKilometers),
    ])
    func `the desired accuracy is a name or a number`(_ text: String, _ expected: DesiredAccuracy) throws {
        #expect(try Given.configuration("tracking: {desiredAccuracy: \(text)}").tracking.desiredAccuracy == expected)
    }

    @Test(
        arguments: [
            ("0", 0), ("1048576", 1_048_576), ("100MB", 100_000_000), ("64 MiB", 67_108_864), ("2GiB", 2_147_483_648),
            ("\"3 TB\"", 3_000_000_000_000),
        ] as [(String, Int64)])
    func `sizes are numbers or carry a unit`(_ text: String, _ expected: Int64) throws {
        #expect(try Given.configuration("store: {maxBytes: \(text)}").store.retention.maxBytes == expected)
    }

    @Test(arguments: ["-1", "1", "1.5MB", "MB", "12mb", "99999999999999999999", "9999999TB", "1 2"])
    func `other sizes are refused`(_ text: String) {
        #expect(Given.problems("store: {maxBytes: \(text)}").count == 1)
    }

    @Test(
        arguments: [
            ("900", 900), ("900s", 900), ("15m", 900), ("\"15m\"", 900), ("1.5h", 5400), ("7d", 604_800), ("1e1", 10),
        ] as [(String, Int64)])
    func `times are seconds or carry a unit`(_ text: String, _ expected: Int64) throws {
        let events = try Given.configuration("events: {heartbeat: \(text)}").events
        #expect(events.detected.heartbeat == .seconds(expected))
    }

    @Test(arguments: [
        "15M", "15 m", "15min", "m", "1h30m", "-15m", "8d", "9s", "1e1m", "9999999999999999999999d", "\"900\"",
    ])
    func `other times are refused`(_ text: String) {
        #expect(Given.problems("events: {heartbeat: \(text)}").count == 1)
    }

    @Test func `a store is of the type that is named, else SQLite's`() throws {
        #expect(try Given.configuration("store: {commitInterval: 5}").store.kind is SQLiteSettings)
        #expect(try Given.configuration("store: {type: sqlite}") == Given.configuration("{}"))
        let memory = try Given.configuration("store: {type: memory, capacity: 10, maxRecords: 5}").store
        #expect((memory.kind as? MemoryStoreSettings)?.capacity == 10)
        #expect(memory.retention.maxRecords == 5 && !memory.kind.cautions.isEmpty)
        #expect(
            Given.problems("store: {type: memory, commitInterval: 5}").map { $0.prefix { $0 != "=" } } == [
                "trackd.yaml:1: store.commitInterval "
            ])
        expectMessages(Given.problems("store: {type: sqlit, capacity: 5}"), begin: ["trackd.yaml:1: store.type"])
    }

    @Test(arguments: ["1", "10", "0.01", "100000"])
    func `a replay's speed is a number`(_ text: String) throws {
        let configuration = try Given.configuration("sources: [{type: replay, path: a, speed: \(text)}]")
        guard case .listed(let sources) = configuration.sources,
            let replay = sources.first?.kind as? ReplaySettings, case .times(let factor) = replay.speed
        else {
            Issue.record("no replay at a number's speed")
            return
        }
        #expect(factor == Double(text))
    }

    @Test(arguments: ["2024-02-29", "'2024-02-29'", "20240229", "290224"])
    func `a replay's date is a day in one of three forms`(_ text: String) throws {
        let configuration = try Given.configuration("sources: [{type: replay, path: a, date: \(text)}]")
        guard case .listed(let sources) = configuration.sources, let replay = sources.first?.kind as? ReplaySettings
        else {
            Issue.record("no replay")
            return
        }
        #expect(replay.date == Timestamp("2024-02-29T00:00:00Z"))
    }

    @Test(arguments: ["2026-02-29", "310426", "001326", "2026-3-1", "1979-12-31", "today", "1", "2026-03-01T10:00:00Z"])
    func `other dates are refused with what was expected`(_ text: String) {
        expectMessages(
            Given.problems("sources: [{type: replay, path: a, date: \(text)}]"),
            begin: ["trackd.yaml:1: sources.replay.date"], as: "date \(text)")
    }

    @Test(arguments: ["0", "-1", "1e-320", "1e-25", "0.009", "100001", "fast", "inf", "nan", "0x10"])
    func `other speeds are refused`(_ text: String) {
        #expect(Given.problems("sources: [{type: replay, path: a, speed: \(text)}]").count == 1)
    }

    @Test func `a recorded file may be of every format that can be read`() throws {
        for format in ReplayFormat.allCases {
            #expect(Given.problems("sources: [{type: replay, path: a, format: \(format.name)}]") == [])
        }
    }

    @Test func `seconds may have fractions`() throws {
        let tracking = try Given.configuration("tracking: {flushTimeout: 0.25, stillAfter: 1e1}").tracking
        #expect(tracking.flushTimeout == .milliseconds(250))
        #expect(tracking.stillAfter == .seconds(10))
    }

    @Test func `a name made of digits stays a text`() throws {
        #expect(try Given.configuration("device: {id: 007}").device.id == "007")
    }

    @Test(arguments: [
        "http://localhost:8080/api", "http://127.0.0.1", "http://127.8.9.10/x", "http://[::1]:80/",
        "https://example.org",
        "HTTPS://Example.org/a?b=c", "https://xn--bcher-kva.example:8443/ts/",
    ])
    func `addresses that keep positions private need no permission`(_ url: String) {
        #expect(Given.problems("sinks: [{type: overland, url: \"\(url)\"}]") == [])
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org", "https://", "https:///a", "https://a b", "https://a\\u00e4",
        "https://a:0",
        "https://a:65536", "https://a:b", "https://u:p@a", "https://a#b", "https://[::1", "https://[a]", "https:/a",
        "mqtts://example.org",
    ])
    func `other addresses are refused`(_ url: String) {
        #expect(Given.problems("sinks: [{type: overland, url: \"\(url)\", allowInsecure: true}]").count == 1)
    }

    @Test(arguments: [
        "127.0.0.1.5", "127.1", "localhost.example.org", "126.0.0.1", "0.0.0.0", "[::2]", "[::ffff:127.0.0.1]",
        "127.0.0.256",
    ])
    func `what only looks like this machine needs https`(_ host: String) {
        #expect(Given.problems("sinks: [{type: overland, url: \"http://\(host)/\"}]").count == 1)
    }

    @Test func `allowInsecure permits http to other machines`() {
        #expect(Given.problems("sinks: [{type: overland, url: 'http://example.org', allowInsecure: true}]") == [])
    }

    @Test(arguments: ["Host", "content-length", "X Y", "X:Y", "\"\"", "ä"])
    func `headers that a request cannot carry are refused`(_ name: String) {
        #expect(
            Given.problems(
                "sinks: [{type: overland, url: 'https://x', headers: {\(name.contains(":") ? "'\(name)'" : name): v}}]"
            ).count == 1)
    }

    @Test func `a header given twice in different case is refused`() {
        #expect(Given.problems("sinks: [{type: overland, url: 'https://x', headers: {X-A: 1, x-a: 2}}]").count == 1)
    }

    /// The bounds stand in the core, which refuses values from everywhere; the agent, which names lines, reads them there.
    /// For each key: the agent takes the value exactly if the core does.
    @Test(arguments: [
        ("distanceFilter", "-1"), ("distanceFilter", "0"), ("distanceFilter", "100000"), ("distanceFilter", "100001"),
        ("speedMultiplier", "-0.1"), ("speedMultiplier", "0"), ("speedMultiplier", "1000"),
        ("speedMultiplier", "1000.1"),
        ("stationaryRadius", "0"), ("stationaryRadius", "0.001"), ("stationaryRadius", "100000"),
        ("stationaryRadius", "100001"), ("minimumAccuracy", "0"), ("minimumAccuracy", "100000"),
        ("minimumAccuracy", "100001"), ("maximumSpeed", "0"), ("maximumSpeed", "100000"), ("maximumSpeed", "100001"),
        ("stillAfter", "-1"), ("stillAfter", "86401"), ("standbyAfter", "-1"), ("standbyAfter", "86400"),
        ("standbyAfter", "86401"), ("standbyInterval", "0"), ("standbyInterval", "1"), ("standbyInterval", "3600"),
        ("standbyInterval", "3601"), ("maximumAge", "0"), ("maximumAge", "1"), ("maximumAge", "86400"),
        ("maximumAge", "86401"), ("maximumLead", "0"), ("maximumLead", "86400"), ("maximumLead", "86401"),
        ("flushTimeout", "-1"), ("flushTimeout", "600"), ("flushTimeout", "601"), ("requiredMotionDuration", "-1"),
        ("requiredMotionDuration", "3600"), ("requiredMotionDuration", "3601"), ("accuracyGain", "0"),
        ("accuracyGain", "100000"), ("accuracyGain", "100001"), ("maximumSpeedWithin", "0"),
        ("maximumSpeedWithin", "0.1"), ("maximumSpeedWithin", "86401"), ("trustedSpeed", "0"),
        ("trustedSpeed", "100000"), ("maximumJump", "0"), ("maximumJump", "1000000"), ("maximumJump", "1000001"),
        ("maximumJumpAfter", "0"), ("maximumJumpAfter", "86400"), ("maximumJumpAfter", "86401"),
    ])
    func `bounds agree with the core's`(_ key: String, _ value: String) throws {
        let number = try #require(Double(value))
        var core = RecordingConfiguration()
        switch key {
        case "distanceFilter": core.distanceFilter = Int(number)
        case "speedMultiplier": core.speedMultiplier = number
        case "stationaryRadius": core.stationaryRadius = number
        case "minimumAccuracy": core.minimumAccuracy = number
        case "maximumSpeed": core.maximumSpeed = number
        case "stillAfter": core.stillAfter = .seconds(number)
        case "standbyAfter": core.standbyAfter = .seconds(number)
        case "standbyInterval": core.standbyInterval = .seconds(number)
        case "maximumAge": core.maximumAge = .seconds(number)
        case "maximumLead": core.maximumLead = .seconds(number)
        case "flushTimeout": core.flushTimeout = .seconds(number)
        case "requiredMotionDuration": core.requiredMotionDuration = .seconds(number)
        case "accuracyGain": core.accuracyGain = number
        case "maximumSpeedWithin": core.maximumSpeedWithin = .seconds(number)
        case "trustedSpeed": core.trustedSpeed = number
        case "maximumJump": core.maximumJump = number
        case "maximumJumpAfter": core.maximumJumpAfter = .seconds(number)
        default: Issue.record("\(key) is not in this test's table")
        }
        let isRightForCore = (try? core.validated()) != nil  // only whether it throws matters
        #expect(Given.problems("tracking: {\(key): \(value)}").isEmpty == isRightForCore)
    }

    /// CalmGeo's keys about delivery stand in `tracking` too, and at the sink or store that they are for.
    @Test(arguments: [
        ("syncThreshold", [0, 1, 1_000_000, 1_000_001]), ("maxBatchSize", [0, 1, 10_000, 10_001]),
        ("maxDaysToPersist", [0, 1, 36_500, 36_501]), ("httpTimeout", [99, 100, 600_000, 600_001]),
    ])
    func `bounds of keys about delivery agree with the core's, wherever they stand`(_ key: String, _ values: [Int]) {
        for value in values {
            var core = CalmGeoConfiguration()
            switch key {
            case "syncThreshold": core.syncThreshold = value
            case "maxBatchSize": core.maxBatchSize = value
            case "maxDaysToPersist": core.maxDaysToPersist = UInt32(value)
            case "httpTimeout": core.httpTimeout = value
            default: Issue.record("\(key) is not in this test's table")
            }
            let isRightForCore = (try? core.validated()) != nil  // only whether it throws matters
            #expect(Given.problems("tracking: {\(key): \(value)}").isEmpty == isRightForCore)
            let place =
                key == "maxDaysToPersist"
                ? "store: {\(key): \(value)}" : "sinks: [{type: overland, url: 'https://x.example', \(key): \(value)}]"
            #expect(Given.problems(place).isEmpty == isRightForCore)
        }
    }
}
