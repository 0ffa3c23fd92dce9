/// A position on a plane, in metres from its origin.
package struct LocalPosition: Sendable, Hashable, BitwiseCopyable {
    /// Metres along the direction that is east at the origin.
    package var east: Double
    /// Metres along the direction that is north at the origin.
    package var north: Double

    @inlinable package init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    package static let origin = LocalPosition(east: 0, north: 0)

    /// The distance from the origin, in metres.
    @inlinable package var distanceFromOrigin: Double { dot(self).squareRoot() }

    /// Returns the position moved by an offset.
    @inlinable package static func + (place: LocalPosition, offset: LocalPosition) -> LocalPosition {
        LocalPosition(east: place.east + offset.east, north: place.north + offset.north)
    }

    /// Returns the offset from one position to another.
    @inlinable package static func - (place: LocalPosition, other: LocalPosition) -> LocalPosition {
        LocalPosition(east: place.east - other.east, north: place.north - other.north)
    }

    /// Returns the offset multiplied by a factor.
    @inlinable package static func * (factor: Double, offset: LocalPosition) -> LocalPosition {
        LocalPosition(east: factor * offset.east, north: factor * offset.north)
    }

    @inlinable package func dot(_ other: LocalPosition) -> Double { east * other.east + north * other.north }

    @inlinable package func cross(_ other: LocalPosition) -> Double { east * other.north - north * other.east }
}
