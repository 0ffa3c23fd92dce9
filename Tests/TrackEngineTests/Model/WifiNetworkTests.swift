import Testing
import TrackEngine

/// The names and addresses of wireless networks.
@Suite struct WifiNetworkTests {
    @Test(arguments: ["02:00:5e:10:00:0f", "02-00-5E-10-00-0F", "02:00:5E:10:00:0f"])
    func `an address is read with colons or hyphens, and written in one way`(_ text: String) {
        #expect(BSSID(text)?.description == "02:00:5e:10:00:0f")
        #expect(BSSID(text)?.rawValue == 0x0200_5e10_000f)
    }

    @Test(arguments: [
        "", "02:00:5e:10:00", "02:00:5e:10:00:01:02", "2:00:5e:10:00:01", "+2:00:5e:10:00:01", "02:00:5e-10:00:01",
        "02:00:5e:10:00:0g", "02005e100001", "٠٢:00:5e:10:00:01",
    ])
    func `what is no address is none`(_ text: String) {
        #expect(BSSID(text) == nil)
    }

    @Test func `an address has 48 bits`() {
        #expect(BSSID(rawValue: 1 << 48) == nil)
        #expect(BSSID(rawValue: (1 << 48) - 1)?.description == "ff:ff:ff:ff:ff:ff")
        #expect(BSSID(rawValue: 0)?.description == "00:00:00:00:00:00")
    }

    @Test func `a name has 1 to 96 bytes`() {
        #expect(WifiNetwork(ssid: "") == nil)
        #expect(WifiNetwork(ssid: String(repeating: "\u{FFFD}", count: 32))?.ssid.utf8.count == 96)
        #expect(WifiNetwork(ssid: String(repeating: "a", count: 97)) == nil)
    }

    @Test func `networks are equal by name and access point`() {
        let depot = WifiNetwork(ssid: "depot", bssid: BSSID(rawValue: 1))
        #expect(depot == WifiNetwork(ssid: "depot", bssid: BSSID(rawValue: 1)))
        #expect(depot != WifiNetwork(ssid: "depot", bssid: BSSID(rawValue: 2)))
        #expect(depot != WifiNetwork(ssid: "Depot", bssid: BSSID(rawValue: 1)))
        #expect(depot != WifiNetwork(ssid: "depot"))
    }
}
