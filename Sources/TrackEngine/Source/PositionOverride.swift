/// Overrides the fixes of live sources with a known position, for example by the wireless network of the machine.
///
/// While a position is known, every fix of a live source is used at that position: the pipeline, events and records see
/// the known position at the fix's time, and no other value of the source. Fixes of recordings stay unchanged. No fix
/// is made where the source gives none.
///
/// Where the object enters a known position, and where it leaves one, a new leg begins: the distance in between is not
/// added to the odometer and no gate rejects it, because the object has not travelled it.
///
/// A ``PrivacyFilter`` takes precedence. A fix whose true position it hides is used as the filter determines, regardless
/// of a known position; the known position itself also passes through the filter.
public protocol PositionOverride: Sendable {
    /// The object's present position; `nil` if the sources' fixes are used unchanged. Read once for each batch of
    /// fixes, by any task; must not block.
    var position: KnownPosition? { get }
}

/// A position known by other means than a satellite receiver.
public struct KnownPosition: Sendable, Hashable, BitwiseCopyable {
    /// The position.
    public let coordinate: Coordinate
    /// The radius of its uncertainty, in metres.
    public let horizontalAccuracy: Double

    /// Creates a position.
    public init(_ coordinate: Coordinate, horizontalAccuracy: Double) {
        (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
    }
}

extension Fix {
    /// Returns a fix of the same time at a known position. The other values of the source are dropped: they were
    /// measured elsewhere.
    func at(_ position: KnownPosition) -> Fix {
        Fix(
            time: time, coordinate: position.coordinate, horizontalAccuracy: position.horizontalAccuracy, flags: flags)
    }
}
