/// Knows better than a live source where the object is, such as by the wireless network in which its machine is.
///
/// While it knows a position, every fix of a live source is used as one of there: the pipeline, events and records see the
/// known position at the fix's time, and nothing else that the source said. Fixes of recordings stay as they are. No fix is made
/// where the source gives none.
///
/// Where the object comes under a known position, and where it leaves one, a new leg begins: the way between adds nothing to
/// the odometer and no gate refuses it, because nobody travelled it.
///
/// What a ``PositionCover`` hides comes first. A fix whose true position it hides is used as the cover says, whatever is
/// known here; the known position goes through the cover in turn.
public protocol PositionAuthority: Sendable {
    /// Where the object is at this moment; `nil` where its sources know best. It is asked once for each batch of fixes, in any
    /// task, and must not block.
    var position: KnownPosition? { get }
}

/// A position that is known from something else than a receiver of satellites.
public struct KnownPosition: Sendable, Hashable, BitwiseCopyable {
    /// Where it is.
    public let coordinate: Coordinate
    /// The radius of its uncertainty, in metres.
    public let horizontalAccuracy: Double

    /// Makes a position.
    public init(_ coordinate: Coordinate, horizontalAccuracy: Double) {
        (self.coordinate, self.horizontalAccuracy) = (coordinate, horizontalAccuracy)
    }
}

extension Fix {
    /// A fix of the same time at a known position. Of what the source measured nothing is left: it was measured elsewhere.
    func at(_ position: KnownPosition) -> Fix {
        Fix(
            time: time, coordinate: position.coordinate, horizontalAccuracy: position.horizontalAccuracy, flags: flags)
    }
}
