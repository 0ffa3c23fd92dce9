import TrackEngine

/// The status of the wireless network.
package struct WifiStatus: Sendable, Hashable {
    /// The last reading.
    package var reading: WifiReading

    /// The name of the zone that the network belongs to.
    package var zone: String?

    package init(_ reading: WifiReading = .unread, zone: String? = nil) { (self.reading, self.zone) = (reading, zone) }

    /// `depot (02:00:5e:10:00:01), zone Depot`; `nil` if the network was never read.
    package var words: String? {
        switch reading {
        case .unread: nil
        case .connected(let network):
            network.ssid + (network.bssid.map { " (\($0))" } ?? "") + (zone.map { ", zone \($0)" } ?? "")
        case .disconnected: "not connected"
        case .unreadable(let reason): reason
        }
    }

    /// Whether the network should be known and is not.
    package var isTrouble: Bool {
        if case .unreadable = reading { true } else { false }
    }

    /// The status for programs; `nil` if the network was never read.
    var json: JSONValue? {
        switch reading {
        case .unread: nil
        case .connected(let network):
            .members(
                ("connected", .boolean(true)), ("ssid", .string(network.ssid)),
                ("bssid", network.bssid.map { .string("\($0)") }), ("zone", zone.map { .string($0) }))
        case .disconnected: .members(("connected", .boolean(false)))
        case .unreadable(let reason): .members(("problem", .string(reason)))
        }
    }
}
