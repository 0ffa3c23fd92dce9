public import TrackEngine

/// Wireless networks with known positions: a machine in one of them is at that position.
///
/// ```swift
/// let depot = WifiZones.Zone(
///     "Depot", ssid: "depot", at: KnownPosition(Coordinate(latitude: 53.5, longitude: 10), horizontalAccuracy: 20))
/// let zones = try WifiZones([depot])
/// ```
///
/// A ``/TrackEngine/PositionOverride`` that looks up the current network makes a tracker use the zones' positions.
public struct WifiZones: Sendable, Hashable {
    /// A network with its position.
    public struct Zone: Sendable, Hashable {
        /// The name that is shown to people.
        public var name: String
        /// The network's name; upper and lower case are the same.
        public var ssid: String
        /// The address of one of its access points; without one, any access point with that network name.
        public var bssid: BSSID?
        /// The position of an object in the network.
        public var position: KnownPosition

        /// Creates a zone; ``WifiZones`` validates it.
        public init(_ name: String, ssid: String, bssid: BSSID? = nil, at position: KnownPosition) {
            (self.name, self.ssid, self.bssid, self.position) = (name, ssid, bssid, position)
        }
    }

    /// The largest number of zones.
    public static let limit = 1000
    /// The maximum length of a network's name, in octets, by IEEE 802.11.
    public static let ssidLimit = 32
    /// In metres.
    package static let worstAccuracy = 10_000.0

    /// The zones in the given order.
    public let zones: [Zone]
    /// The indexes of the zones by the name of the network.
    private let bySSID: [String: [Int]]

    /// Creates zones.
    ///
    /// - Throws: An error if there are too many zones, two are of one network, or a value is out of its bounds; a
    ///   problem's key begins with the zone's name.
    public init(_ zones: [Zone]) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if zones.count > Self.limit { check.problem("zones", "\(zones.count) zones", "at most \(Self.limit)") }
        var bySSID: [String: [Int]] = [:]
        for (index, zone) in zones.prefix(Self.limit).enumerated() {
            Self.check(zone, &check)
            let others = bySSID[zone.ssid.lowercased(), default: []]
            if others.contains(where: { zones[$0].bssid == zone.bssid }) {
                check.problem(
                    "zones.\(zone.name).\(zone.bssid == nil ? "ssid" : "bssid")",
                    zone.bssid.map { "\($0)" } ?? zone.ssid,
                    zone.bssid == nil
                        ? "a network of its own: where several have one ssid, all but one need a bssid"
                        : "an access point that no other zone of the network has")
            }
            bySSID[zone.ssid.lowercased()] = others + [index]
        }
        try check.finish()
        (self.zones, self.bySSID) = (zones, bySSID)
    }

    /// Creates an empty list of zones.
    public init() { (zones, bySSID) = ([], [:]) }

    private static func check(_ zone: Zone, _ check: inout ConfigurationCheck) {
        let key = "zones.\(zone.name)"
        if !(1...ssidLimit).contains(zone.ssid.utf8.count) {
            check.problem("\(key).ssid", zone.ssid, "a network's name of 1 to \(ssidLimit) bytes")
        }
        let (coordinate, accuracy) = (zone.position.coordinate, zone.position.horizontalAccuracy)
        if !coordinate.isUsable {
            check.problem("\(key).latitude", "…", "a latitude and a longitude on the Earth, not both 0")
        }
        check.positive("\(key).horizontalAccuracy", accuracy, upTo: Self.worstAccuracy, "metres")
    }

    /// The zone of a network: the one of its access point, else the one with its name and no access point.
    public func zone(of network: WifiNetwork) -> Zone? {
        guard let places = bySSID[network.ssid.lowercased()] else { return nil }
        let own = network.bssid.flatMap { bssid in places.first { zones[$0].bssid == bssid } }
        return (own ?? places.first { zones[$0].bssid == nil }).map { zones[$0] }
    }
}
