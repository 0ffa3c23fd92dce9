/// A journey from one stay to the next.
///
/// It is announced when it begins, with an open ``end``, and recorded once more under the same ``id`` when it is
/// complete.
public struct Trip: Sendable, Hashable, Identifiable {
    /// One end of a trip.
    public struct End: Sendable, Hashable {
        /// The time at which the object was there.
        public let time: Timestamp
        /// The position.
        public let coordinate: Coordinate
        /// The named place that contains the position, if there is one.
        public let place: PlaceName?

        /// Creates an end of a trip.
        public init(time: Timestamp, coordinate: Coordinate, place: PlaceName? = nil) {
            self.time = time
            self.coordinate = coordinate
            self.place = place
        }
    }

    /// The reason why a trip began or ended.
    public enum Reason: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// The detector observed movement, or rest.
        case automatic = 1
        /// A person or a command requested it.
        case requested = 2
        /// No fix was received for so long that the trip cannot be the same.
        case gap = 3
        /// The recording ended.
        case recording = 4

        /// A short word for messages and logs.
        public var name: String {
            switch self {
            case .automatic: "automatic"
            case .requested: "requested"
            case .gap: "gap"
            case .recording: "recording"
            }
        }
    }

    /// The same id in every record of this trip.
    public let id: EventID
    /// The mode of travel.
    public let mode: TripMode
    /// The position and time of the start.
    public let start: End
    /// The position and time of the end; absent during the trip.
    public let end: End?
    /// The distance travelled, by the odometer, in metres.
    public let distance: Double
    /// The time for which the object moved.
    public let movingTime: Duration
    /// The highest speed, in metres per second; absent if no speeds are known.
    public let topSpeed: Double?
    /// The metres climbed, descents not subtracted; absent if no altitudes are known.
    public let climb: Double?
    /// The reason why it began.
    public let startedBy: Reason
    /// The reason why it ended; absent during the trip.
    public let endedBy: Reason?

    /// Creates a trip.
    public init(
        id: EventID, mode: TripMode, start: End, end: End? = nil, distance: Double, movingTime: Duration,
        topSpeed: Double? = nil, climb: Double? = nil, startedBy: Reason, endedBy: Reason? = nil
    ) {
        self.id = id
        self.mode = mode
        self.start = start
        self.end = end
        self.distance = distance
        self.movingTime = movingTime
        self.topSpeed = topSpeed
        self.climb = climb
        self.startedBy = startedBy
        self.endedBy = endedBy
    }

    /// The duration; absent during the trip.
    public var duration: Duration? { end.map { $0.time.duration(since: start.time) } }
}

/// The means of travel, in the fifteen words of the Overland format.
public enum TripMode: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// On foot.
    case walk = 1
    /// On foot, at a run.
    case run
    /// On a bicycle.
    case bicycle
    /// In a car.
    case car
    /// In a taxi.
    case taxi
    /// In a bus.
    case bus
    /// In a tram.
    case tram
    /// In a train.
    case train
    /// In an underground train.
    case metro
    /// In a cable car.
    case gondola
    /// In a monorail.
    case monorail
    /// In a sleigh.
    case sleigh
    /// In an aeroplane.
    case plane
    /// In a boat.
    case boat
    /// On a scooter.
    case scooter

    /// The name of this mode in the Overland format.
    public var name: String {
        switch self {
        case .walk: "walk"
        case .run: "run"
        case .bicycle: "bicycle"
        case .car: "car"
        case .taxi: "taxi"
        case .bus: "bus"
        case .tram: "tram"
        case .train: "train"
        case .metro: "metro"
        case .gondola: "gondola"
        case .monorail: "monorail"
        case .sleigh: "sleigh"
        case .plane: "plane"
        case .boat: "boat"
        case .scooter: "scooter"
        }
    }

    /// Creates a mode from its name, in the spelling of ``name``; `nil` for any other text.
    public init?(name: String) {
        guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = mode
    }
}
