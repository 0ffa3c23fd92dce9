/// A position on the WGS-84 ellipsoid.
///
/// It holds the receiver's values, which may be invalid: check ``isValid``. The pipeline's first gate rejects invalid
/// positions, so all code after the gate can rely on them.
public struct Coordinate: Sendable, Hashable, BitwiseCopyable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double

    /// Creates a position from degrees without checks.
    @inlinable
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both values are finite and in range.
    @inlinable
    public var isValid: Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180  // false for NaN
    }

    /// Whether this is exactly 0, 0, which receivers and software report without a known position.
    @inlinable
    public var isNullIsland: Bool {
        latitude == 0 && longitude == 0
    }

    /// Whether this is valid, and not 0, 0.
    package var isUsable: Bool { isValid && !isNullIsland }

    /// Whether one of the values is exactly 0, as where a receiver has lost it.
    package var isOnAxis: Bool { latitude == 0 || longitude == 0 }
}
