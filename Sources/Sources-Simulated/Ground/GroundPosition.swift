/// A place on a ``LocalPlane``, in metres from its origin.
package struct GroundPosition: Sendable, Hashable, BitwiseCopyable {
    /// Metres along the direction that is east at the origin.
    package var east: Double
    /// Metres along the direction that is north at the origin.
    package var north: Double

    package init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    package static let origin = GroundPosition(east: 0, north: 0)

    /// How far away the origin is, in metres.
    package var distanceFromOrigin: Double { (east * east + north * north).squareRoot() }

    /// The place moved by an offset.
    package static func + (place: GroundPosition, offset: GroundPosition) -> GroundPosition {
        GroundPosition(east: place.east + offset.east, north: place.north + offset.north)
    }

    /// The offset stretched by a factor.
    package static func * (factor: Double, offset: GroundPosition) -> GroundPosition {
        GroundPosition(east: factor * offset.east, north: factor * offset.north)
    }
}
