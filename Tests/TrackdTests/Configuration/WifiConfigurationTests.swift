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
}
