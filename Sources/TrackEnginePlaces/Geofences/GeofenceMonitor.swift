public import TrackEngine

/// Reports when an object enters, leaves or dwells in places.
///
/// A fix counts as a disc of its horizontal accuracy. A place is entered when more than half of the disc lies in it,
/// and left when the whole disc lies outside by more than the place's hysteresis. A fix between these limits does
/// not decide, nor does one that is too coarse for the place.
///
/// - At the start, and for a place that is new or has another area, the object may be found inside: that is not
///   reported, because its entry was not observed.
/// - A place between two fixes is entered and left with the second one, if the line between both passes through it
///   deeply enough for a fix there to count as inside. This applies within a leg and within
///   ``GeofenceConfiguration/maximumGap`` and ``GeofenceConfiguration/maximumStep``.
/// - A fix that the object could only reach above ``GeofenceConfiguration/maximumSpeed`` is doubtful: the next one
///   decides. If that agrees with the fix before, the doubtful one was wild and is discarded. If it agrees with the
///   doubtful one, both count, the first at its own time. In no other case does a fix wait for a second one.
/// - A dwell is reported for the moment at which it is complete, with position, altitude and speed of the fix
///   before, once per stay.
///
/// At one fix, places that were left are reported first, then those that were passed, in the order of the way, then
/// those that were entered, in the order of the places.
public struct GeofenceMonitor: EventDetector {
    private(set) var index: PlaceIndex
    let configuration: GeofenceConfiguration
    /// The places that contain the object, in the order in which it entered them.
    var presences: [Presence] = []
    /// The places for which it is still unknown whether the object is inside, in ascending order.
    var undecided: [Int] = []
    /// The places that the next fix tests for the first time.
    var unseen = PendingPlaces.all
    /// The latest fix, reduced to the values that events need.
    var last: SavedFix?
    /// A later fix that requires an impossible speed; the next one decides whether it counts.
    var doubtful: SavedFix?
    /// The places that contain the object, in the order in which it entered them.
    public internal(set) var inside: [PlaceName] = []

    /// A stay at a place.
    struct Presence: Sendable, Hashable, BitwiseCopyable {
        /// The place, as an index.
        var place: Int
        /// The time since which the object is known to be there.
        var since: Timestamp
        /// Whether the dwell has been reported.
        var hasDwelt: Bool
        /// Whether only fixes that must not be recorded were there: no event may show that the object was.
        var isHidden = false
    }

    /// Places that no fix has been tested against.
    enum PendingPlaces: Sendable, Hashable {
        /// All places have been tested.
        case none
        /// The untested places, by index.
        case some([Bool])
        /// No place has been tested.
        case all

        func contains(_ place: Int) -> Bool {
            switch self {
            case .none: false
            case .some(let places): places[place]
            case .all: true
            }
        }
    }

    /// The saved part of a fix.
    struct SavedFix: Sendable, Hashable, BitwiseCopyable {
        let time: Timestamp
        let coordinate: Coordinate
        let accuracy: Double?
        let altitude: Double?
        let speed: Double?
        let point: EarthVector

        init(
            time: Timestamp, coordinate: Coordinate, accuracy: Double?, altitude: Double? = nil, speed: Double? = nil
        ) {
            self.time = time
            self.coordinate = coordinate
            self.accuracy = accuracy
            self.altitude = altitude
            self.speed = speed
            point = EarthVector(coordinate)
        }

        /// The fix with the same position at another time. It has altitude and speed, because receivers read missing
        /// ones as 0.
        func at(_ time: Timestamp) -> Fix {
            Fix(
                time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: accuracy, speed: speed)
        }
    }

    /// Creates a monitor for places.
    ///
    /// - Throws: An error if two places have one id, or a value of the configuration is out of its bounds.
    public init(
        places: [Place], configuration: GeofenceConfiguration = GeofenceConfiguration()
    ) throws(ConfigurationError) {
        try configuration.check()
        index = try PlaceIndex(places)
        self.configuration = configuration
    }

    /// The watched places.
    public var places: [Place] { index.places }

    /// Replaces the watched places.
    ///
    /// The object remains in places that still exist, by their id, even if their area has changed; the next fix
    /// decides whether it has left. It is no longer in removed places, without an event. Knowledge about unchanged
    /// places is kept. The object may be found in a new place without an event, unless the newest fix lies outside
    /// of it.
    ///
    /// - Throws: An error if two places have one id. The monitor is unchanged then.
    public mutating func replace(places: [Place]) throws(ConfigurationError) {
        var next = try GeofenceMonitor(places: places, configuration: configuration)
        next.goOn(from: self)
        self = next
    }

    func updatedInside() -> [PlaceName] { presences.map { index.places[$0.place].reference } }

    mutating func updateInside() { inside = updatedInside() }

    /// The places that contain the object.
    public var context: RecordContext? { RecordContext(places: inside) }

    /// Processes a fix. One without a valid position, which the pipeline's first gate rejects, has no effect.
    public mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
        let fix = observed.fix
        guard fix.coordinate.isValid else { return }
        let here = SavedFix(
            time: fix.time, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, altitude: fix.altitude,
            speed: fix.speed)
        pass(to: fix.time, report: report)
        switch judge(here, beginsLeg: observed.beginsLeg) {
        case .isWild:
            doubtful = here
            return
        case .isBelieved: doubtful = nil
        case .confirms(let former):
            doubtful = nil
            // The way to the doubtful fix is unknown.
            see(former, former.at(former.time), after: nil, report)
        }
        see(here, fix, after: observed.beginsLeg ? nil : last, report)
    }

    private mutating func see(
        _ here: SavedFix, _ fix: Fix, after last: SavedFix?, _ report: (DetectorEvent) -> Void
    ) {
        pass(to: here.time, report: report)
        var changes = Outcome()
        findLeft(here, &changes)
        findEntered(here, after: last, &changes)
        self.last = here
        if !changes.isEmpty { apply(changes, fix, report) }
        showPresences(at: here.time)
    }

    /// Begins the stays anew that only hidden fixes have shown: the object is seen there now.
    private mutating func showPresences(at time: Timestamp) {
        var index = 0
        while index < presences.count {
            if presences[index].isHidden { (presences[index].since, presences[index].isHidden) = (time, false) }
            index += 1
        }
    }

    /// Processes a fix that must not be recorded: the object enters and leaves places, but its position is not kept.
    /// A place that it enters in this way is left without an event, unless a later fix shows it there.
    public mutating func witness(_ observed: DetectorFix) {
        let shown = presences.filter { !$0.isHidden }.map(\.place)
        observe(observed) { _ in }
        for index in presences.indices { presences[index].isHidden = !shown.contains(presences[index].place) }
        conceal()
    }

    /// Hides the way between the newest fix and the next one.
    public mutating func conceal() { (last, doubtful) = (nil, nil) }

    /// Reports the dwells that are complete at a time. While a fix is doubtful, the stay is uncertain: the dwells
    /// are then reported with the next fix, for their own time.
    public mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
        guard doubtful == nil else { return }
        while let (presence, deadline) = nextDwell, deadline <= time, let last {
            presences[presence].hasDwelt = true
            tell(.dwell, presences[presence].place, at: last.at(deadline), report)
        }
    }

    /// The time at which the next dwell is complete; `nil` while the position is unknown or a fix is doubtful.
    public var deadline: Timestamp? { last == nil || doubtful != nil ? nil : nextDwell?.deadline }

    /// The presence with the next complete dwell, and its time.
    private var nextDwell: (presence: Int, deadline: Timestamp)? {
        var next: (presence: Int, deadline: Timestamp)?
        var index = 0
        while index < presences.count {
            let presence = presences[index]
            if !presence.hasDwelt, let dwell = self.index.places[presence.place].dwell {
                let deadline = presence.since.advanced(by: dwell)
                if next.map({ deadline < $0.deadline }) ?? true { next = (index, deadline) }
            }
            index += 1
        }
        return next
    }

    func tell(_ event: Transition.Event, _ place: Int, at fix: Fix, _ report: (DetectorEvent) -> Void) {
        let place = index.places[place]
        report(
            DetectorEvent(
                .transition(
                    Transition(
                        event: event, place: place.reference, centre: place.area.centre, radius: place.area.radius,
                        created: place.created)), at: fix))
    }
}
