/// A way from one stay to the next.
///
/// It is announced when it begins, with an open ``end``, and told once more under the same ``id`` when it is complete.
public struct Trip: Sendable, Hashable, Identifiable {
    /// One end of a trip.
    public struct Terminus: Sendable, Hashable {
        /// When the object was there.
        public let time: Timestamp
        /// Where that was.
        public let coordinate: Coordinate
        /// The named place in which it lies, if there is one.
        public let place: PlaceName?

        /// Makes an end of a trip.
        public init(time: Timestamp, coordinate: Coordinate, place: PlaceName? = nil) {
            self.time = time
            self.coordinate = coordinate
            self.place = place
        }
    }

    /// What began or ended a trip.
    public enum Trigger: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
        /// The detector saw movement, or rest.
        case automatic = 1
        /// A person or a command said so.
        case requested = 2
        /// Nothing was received for so long that the trip cannot be the same.
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

    /// The same in every record of this trip.
    public let id: EventID
    /// How the object travels.
    public let mode: TripMode
    /// Where and when it began.
    public let start: Terminus
    /// Where and when it ended; absent while it lasts.
    public let end: Terminus?
    /// The way travelled, by the odometer, in metres.
    public let distance: Double
    /// How long the object moved.
    public let movingTime: Duration
    /// The highest speed, in metres per second; absent where nothing is known of speeds.
    public let topSpeed: Double?
    /// How far it climbed, in metres, descents not subtracted; absent where no altitudes are known.
    public let climb: Double?
    /// What began it.
    public let startedBy: Trigger
    /// What ended it; absent while it lasts.
    public let endedBy: Trigger?

    /// Makes a trip.
    public init(
        id: EventID, mode: TripMode, start: Terminus, end: Terminus? = nil, distance: Double, movingTime: Duration,
        topSpeed: Double? = nil, climb: Double? = nil, startedBy: Trigger, endedBy: Trigger? = nil
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

    /// How long it lasted; absent while it lasts.
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

    /// The word for this mode in the Overland format.
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

    /// The mode of a word, in the spelling of ``name``; `nil` for any other.
    public init?(name: String) {
        guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = mode
    }
}
