import Testing
import TrackEngine
import TrackEngineAgent

/// How a status tells of the wireless network.
@Suite struct WifiStatusTests {
    @Test func `the network has a line with its name and its access point`() throws {
        var status = SampleStatus.agent()
        let network = try #require(WifiNetwork(ssid: "depot", bssid: BSSID("02:00:5e:10:00:01")))
        status.wifi = WifiStatus(.connected(network))
        #expect(StatusText.lines(status).contains { $0.hasSuffix("wifi depot (02:00:5e:10:00:01)") })
        #expect(status.json["wifi"]?["ssid"]?.string == "depot")
        #expect(status.json["wifi"]?["bssid"]?.string == "02:00:5e:10:00:01")
        status.wifi.zone = "Depot"
        #expect(StatusText.lines(status).contains { $0.hasSuffix("wifi depot (02:00:5e:10:00:01), zone Depot") })
        #expect(status.json["wifi"]?["zone"]?.string == "Depot")
    }

    @Test func `where nobody looks nothing is told, and where nothing can be read it is told why`() {
        var status = SampleStatus.agent()
        #expect(!StatusText.lines(status).contains { $0.contains("wifi") } && status.json["wifi"] == nil)
        status.wifi = WifiStatus(.disconnected)
        #expect(StatusText.lines(status).contains { $0.contains("wifi not connected") })
        status.wifi = WifiStatus(.unreadable("no permission"))
        #expect(StatusText.lines(status).contains { $0.contains("wifi no permission") })
        #expect(status.json["wifi"]?["problem"]?.string == "no permission")
    }

    @Test func `a name that would command a terminal is shown without that`() throws {
        var status = SampleStatus.agent()
        status.wifi = WifiStatus(.connected(try #require(WifiNetwork(ssid: "\u{1B}[31mdepot"))))
        #expect(StatusText.lines(status).contains { $0.contains("wifi ?[31mdepot") })
    }
}
