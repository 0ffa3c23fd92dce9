/// A named place was entered or left, or the object has stayed there for the place's dwell time.
public struct Transition: Sendable, Hashable {
    /// What happened at the place.
    public enum Event: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// The object came in.
        case enter = 1
        /// The object went out.
        case leave = 2
        /// The object has been inside for the place's dwell time.
        case dwell = 3

        /// The word for this event; OwnTracks knows the first two.
        public var name: String {
            switch self {
            case .enter: "enter"
            case .leave: "leave"
            case .dwell: "dwell"
            }
        }
    }

    /// What happened.
    public let event: Event
    /// At which place.
    public let place: PlaceName
    /// The middle of the place; for an area without one, a point in it.
    public let centre: Coordinate
    /// How far the place reaches from there, in metres.
    public let radius: Double
    /// When the place was made, as far as that is known; OwnTracks knows regions by it.
    public let created: Timestamp?

    /// Makes a transition.
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
