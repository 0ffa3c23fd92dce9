import Testing
import TrackEngine
import TrackEngineHTTP

/// The wireless network in what goes out over HTTP.
@Suite struct WifiTests {
    private static func record(_ ssid: String, _ bssid: String? = nil) throws -> TrackRecord {
        let wifi = try #require(WifiNetwork(ssid: ssid, bssid: bssid.flatMap { BSSID($0) }))
        return Samples.record(
            Samples.bare.fix, host: HostStatus(batteryLevel: nil, batteryState: .unknown, wifi: wifi))
    }

    @Test(arguments: ["depot", #"Jane's "5G" \ Überland 🛳"#, "\u{FFFD}\n"])
    func `Overland's locations and Trace's say its name`(_ ssid: String) throws {
        let record = try Self.record(ssid)
        for profile in [OverlandSink.Configuration.Profile.overland, .trace] {
            let properties = try Samples.properties(of: Samples.body([record]) { $0.profile = profile })
            #expect(properties["wifi"] as? String == ssid)
        }
    }

    @Test func `a name changes nothing else of an Overland body`() throws {
        let unnamed = Samples.body([Samples.bare])
        #expect(
            try Samples.body([Self.record("depot")])
                == unnamed.replacing(#""wifi":"""#, with: #""wifi":"depot""#))
        #expect(unnamed.contains(#""battery_state":"unknown","battery_level":-1,"wifi":"""#))
    }

    @Test func `a network without a battery is no battery for receivers that want one left out`() throws {
        let body = try Samples.body([Self.record("depot")]) { $0.unknownBattery = .omitted }
        #expect(!body.contains("battery") && body.contains(#""wifi":"depot""#))
    }

    @Test func `Dawarich's points have its name, and the motion`() throws {
        let configuration = TemplateSamples.configuration("https://x.example") { $0.preset = .dawarich }
        #expect(
            try TemplateSamples.request(Self.record("depot"), configuration).body.contains(
                #""motion":[],"wifi":"depot""#))
        #expect(try TemplateSamples.request(Samples.full, configuration).body.contains(#""motion":["walking"]"#))
    }

    @Test func `templates have its name and its access point`() throws {
        let record = try Self.record("a \"b\"", "02:00:5e:10:00:0F")
        let template = #"{"ssid": %{wifi}, "at": "%{bssid}", "loud": "%{bssid?}"}"#
        #expect(
            try TemplateSamples.body(template, record: record)
                == #"{"ssid":"a \"b\"","at":"02:00:5e:10:00:0f","loud":"02:00:5e:10:00:0f"}"#)
        #expect(
            try TemplateSamples.body(template, record: Self.record("depot"))
                == #"{"ssid":"depot","at":""}"#)
        #expect(try TemplateSamples.body(template) == #"{"ssid":null,"at":""}"#)
    }
}

extension TemplateSamples {
    fileprivate static func body(_ template: String, record: TrackRecord) throws -> String {
        try body(template, .json, record)
    }
}
