import Testing
import TrackEngine
import TrackEngineMQTT

/// The wireless network in MQTT's messages.
@Suite struct WifiTests {
    private static func record(_ bssid: String? = nil, level: Double? = nil) throws -> TrackRecord {
        let wifi = try #require(WifiNetwork(ssid: #"Jane's "5G" 🛳"#, bssid: bssid.flatMap { BSSID($0) }))
        return Samples.record(
            9, Samples.minimal.fix, host: HostStatus(batteryLevel: level, batteryState: .unknown, wifi: wifi))
    }

    private static func object(_ format: RecordFormat, _ record: TrackRecord) throws -> [String: Any] {
        try Samples.format(format).messages(for: [record], isBacklog: false)[0].object()
    }

    @Test func `the library's schema has it as a member, and no battery where there is none`() throws {
        let object = try Self.object(.trackengine, Self.record("02-00-5E-10-00-0F"))
        let wifi = try #require(object["wifi"] as? [String: String])
        #expect(wifi == ["ssid": #"Jane's "5G" 🛳"#, "bssid": "02:00:5e:10:00:0f"])
        #expect(object["battery"] == nil)
        let other = try Self.object(.trackengine, Self.record(level: 0.5))
        #expect(other["wifi"] as? [String: String] == ["ssid": #"Jane's "5G" 🛳"#])
        #expect(other["battery"] != nil)
    }

    @Test func `OwnTracks has its name and its access point`() throws {
        let object = try Self.object(.owntracks, Self.record("02:00:5e:10:00:0f"))
        #expect(object["SSID"] as? String == #"Jane's "5G" 🛳"#)
        #expect(object["BSSID"] as? String == "02:00:5e:10:00:0f")
        let other = try Self.object(.owntracks, Self.record())
        #expect(other["SSID"] != nil && other["BSSID"] == nil && other["bs"] == nil && other["batt"] == nil)
        #expect(try Self.object(.owntracks, Samples.full)["SSID"] == nil)
    }
}
