import Testing
import TrackEngine
import TrackEnginePlaces

/// Networks whose places are known.
@Suite struct WifiZonesTests {
    private static let point = KnownPosition(Coordinate(latitude: 53.5, longitude: 10), horizontalAccuracy: 20)
    private let first = BSSID("02:00:5e:10:00:01")
    private let second = BSSID("02:00:5e:10:00:02")

    private func zone(_ name: String, _ ssid: String, _ bssid: BSSID? = nil) -> WifiZones.Zone {
        WifiZones.Zone(name, ssid: ssid, bssid: bssid, at: Self.point)
    }

    private func found(_ zones: WifiZones, _ ssid: String, _ bssid: BSSID? = nil) throws -> String? {
        zones.zone(of: try #require(WifiNetwork(ssid: ssid, bssid: bssid)))?.name
    }

    @Test func `a network is found by its name, in upper or lower case`() throws {
        let zones = try WifiZones([zone("Depot", "Depot-Süd"), zone("Yard", "yard")])
        #expect(try found(zones, "depot-SÜD", first) == "Depot")
        #expect(try found(zones, "YARD") == "Yard")
        #expect(try found(zones, "depot") == nil)
        #expect(try found(WifiZones(), "yard") == nil)
    }

    @Test func `the zone of an access point wins, and that of another one does not match`() throws {
        let both = try WifiZones([zone("Any", "depot"), zone("First", "DEPOT", first)])
        #expect(try found(both, "depot", first) == "First")
        #expect(try found(both, "depot", second) == "Any")
        #expect(try found(both, "depot") == "Any")
        let one = try WifiZones([zone("First", "depot", first)])
        #expect(try found(one, "depot", second) == nil)
        #expect(try found(one, "depot") == nil)
    }

    @Test func `two zones of one network are refused, and all that is wrong is told at once`() throws {
        let far = KnownPosition(Coordinate(latitude: 91, longitude: 0), horizontalAccuracy: 0)
        let error = #expect(throws: ConfigurationError.self) {
            _ = try WifiZones([
                zone("A", "depot"), zone("B", "DEPOT"), zone("C", "depot", first), zone("D", "depot", first),
                WifiZones.Zone("E", ssid: "", at: far),
                zone("F", String(repeating: "ü", count: 17)),
            ])
        }
        let keys = try #require(error).problems.map(\.key)
        #expect(
            keys == [
                "zones.B.ssid", "zones.D.bssid", "zones.E.ssid", "zones.E.latitude", "zones.E.horizontalAccuracy",
                "zones.F.ssid",
            ])
    }

    @Test func `there is a limit to the zones`() throws {
        let most = (0..<WifiZones.limit).map { zone("\($0)", "net-\($0)") }
        #expect(try found(try WifiZones(most), "net-999") == "999")
        #expect(throws: ConfigurationError.self) { try WifiZones(most + [zone("more", "more")]) }
    }
}
