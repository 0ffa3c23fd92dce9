/// The part of a rebuilt track between two kept fixes: latitude, longitude (on the shorter way around) and altitude are
/// linear in time.
///
/// The bound of ``DeviationFilter`` applies to it, and a map that joins the points of a track draws it.
public struct RebuiltSegment: Sendable, Hashable, BitwiseCopyable {
    /// The kept fix at the start.
    public let start: Fix
    /// The kept fix at the end, later than ``start``.
    public let end: Fix

    /// Creates the segment between two kept fixes.
    public init(from start: Fix, to end: Fix) {
        self.start = start
        self.end = end
    }

    /// Returns the distance of a fix from the rebuilt position at the fix's own time, over ground, in metres.
    public func distance(to fix: Fix) -> Double {
        coordinate(at: fix.time).distance(to: fix.coordinate)
    }

    /// Returns the difference between a fix's altitude and the rebuilt one, in metres; `nil` if one of the three
    /// altitudes is missing.
    public func altitudeDifference(to fix: Fix) -> Double? {
        guard let altitude = fix.altitude, let rebuilt = self.altitude(at: fix.time) else { return nil }
        return abs(altitude - rebuilt)
    }

    /// Returns the rebuilt position at a time within the segment.
    public func coordinate(at time: Timestamp) -> Coordinate {
        start.coordinate.between(end.coordinate, share(at: time))
    }

    /// Returns the rebuilt altitude at a time within the segment, in metres; `nil` if an end has none.
    public func altitude(at time: Timestamp) -> Double? {
        guard let from = start.altitude, let to = end.altitude else { return nil }
        return from + share(at: time) * (to - from)
    }

    private func share(at time: Timestamp) -> Double {
        let whole = end.time.nanosecondsSince1970.saturatingSubtract(start.time.nanosecondsSince1970)
        let part = time.nanosecondsSince1970.saturatingSubtract(start.time.nanosecondsSince1970)
        return whole > 0 ? Double(part) / Double(whole) : 0
    }
}
