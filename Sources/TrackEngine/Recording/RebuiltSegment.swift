/// The part of a rebuilt track between two kept fixes: latitude, longitude (on the shorter way around) and altitude are
/// linear in time.
///
/// This is what ``DeviationFilter`` promises its bound for, and what a map draws that joins the points of a track.
public struct RebuiltSegment: Sendable, Hashable, BitwiseCopyable {
    /// The kept fix that it begins with.
    public let start: Fix
    /// The kept fix that it ends with, later than ``start``.
    public let end: Fix

    /// The segment between two kept fixes.
    public init(from start: Fix, to end: Fix) {
        self.start = start
        self.end = end
    }

    /// How far a fix is from the rebuilt place at the fix's own time, over ground, in metres.
    public func distance(to fix: Fix) -> Double {
        coordinate(at: fix.time).distance(to: fix.coordinate)
    }

    /// How far a fix's altitude is from the rebuilt one, in metres; `nil` where one of the three altitudes is missing.
    public func altitudeDifference(to fix: Fix) -> Double? {
        guard let altitude = fix.altitude, let rebuilt = self.altitude(at: fix.time) else { return nil }
        return abs(altitude - rebuilt)
    }

    /// The rebuilt place at a time within the segment.
    public func coordinate(at time: Timestamp) -> Coordinate {
        let share = share(at: time)
        let (from, to) = (start.coordinate, end.coordinate)
        var east = to.longitude - from.longitude
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        var longitude = from.longitude + share * east
        if longitude > 180 { longitude -= 360 }
        if longitude < -180 { longitude += 360 }
        return Coordinate(
            latitude: from.latitude + share * (to.latitude - from.latitude), longitude: longitude)
    }

    /// The rebuilt altitude at a time within the segment, in metres; `nil` where an end has none.
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
