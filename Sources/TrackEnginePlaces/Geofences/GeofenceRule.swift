import TrackEngine

/// The relation of a fix to an area.
enum GeofenceState: Sendable {
    /// The object is more likely inside than not.
    case inside
    /// The object is outside by more than the hysteresis.
    case outside
    /// Neither: the fix does not decide.
    case unclear
}

/// The rule by which an object counts as inside or outside of an area.
///
/// A fix is a disc with the radius of its horizontal accuracy a; the object is equally likely at each point of it. s
/// is the signed distance from the disc's middle to the area's boundary, negative inside, and h is the place's
/// hysteresis.
///
/// - Inside: more than half of the disc lies in the area.
/// - Outside: s > a + h, that is, the whole disc lies outside and the hysteresis beyond.
/// - Otherwise the fix does not decide, and the object remains where it was. A fix that is too coarse for an area
///   thus never decides: a disc with more than √2 times the radius of a circle can never lie in it by half.
///
/// For a circle of 100 m with a hysteresis of 20 m (d: distance from its centre):
///
/// | d    | a   | s   | share | it is    |
/// |------|-----|-----|-------|----------|
/// | 0    | 20  | -100| 1     | inside   |
/// | 90   | 20  | -10 | 0.790 | inside   |
/// | 100  | 20  | 0   | 0.479 | unclear  |
/// | 110  | 20  | 10  | 0.183 | unclear  |
/// | 139  | 20  | 39  | 0     | unclear  |
/// | 141  | 20  | 41  | 0     | outside  |
/// | 0    | 200 | -100| 0.25  | unclear  |
/// | 319  | 200 | 219 | 0     | unclear  |
/// | 321  | 200 | 221 | 0     | outside  |
enum GeofenceRule {
    /// The relation of a disc to an area.
    static func standing(
        of area: borrowing Area, hysteresis: Double, at point: EarthVector, accuracy: Double
    ) -> GeofenceState {
        let distance = area.distance(from: point)
        if distance > accuracy + hysteresis { return .outside }
        return isInside(area, at: point, distance, accuracy) ? .inside : .unclear
    }

    /// Whether more than half of a disc lies in an area, given the distance of its middle from the area's boundary.
    static func isInside(
        _ area: borrowing Area, at point: EarthVector, _ distance: Double, _ accuracy: Double
    ) -> Bool {
        if distance <= -accuracy { return true }
        // An area is no larger than the circle around it, which covers at most (r / a)² of the disc.
        guard distance < accuracy, area.radius * area.radius * 2 > accuracy * accuracy else { return false }
        return area.share(ofDiscAt: point, radius: accuracy) > 0.5
    }
}
