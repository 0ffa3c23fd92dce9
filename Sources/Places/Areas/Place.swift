public import TrackEngine

/// A named area whose entering and leaving is of interest: a geofence.
public struct Place: Sendable, Hashable, Identifiable {
    /// Names the place within a configuration, 1 to 64 bytes; stays the same when the place gets another name or area.
    public let id: String
    /// What people call it, 1 to 256 bytes.
    public let name: String
    /// Where it is.
    public let area: Area
    /// After how long inside a dwell is reported, 1 s to 30 days; never if absent.
    public let dwell: Duration?
    /// How far beyond its accuracy a fix must lie outside for the place to be left, in metres, 0 to 10 000.
    public let hysteresis: Double
    /// What groups places: at most 16 words of 1 to 64 bytes.
    public let tags: [String]
    /// When the place was made, as far as that is known.
    public let created: Timestamp?

    /// 20 m.
    ///
    /// An accuracy is a radius in which 95 % of the fixes lie; 99.9 % lie within 1.52 times as much (√(ln 1000 / ln 20) of a
    /// Rayleigh distribution). For the 38 m that a receiver reports at its worst between houses, that is 20 m more. A smaller
    /// value gives false exits, a larger one late exits.
    public static let defaultHysteresis = 20.0

    /// Makes a place.
    ///
    /// - Throws: all that is wrong with the values.
    public init(
        id: String, name: String, area: Area, dwell: Duration? = nil, hysteresis: Double = Place.defaultHysteresis,
        tags: [String] = [], created: Timestamp? = nil
    ) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        Self.text("id", id, upTo: 64, &check)
        Self.text("name", name, upTo: 256, &check)
        check.seconds("dwell", dwell, 1...2_592_000)
        check.range("hysteresis", hysteresis, 0...10_000, "metres")
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

    /// How events refer to the place.
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
