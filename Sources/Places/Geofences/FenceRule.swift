/// What a fix says about an area.
enum Standing: Sendable {
    /// The object is more likely inside than not.
    case inside
    /// It is outside, and farther so than the hysteresis.
    case outside
    /// Neither: the fix decides nothing.
    case unclear
}

/// When an object counts as inside or outside of an area.
///
/// A fix is a disc with the radius of its horizontal accuracy a, anywhere in which the object is with the same likelihood.
/// s is the signed distance from the disc's middle to the area's boundary, negative inside, and h the place's hysteresis.
///
/// - Inside: more than half of the disc lies in the area.
/// - Outside: s > a + h, that is, the whole disc lies outside and the hysteresis beyond.
/// - Otherwise the fix decides nothing, and the object remains where it was. So a fix that is too coarse for an area decides
///   nothing by itself: a disc with more than √2 times the radius of a circle can never lie in it by half.
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
enum FenceRule {
    /// What a disc says about an area.
    static func standing(
        of area: borrowing Area, hysteresis: Double, at point: EarthVector, accuracy: Double
    ) -> Standing {
        let distance = area.distance(from: point)
        if distance > accuracy + hysteresis { return .outside }
        return isInside(area, at: point, distance, accuracy) ? .inside : .unclear
    }

    /// Whether more than half of a disc lies in an area, to whose boundary its middle has a distance.
    static func isInside(
        _ area: borrowing Area, at point: EarthVector, _ distance: Double, _ accuracy: Double
    ) -> Bool {
        if distance <= -accuracy { return true }
        // An area is no larger than the circle about it, and that has (r / a)² of the disc at the most.
        guard distance < accuracy, area.radius * area.radius * 2 > accuracy * accuracy else { return false }
        return area.share(ofDiscAt: point, radius: accuracy) > 0.5
    }
}
