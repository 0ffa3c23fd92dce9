public import TrackEngine

/// Wireless networks whose places are known: while a machine is in one of them, it is there.
///
/// ```swift
/// let depot = WifiZones.Zone(
///     "Depot", ssid: "depot", at: KnownPosition(Coordinate(latitude: 53.5, longitude: 10), horizontalAccuracy: 20))
/// let zones = try WifiZones([depot])
/// ```
///
/// A ``/TrackEngine/PositionAuthority`` that looks up the network of the moment has a tracker use the zones' points.
public struct WifiZones: Sendable, Hashable {
    /// A network and where it is.
    public struct Zone: Sendable, Hashable {
        /// What people call it.
        public var name: String
        /// The network's name; upper and lower case are the same.
        public var ssid: String
        /// The address of one of its access points; without one, any of that name.
        public var bssid: BSSID?
        /// Where an object is that is in the network.
        public var position: KnownPosition

        /// Makes a zone; ``WifiZones`` checks it.
        public init(_ name: String, ssid: String, bssid: BSSID? = nil, at position: KnownPosition) {
            (self.name, self.ssid, self.bssid, self.position) = (name, ssid, bssid, position)
        }
    }

    /// So many zones there can be.
    public static let limit = 1000
    /// So many octets the name of a network has at most, by IEEE 802.11.
    public static let ssidLimit = 32

    /// The zones in the order in which they were given.
    public let zones: [Zone]
    /// Their places in the list, by the name of the network.
    private let bySSID: [String: [Int]]

    /// Makes zones.
    ///
    /// - Throws: if there are too many, if two are of one network, or if a value is out of its bounds; a problem's key begins
    ///   with the zone's name.
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

    /// No zone.
    public init() { (zones, bySSID) = ([], [:]) }

    private static func check(_ zone: Zone, _ check: inout ConfigurationCheck) {
        let key = "zones.\(zone.name)"
        if !(1...ssidLimit).contains(zone.ssid.utf8.count) {
            check.problem("\(key).ssid", zone.ssid, "a network's name of 1 to \(ssidLimit) bytes")
        }
        let (coordinate, accuracy) = (zone.position.coordinate, zone.position.horizontalAccuracy)
        if !coordinate.isValid || coordinate.isNullIsland {
            check.problem("\(key).latitude", "…", "a latitude and a longitude on the Earth, not both 0")
        }
        check.positive("\(key).horizontalAccuracy", accuracy, upTo: 10_000, "metres")
    }

    /// The zone of a network: the one of its access point, else the one of its name that is of no access point.
    public func zone(of network: WifiNetwork) -> Zone? {
        guard let places = bySSID[network.ssid.lowercased()] else { return nil }
        let own = network.bssid.flatMap { bssid in places.first { zones[$0].bssid == bssid } }
        return (own ?? places.first { zones[$0].bssid == nil }).map { zones[$0] }
    }
}
