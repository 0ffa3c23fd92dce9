package import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// A wireless network with a known position, as the configuration defines it.
package struct WifiZoneSettings: Sendable, Hashable {
    /// The name for users. Required.
    package var name = ""
    /// The network's name. Required.
    package var ssid = ""
    /// The address of one access point; without one, any access point of that network name.
    package var bssid: BSSID?
    /// The latitude of its position, degrees north.
    package var latitude: Double?
    /// The longitude of its position, degrees east.
    package var longitude: Double?
    /// The largest distance of the machine from the position, in metres.
    package var horizontalAccuracy = 20.0

    package static let fields: [Field<Self>] = [
        .text("name", \.name, .line).required().meaning("The name of the zone."),
        .text("ssid", \.ssid, .ssid).required()
            .meaning("The name of the network; upper and lower case are the same."),
        .value("bssid", \.bssid, .bssid, show: { .text("\($0)") })
            .meaning(
                "The address of one access point, where several networks have one name; null for any. A zone of the access point wins over one without."
            ),
        .degrees("latitude", \.latitude, -90...90).meaning("The zone's point, degrees north of the equator."),
        .degrees("longitude", \.longitude, -180...180).meaning("The zone's point, degrees east of Greenwich."),
        .positive("horizontalAccuracy", \.horizontalAccuracy, upTo: WifiZones.worstAccuracy, "metres")
            .meaning("How far from the point the machine may be; records have it as their accuracy."),
    ]

    /// The problem beyond single values; a missing name has been reported already.
    var problem: ConfigurationProblem? {
        guard !name.isEmpty, latitude == nil || longitude == nil else { return nil }
        return ConfigurationProblem(
            key: "zones.\(name).\(latitude == nil ? "latitude" : "longitude")", value: "(missing)",
            expectation: "both latitude and longitude")
    }

    /// The zone itself; `nil` if a value is missing, which is reported elsewhere.
    var zone: WifiZones.Zone? {
        guard !name.isEmpty, !ssid.isEmpty, let latitude, let longitude else { return nil }
        return WifiZones.Zone(
            name, ssid: ssid, bssid: bssid,
            at: KnownPosition(
                Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: horizontalAccuracy))
    }
}

extension TextRule {
    fileprivate static let ssid = TextRule(
        expectation: "the name of a network, 1 to \(WifiZones.ssidLimit) bytes without control characters"
    ) { text in
        (1...WifiZones.ssidLimit).contains(text.utf8.count) && !text.hasControlCharacter
    }
}

extension ValueRule<BSSID> {
    fileprivate static let bssid = ValueRule(
        .text, "an address such as \"02:00:5e:10:00:01\""
    ) { node in
        node.text.flatMap { BSSID($0) }
    }
}
