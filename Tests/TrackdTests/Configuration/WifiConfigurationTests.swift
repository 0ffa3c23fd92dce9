import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// The section `wifi`.
@Suite struct WifiConfigurationTests {
    @Test func `nothing is read unless asked`() throws {
        #expect(try !Given.configuration("{}").wifi.isRead)
        let configuration = try Given.configuration("wifi: {read: true, interface: wlan0}")
        #expect(configuration.wifi.isRead && configuration.wifi.interface == "wlan0")
        #expect(try Given.configuration(configuration.effectiveYAML) == configuration)
    }

    @Test(arguments: ["\"\"", "wlan/0", "\"wlan 0\"", "anameof16letters"])
    func `an interface that cannot be is refused`(_ name: String) {
        let problems = Given.problems("wifi: {interface: \(name)}")
        #expect(problems.count == 1 && problems.first?.contains("wifi.interface") == true, "\(problems)")
    }

    @Test func `a reload applies it`() throws {
        let change = ConfigurationChange(
            from: try Given.configuration("{}"), to: try Given.configuration("wifi: {read: true}"))
        #expect(change.live == ["wifi.read"] && change.restart == [])
    }

    @Test func `zones read back as they were, and have the network read`() throws {
        let configuration = try Given.configuration(
            """
            wifi:
              zones:
                - {name: Depot, ssid: depot, bssid: "02-00-5E-10-00-01", latitude: 53.512345678, longitude: -10}
                - {name: Yard, ssid: "Yard 7", latitude: 1, longitude: 2, horizontalAccuracy: 50}
            """)
        #expect(configuration.wifi.isRead && !configuration.wifi.read)
        let zone = try configuration.wifi.places.zones.first
        #expect(zone?.bssid == BSSID("02:00:5e:10:00:01"))
        #expect(zone?.position.coordinate == Coordinate(latitude: 53.512345678, longitude: -10))
        #expect(zone?.position.horizontalAccuracy == 20)
        #expect(try Given.configuration(configuration.effectiveYAML) == configuration)
    }

    @Test func `a zone is as accurate as every profile that holds there wants it`() {
        func problems(_ accuracy: Int) -> [String] {
            Given.problems(
                """
                profiles: {fine: {minimumAccuracy: 10}}
                wifi: {zones: [{name: A, ssid: depot, latitude: 1, longitude: 2, horizontalAccuracy: \(accuracy)}]}
                """)
        }
        #expect(problems(10) == [])
        let wrong = problems(20)
        #expect(wrong.count == 1 && wrong[0].contains("at most profiles.fine.minimumAccuracy, 10 metres"), "\(wrong)")
    }

    @Test func `all that is wrong with zones is told at once, each with its key`() {
        let problems = Given.problems(
            """
            tracking: {minimumAccuracy: 30}
            wifi:
              zones:
                - {name: A, ssid: depot, latitude: 1, longitude: 2}
                - {name: B, ssid: Depot, latitude: 1, longitude: 2}
                - {name: C, ssid: far, latitude: 91, longitude: 2}
                - {name: D, ssid: nowhere, latitude: 1}
                - {name: E, ssid: null-island, latitude: 0, longitude: 0}
                - {name: F, ssid: "a name of more than thirty-two bytes", latitude: 1, longitude: 2}
                - {name: G, ssid: g, bssid: "02:00:5e:10:00", latitude: 1, longitude: 2}
                - {name: H, latitude: 1, longitude: 2}
                - {name: I, ssid: i, latitude: 1, longitude: 2, horizontalAccuracy: 40}
                - {name: J, ssid: j, latitude: 1, longitude: 2, radius: 5}
            """)
        for expected in [
            "wifi.zones.B.ssid", "wifi.zones.C.latitude", "wifi.zones.D.longitude", "wifi.zones.E.latitude",
            "wifi.zones.F.ssid", "wifi.zones.G.bssid", "wifi.zones.H.ssid", "wifi.zones.I.horizontalAccuracy",
            "wifi.zones.J.radius",
        ] {
            #expect(problems.contains { $0.contains(expected) }, "\(expected) is not among \(problems)")
        }
        #expect(!problems.contains { $0.contains("zones.A") }, "\(problems)")
    }

    @Test func `a reload applies zones`() throws {
        let zone = "{name: A, ssid: depot, latitude: 1, longitude: 2}"
        let change = ConfigurationChange(
            from: try Given.configuration("{}"), to: try Given.configuration("wifi: {zones: [\(zone)]}"))
        #expect(change.live.contains("wifi.zones.A.ssid") && change.restart == [], "\(change)")
    }
}
