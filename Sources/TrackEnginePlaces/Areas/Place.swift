public import TrackEngine

/// A named area with events for entering and leaving: a geofence.
public struct Place: Sendable, Hashable, Identifiable {
    /// The place's id within a configuration, 1 to 64 bytes; it stays the same if the name or the area changes.
    public let id: String
    /// The name that is shown to people, 1 to 256 bytes.
    public let name: String
    /// The geofence's area.
    public let area: Area
    /// The time inside after which a dwell is reported, 1 s to 30 days; `nil` for never.
    public let dwell: Duration?
    /// The distance, in metres, by which a fix must lie outside beyond its accuracy for the place to be left, 0 to
    /// 10 000.
    public let hysteresis: Double
    /// Words that group places: at most 16, of 1 to 64 bytes.
    public let tags: [String]
    /// The time of the place's creation, if it is known.
    public let created: Timestamp?

    /// The default of `hysteresis`: 20 m.
    ///
    /// An accuracy is a radius that contains 95 % of the fixes; 99.9 % lie within 1.52 times that radius (√(ln
    /// 1000 / ln 20) of a Rayleigh distribution). For 38 m, the worst accuracy that a receiver reports between
    /// houses, that is 20 m more. A smaller value causes false exits, a larger one late exits.
    public static let defaultHysteresis = 20.0

    package static let dwellSeconds = 1.0...2_592_000
    /// In metres.
    package static let hystereses = 0.0...10_000

    /// Creates a place.
    ///
    /// - Throws: All problems of the values.
    public init(
        id: String, name: String, area: Area, dwell: Duration? = nil, hysteresis: Double = Place.defaultHysteresis,
        tags: [String] = [], created: Timestamp? = nil
    ) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        Self.text("id", id, upTo: 64, &check)
        Self.text("name", name, upTo: 256, &check)
        check.seconds("dwell", dwell, within: Self.dwellSeconds)
        check.range("hysteresis", hysteresis, Self.hystereses, "metres")
        if tags.count > 16 { check.problem("tags", "\(tags.count) tags", "at most 16") }
        for tag in tags.prefix(16) { Self.text("tag", tag, upTo: 64, &check) }
        try check.finish()
        self.id = id
        self.name = name
        self.area = area
        self.dwell = dwell
        self.hysteresis = hysteresis
        self.tags = tags
        self.created = created
    }

    /// The place's reference in events.
    public var reference: PlaceName { PlaceName(id: id, name: name) }

    private static func text(_ key: String, _ value: String, upTo limit: Int, _ check: inout ConfigurationCheck) {
        let isGood =
            (1...limit).contains(value.utf8.count)
            && value.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value)
            }
        if !isGood {
            check.problem(key, "\(value.utf8.count) bytes", "1 to \(limit) bytes without control characters")
        }
    }
}
