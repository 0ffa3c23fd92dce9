/// A position on the WGS-84 ellipsoid.
///
/// It holds what the receiver said, so it may be nonsense: ``isValid`` tells, and the pipeline's first gate refuses
/// what is not, so that everything behind the gate may trust it.
public struct Coordinate: Sendable, Hashable, BitwiseCopyable {
    /// Degrees north of the equator, -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public let longitude: Double

    /// Creates a position from degrees; nothing is checked here.
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

    /// Whether this is exactly 0, 0: what receivers and software say when they know nothing.
    @inlinable
    public var isNullIsland: Bool {
        latitude == 0 && longitude == 0
    }
}
