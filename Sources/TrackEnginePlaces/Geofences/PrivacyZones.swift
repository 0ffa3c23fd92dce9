public import TrackEngine

/// Places in which the exact position is hidden.
///
/// They are applied to each fix before it is stored or used for a decision, so that the true position is in no file,
/// no log and no message. A fix counts as inside as soon as its disc of accuracy touches the zone: a doubtful
/// position is hidden.
///
/// An observer of the ends of tracks around a hidden zone can calculate its centre. Make the zone large, and do not
/// centre it on the hidden location.
public struct PrivacyZones: PrivacyFilter {
    /// The treatment of a fix in a zone.
    public enum Action: Sendable, Hashable {
        /// The fix is dropped.
        case drop
        /// The fix is moved to the zone's centre.
        case centre
        /// The fix is moved to the middle of its cell in a grid with cells of about this size in metres, 100 to
        /// 100 000. The grid is the same all over the Earth and does not depend on the zone.
        case grid(Double)

        /// The order of treatments: of several zones, the one that reveals the least decides.
        fileprivate var strength: Double {
            switch self {
            case .drop: .infinity
            case .centre: 0
            case .grid(let metres): metres
            }
        }
    }

    /// A zone.
    public struct Zone: Sendable, Hashable {
        /// The area; dwell and hysteresis are ignored.
        public var place: Place
        /// The treatment of fixes in the zone.
        public var treatment: Action

        /// Creates a zone; ``PrivacyZones`` validates it.
        public init(_ place: Place, _ treatment: Action) {
            self.place = place
            self.treatment = treatment
        }
    }

    /// The decision about a fix.
    public enum Outcome: Sendable, Hashable {
        /// The fix lies in no zone and is used unchanged.
        case pass
        /// The fix must not be used.
        case drop
        /// This fix must be used instead.
        case replace(Fix)
    }

    /// The zones in the given order.
    public let zones: [Zone]
    private let index: PlaceIndex
    private let assumedAccuracy: Double

    /// Creates privacy zones.
    ///
    /// - Parameters:
    ///   - zones: The zones; of several that contain a fix, the one that reveals the least decides.
    ///   - assumedAccuracy: The accuracy of a fix without one, in metres, above 0 and up to 10 000.
    /// - Throws: An error if two zones have one place's id, or a value is out of its bounds.
    public init(_ zones: [Zone], assumedAccuracy: Double = 30) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        check.positive("assumedAccuracy", assumedAccuracy, upTo: 10_000, "metres")
        for zone in zones {
            if case .grid(let metres) = zone.treatment { check.range("grid", metres, 100...100_000, "metres") }
        }
        try check.finish()
        index = try PlaceIndex(zones.map(\.place))
        self.zones = zones
        self.assumedAccuracy = assumedAccuracy
    }

    /// The decision about a fix: it is passed, dropped, or replaced by a fix that keeps only the time and the kind
    /// of source, with a position that many fixes share.
    public func outcome(for fix: Fix) -> Outcome {
        guard fix.coordinate.isValid else { return zones.isEmpty ? .pass : .drop }
        let point = EarthVector(fix.coordinate)
        let accuracy = fix.horizontalAccuracy ?? assumedAccuracy
        var strongest: Int?
        var search = PlaceSearch(SpaceBox(from: point, to: point, margin: accuracy), in: index)
        while let zone = search.next(in: index) {
            guard index.places[zone].area.distance(from: point) <= accuracy else { continue }
            if strongest.map({ isStronger(zone, than: $0) }) ?? true { strongest = zone }
        }
        guard let strongest else { return .pass }
        switch zones[strongest].treatment {
        case .drop: return .drop
        case .centre: return .replace(Self.hidden(fix, at: zones[strongest].place.area.centre))
        case .grid(let metres): return .replace(Self.hidden(fix, at: Self.cell(of: fix.coordinate, metres)))
        }
    }

    /// A hash of the zones and their treatments, the same in each run; 0 without zones.
    public var signature: UInt64 {
        guard !zones.isEmpty else { return 0 }
        // The hash of the index, continued with a different strength for each treatment.
        return zones.reduce(index.signature) { ($0 ^ $1.treatment.strength.bitPattern) &* 0x0000_0100_0000_01b3 } | 1
    }

    /// The fix to use instead of a fix; `nil` if none may be used.
    public func covered(_ fix: Fix) -> Fix? {
        switch outcome(for: fix) {
        case .pass: fix
        case .drop: nil
        case .replace(let other): other
        }
    }

    private func isStronger(_ zone: Int, than other: Int) -> Bool {
        let (new, old) = (zones[zone].treatment.strength, zones[other].treatment.strength)
        return new > old || new == old && zone < other
    }

    /// A fix that keeps only the time and the flags of the source, at another position.
    private static func hidden(_ fix: Fix, at coordinate: Coordinate) -> Fix {
        Fix(time: fix.time, coordinate: coordinate, flags: fix.flags)
    }

    /// The middle of the cell that contains a position.
    ///
    /// Cells form rows of equal height in degrees of latitude. A row is divided into equal cells with a width of
    /// about the cell size at the row's middle, at least one. Each cell is thus about as wide as high, also near the
    /// poles, and none crosses the antimeridian.
    private static func cell(of coordinate: Coordinate, _ metres: Double) -> Coordinate {
        let circumference = 2 * Double.pi * Ellipsoid.meanRadius
        let rows = max(1, (circumference / 2 / metres).rounded())
        let row = min(((coordinate.latitude + 90) / 180 * rows).rounded(.down), rows - 1)
        let latitude = (row + 0.5) / rows * 180 - 90
        // The radius of the row's middle: its distance from the Earth's axis.
        let vector = EarthVector(Coordinate(latitude: latitude, longitude: 0))
        let columns = max(1, (2 * Double.pi * vector.x / metres).rounded())
        let column = min(((coordinate.longitude + 180) / 360 * columns).rounded(.down), columns - 1)
        return Coordinate(latitude: latitude, longitude: (column + 0.5) / columns * 360 - 180)
    }
}
