public import TrackEngine

/// Places in which the exact position is nobody's business.
///
/// It is applied to each fix before anything is stored or decided, so that the true position is in no file, no log and no
/// message. A fix counts as inside as soon as its disc of accuracy touches the zone: in doubt it is hidden.
///
/// Whoever sees where a track begins and ends around a hidden zone can reckon its centre. Make the zone large, and do not
/// centre it on what is to be hidden.
public struct PrivacyZones: PositionCover {
    /// What becomes of a fix in a zone.
    public enum Treatment: Sendable, Hashable {
        /// It is dropped.
        case drop
        /// It is moved to the zone's centre.
        case centre
        /// It is moved to the middle of its cell in a grid with cells of about so many metres, 100 to 100 000. The grid is the
        /// same all over the Earth and does not depend on the zone.
        case grid(Double)

        /// Of several zones the one that tells least decides.
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
        /// Where it is; dwell and hysteresis are of no account.
        public var place: Place
        /// What becomes of a fix there.
        public var treatment: Treatment

        /// Makes a zone; ``PrivacyZones`` checks it.
        public init(_ place: Place, _ treatment: Treatment) {
            self.place = place
            self.treatment = treatment
        }
    }

    /// What is to be done with a fix.
    public enum Outcome: Sendable, Hashable {
        /// It lies in no zone and is used as it is.
        case pass
        /// It must not be used.
        case drop
        /// This one is to be used in its place.
        case replace(Fix)
    }

    /// The zones in the order in which they were given.
    public let zones: [Zone]
    private let index: PlaceIndex
    private let assumedAccuracy: Double

    /// Makes zones of places.
    ///
    /// - Parameters:
    ///   - zones: the zones; of several in which a fix lies the one that tells least decides.
    ///   - assumedAccuracy: the accuracy of a fix that says none, in metres, above 0 and up to 10 000.
    /// - Throws: if two zones have one place's id, or a value is out of its bounds.
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

    /// What is to be done with a fix: it is passed, dropped, or replaced by one that has nothing of it but the time, what
    /// kind of source it is from, and a position that many have in common.
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

    /// Stands for the zones and what becomes of fixes in them, the same in each run; 0 where there is none.
    public var signature: UInt64 {
        guard !zones.isEmpty else { return 0 }
        // As the index does it; a strength of its own for each treatment.
        return zones.reduce(index.signature) { ($0 ^ $1.treatment.strength.bitPattern) &* 0x0000_0100_0000_01b3 } | 1
    }

    /// The fix to be used in place of a fix; `nil` where none must be.
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

    /// A fix of which nothing is left but the time, what flags say of the source, and another position.
    private static func hidden(_ fix: Fix, at coordinate: Coordinate) -> Fix {
        Fix(time: fix.time, coordinate: coordinate, flags: fix.flags)
    }

    /// The middle of the cell in which a position lies.
    ///
    /// Cells are rows of equal height in degrees of latitude; a row is divided into as many equal cells as its middle is so
    /// many times as long, at least one. So each cell is about as wide as high, also near the poles, and none goes over the
    /// antimeridian.
    private static func cell(of coordinate: Coordinate, _ metres: Double) -> Coordinate {
        let circumference = 2 * Double.pi * Ellipsoid.meanRadius
        let rows = max(1, (circumference / 2 / metres).rounded())
        let row = min(((coordinate.latitude + 90) / 180 * rows).rounded(.down), rows - 1)
        let latitude = (row + 0.5) / rows * 180 - 90
        // The radius of the row's middle, as the straight line from the axis.
        let vector = EarthVector(Coordinate(latitude: latitude, longitude: 0))
        let columns = max(1, (2 * Double.pi * vector.x / metres).rounded())
        let column = min(((coordinate.longitude + 180) / 360 * columns).rounded(.down), columns - 1)
        return Coordinate(latitude: latitude, longitude: (column + 0.5) / columns * 360 - 180)
    }
}
