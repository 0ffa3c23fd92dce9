import Glibc

extension Coordinate {
    /// Returns the direction of another position, in degrees clockwise from true north, 0 ..< 360; NaN for the same
    /// position.
    ///
    /// It is the initial direction of the great circle between both (E. Williams, "Aviation Formulary", "Course between
    /// points"), within 0.2° of that on the ellipsoid.
    public func bearing(to other: Coordinate) -> Double {
        guard self != other else { return .nan }
        let (from, to) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let across = (other.longitude - longitude) * .pi / 180
        let angle = atan2(sin(across) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(across)) * 180 / .pi
        return angle < 0 ? (angle + 360).truncatingRemainder(dividingBy: 360) : angle
    }
}
