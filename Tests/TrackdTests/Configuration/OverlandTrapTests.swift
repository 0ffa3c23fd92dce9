import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// What a receiver's address gives away, and what must not stand in one.
@Suite struct OverlandTrapTests {
    /// What is said of a sink, and of a recording that suits incognita.
    private func cautions(
        _ path: String, _ keys: String = "", tracking: String = "maximumThreshold: 100, minimumAccuracy: 200"
    ) throws -> [String] {
        let yaml = "tracking: {\(tracking)}\nsinks: [{type: overland, url: 'https://x.example\(path)'\(keys)}]"
        return try Given.configuration(yaml).cautions(sourceCount: 1).map(\.text)
    }

    @Test func `Wayfinder is told by its path, and so is the preset that helps`() throws {
        let all = try cautions("/api/wayfinder/overland")
        #expect(all.map { String($0.prefix { $0 != " " }) } == ["url", "integerSpeed", "battery"])
        #expect(all.allSatisfy { $0.hasSuffix("; preset: wayfinder helps") }, "\(all)")
        #expect(try cautions("/api/wayfinder/overland/", ", integerSpeed: true, battery: mains") == [])
        #expect(try cautions("/api/wayfinder/overland", ", preset: wayfinder") == [])
        #expect(try cautions("", ", preset: wayfinder") == [])
    }

    @Test(arguments: [
        ("/api/overland", "geopulse"), ("/dump", "incognita"), ("/api/locations", "overland-ts"),
        ("/submit/abc", "pyoverland"), ("/api/v1/ingest/overland", "reitti"), ("/record.php", "php-tracks-recorder"),
    ])
    func `other traps are told by their paths, with the preset that helps`(_ path: String, _ preset: String) throws {
        let all = try cautions(path)
        #expect(!all.isEmpty && all.allSatisfy { $0.hasSuffix("; preset: \(preset) helps") }, "\(all)")
        #expect(try cautions(path, ", preset: \(preset)") == [])
    }

    @Test(arguments: ["/api/v1/overland/batches", "/in", "/t/TOKEN/api/overland", "/t/TOKEN/dump"])
    func `nothing is said of a receiver without traps, nor of a server of ours`(_ path: String) throws {
        #expect(try cautions(path) == [])
    }

    @Test func `a token beside Compass' address is no token there`() throws {
        let token = ", token: {file: /token}"
        #expect(try cautions("/api/input", token).first?.hasSuffix("preset: compass helps") == true)
        #expect(try cautions("/api/input", token + ", preset: compass") == [])
        #expect(try cautions("/api/input?token=a") == [])
    }

    @Test func `a key beside a preset holds, and its consequence is told`() throws {
        let sink = "{type: overland, url: 'https://x.example', preset: wayfinder, integerSpeed: false}"
        let configuration = try Given.configuration("sinks: [\(sink)]")
        let settings = try #require(Given.overlandSink(of: configuration))
        #expect(!settings.configuration.integerSpeed && settings.configuration.unknownBattery == .mains)
        #expect(
            settings.cautions == [
                "integerSpeed = false: Wayfinder replies ok and stores no record with a fraction in its speed"
            ])
    }

    @Test func `incognita's map wants near and exact places, whatever chose it`() throws {
        for sink in [", preset: incognita", ", profile: trace"] {
            let all = try cautions("/dump", sink, tracking: "")
            #expect(
                all.map { String($0.prefix { $0 != " " }) } == [
                    "tracking.maximumThreshold", "tracking.minimumAccuracy",
                ])
            #expect(try cautions("/dump", sink) == [])
        }
    }

    @Test func `PhoneTrack's link for Overland confirms whatever it is sent`() throws {
        let all = try cautions("/apps/phonetrack/log/overland/tok/van", ", battery: mains")
        #expect(all.count == 1 && all[0].contains("type: http with preset: phonetrack"), "\(all)")
    }

    @Test(arguments: OverlandPreset.allCases)
    func `check shows what a preset sets, and it reads as it is shown`(_ preset: OverlandPreset) throws {
        let sink = "{type: overland, url: 'https://x.example/in', preset: \(preset.rawValue)}"  // as behind a proxy
        let configuration = try Given.configuration("sinks: [\(sink)]")
        let shown = configuration.effectiveYAML
        #expect(
            shown.contains("preset: \"\(preset.rawValue)\"") || shown.contains("preset: \(preset.rawValue)"), "\(shown)"
        )
        #expect(try Given.configuration(shown).sinks == configuration.sinks)
        let settings = try #require(Given.overlandSink(of: configuration))
        let made = settings.configuration(device: "van-7", credentials: RequestCredentials())
        #expect(made == OverlandSink.Configuration(url: "https://x.example/in", deviceID: "van-7", preset: preset))
    }

    private static let eventless: [(OverlandPreset, String)] = [
        (.dawarich, "/api/v1/overland/batches?api_key=K"), (.reitti, "/api/v1/ingest/overland"),
        (.geopulse, "/api/overland"), (.phpTracksRecorder, "/record.php"), (.overlandFlask, "/api"),
        (.phonetrack, "/apps/phonetrack/log/overland/tok/van"),
    ]

    @Test(arguments: eventless.indices)
    func `a receiver that knows no events gets none with its preset, and check says so with and without`(
        _ index: Int
    ) throws {
        let (preset, path) = Self.eventless[index]
        func told(_ keys: String) throws -> [String] {
            try cautions(path, keys).filter { $0.hasPrefix("events = ") }
        }
        let events = ", events: [visit, trip, action, heartbeat]"
        let words = "events = [visit, trip, action]: \(preset.rawValue) "
        #expect(
            try told(events) == [words + "keeps each as a position that never was; preset: \(preset.rawValue) helps"])
        let named = ", preset: \(preset.rawValue)"
        #expect(try told(named + events) == [words + "knows no events, none is sent"])
        #expect(try told(named) == [] && told(named + ", events: [heartbeat]") == [])
        func sent(_ keys: String) throws -> RecordKinds {
            let configuration = try Given.configuration(
                "sinks: [{type: overland, url: 'https://x.example\(path)'\(keys)}]")
            let settings = try #require(Given.overlandSink(of: configuration))
            return settings.configuration(device: "van-7", credentials: RequestCredentials()).events
        }
        #expect(try sent(events) == [.visit, .trip, .action, .heartbeat])
        #expect(try sent(named + events) == [.heartbeat])
    }

    @Test func `a receiver that knows events gets them`() throws {
        #expect(try cautions("", ", preset: compass, events: [visit, trip]") == [])
        #expect(try cautions("/in", ", events: [visit, trip]") == [])
    }

    @Test(arguments: [
        ("pyoverland", "", "/submit/TOKEN"), ("phonetrack", "", "/log/overland/TOKEN/NAME"),
        ("phonetrack", "/apps/phonetrack/log/owntracks/t0ken/van", "/log/overland/TOKEN/NAME"),
    ])
    func `an address that cannot be the receiver's is named with the one that is wanted`(
        _ preset: String, _ path: String, _ wanted: String
    ) {
        let problems = Given.problems("sinks: [{type: overland, url: 'https://x.example\(path)', preset: \(preset)}]")
        #expect(problems.count == 1 && problems[0].contains(wanted), "\(problems)")
    }

    @Test func `a link for the app is named with the command that takes it`() {
        let problems = Given.problems(
            "sinks: [{type: overland, url: 'overland://setup?url=https%3A%2F%2Fx&token=canary'}]")
        #expect(
            problems.count == 1 && problems[0].contains("the command setup takes an overland:// link"), "\(problems)")
        #expect(problems.first?.contains("canary") == false)
    }

    @Test(arguments: ["?lat=%LAT", "/%LON", "?t=%TS", "?a=%ACC", "?s=%SPD", "?a=%ALT", "?b=%BAT"])
    func `the app's fields in an address are refused, not sent`(_ target: String) {
        let problems = Given.problems("sinks: [{type: overland, url: 'https://x.example\(target)'}]")
        #expect(problems.count == 1 && problems[0].contains("type http"), "\(problems)")
    }

    @Test(arguments: ["?a=%20b", "/%E2%82%ACC", "?a=%C3%84%20"])
    func `escapes are escapes`(_ target: String) {
        #expect(Given.problems("sinks: [{type: overland, url: 'https://x.example\(target)'}]") == [])
    }
}
