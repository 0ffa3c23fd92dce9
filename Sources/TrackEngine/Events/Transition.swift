/// A named place was entered or left, or the object has stayed there for the place's dwell time.
public struct Transition: Sendable, Hashable {
    /// The kinds of transitions.
    public enum Event: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// The object came in.
        case enter = 1
        /// The object went out.
        case leave = 2
        /// The object has been inside for the place's dwell time.
        case dwell = 3

        /// The name of this event; OwnTracks supports the first two.
        public var name: String {
            switch self {
            case .enter: "enter"
            case .leave: "leave"
            case .dwell: "dwell"
            }
        }
    }

    /// The kind of transition.
    public let event: Event
    /// The place.
    public let place: PlaceName
    /// The centre of the place; for an area without one, a point in it.
    public let centre: Coordinate
    /// The radius of the place around that point, in metres.
    public let radius: Double
    /// The time at which the place was created, if known; OwnTracks identifies regions by it.
    public let created: Timestamp?

    /// Creates a transition.
    public init(
        event: Event, place: PlaceName, centre: Coordinate, radius: Double, created: Timestamp? = nil
    ) {
        self.event = event
        self.place = place
        self.centre = centre
        self.radius = radius
        self.created = created
    }
}
