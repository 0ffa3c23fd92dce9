public import TrackEngine

/// Tells when an object enters, leaves or dwells in places.
///
/// A fix counts as a disc of its horizontal accuracy: a place is entered when more than half of the disc lies in it, and left
/// when the whole disc lies outside by more than the place's hysteresis. What lies between decides nothing, and so does a
/// fix that is too coarse for the place.
///
/// - At the start, and for a place that is new or has another area, the object may be found inside: that is not reported, as
///   nobody saw it enter.
/// - A place that lies between two fixes is entered and left with the second one, if the line between both leads through it
///   deep enough for a fix there to count as inside. That holds within a leg and within
///   ``GeofenceConfiguration/maximumGap`` and ``GeofenceConfiguration/maximumStep``.
/// - A fix that lies farther from the one before than anything travels, ``GeofenceConfiguration/maximumSpeed``, is in doubt: the
///   next one decides. If that agrees with the one before, the fix was wild and has never been; if it agrees with the doubtful one,
///   both count, the first at its own time. Nothing else waits for a second fix.
/// - A dwell is reported at the moment at which it is complete, with position, altitude and
///   speed of the fix before, and once for each stay.
///
/// At one fix, places that are left are reported first, then those that were passed, in the order of the way, then those that
/// were entered, in the order of the places.
public struct GeofenceMonitor: EventDetector {
    private(set) var index: PlaceIndex
    let configuration: GeofenceConfiguration
    /// In which places the object is, in the order in which it came there.
    var presences: [Presence] = []
    /// Of which places nobody knows yet whether the object is inside, in ascending order.
    var undecided: [Int] = []
    /// Which places the next fix looks at for the first time.
    var unseen = Unseen.all
    /// The latest fix, without what events do not need.
    var last: LastFix?
    /// A fix after it that needs a speed which nothing has; the next one decides whether it counts.
    var doubtful: LastFix?
    /// The places in which the object is, in the order in which it came there.
    public internal(set) var inside: [PlaceName] = []

    /// A stay at a place.
    struct Presence: Sendable, Hashable, BitwiseCopyable {
        /// The place, as an index.
        var place: Int
        /// Since when it is known that the object is there.
        let since: Timestamp
        /// Whether the dwell has been reported.
        var hasDwelt: Bool
    }

    /// Places that no fix has been compared with.
    enum Unseen: Sendable, Hashable {
        /// All have been seen.
        case none
        /// These, by index.
        case some([Bool])
        /// All of them.
        case all

        func contains(_ place: Int) -> Bool {
            switch self {
            case .none: false
            case .some(let places): places[place]
            case .all: true
            }
        }
    }

    /// What is kept of a fix.
    struct LastFix: Sendable, Hashable, BitwiseCopyable {
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

        /// A fix at the same position and another time. Receivers take an altitude or a speed that is missing for 0.
        func at(_ time: Timestamp) -> Fix {
            Fix(
                time: time, coordinate: coordinate, altitude: altitude, horizontalAccuracy: accuracy, speed: speed)
        }
    }

    /// Watches places.
    ///
    /// - Throws: if two places have one id, or a value of the configuration is out of its bounds.
    public init(
        places: [Place], configuration: GeofenceConfiguration = GeofenceConfiguration()
    ) throws(ConfigurationError) {
        try configuration.check()
        index = try PlaceIndex(places)
        self.configuration = configuration
    }

    /// The places that are watched.
    public var places: [Place] { index.places }

    /// Watches other places from now on.
    ///
    /// The object remains in places that are still there, by their id, whatever became of their area; the next fix decides
    /// whether it is left. It is no longer in places that are gone, and no event says so. What is known of places that have not
    /// changed stays known; a new one may be found silently, unless the newest fix lies outside of it.
    ///
    /// - Throws: if two places have one id. Nothing is changed then.
    public mutating func replace(places: [Place]) throws(ConfigurationError) {
        var next = try GeofenceMonitor(places: places, configuration: configuration)
        next.goOn(from: self)
        self = next
    }

    func updatedInside() -> [PlaceName] { presences.map { index.places[$0.place].reference } }

    mutating func updateInside() { inside = updatedInside() }

    /// In which places the object is.
    public var context: RecordContext? { RecordContext(places: inside) }

    /// Looks at a fix. One without a valid position, which the pipeline's first gate refuses, changes nothing.
    public mutating func observe(_ observed: ObservedFix, report: (DetectedEvent) -> Void) {
        let fix = observed.fix
        guard fix.coordinate.isValid else { return }
        let here = LastFix(
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
            // Nobody knows the way that it came there.
            see(former, former.at(former.time), after: nil, report)
        }
        see(here, fix, after: observed.beginsLeg ? nil : last, report)
    }

    private mutating func see(
        _ here: LastFix, _ fix: Fix, after last: LastFix?, _ report: (DetectedEvent) -> Void
    ) {
        pass(to: here.time, report: report)
        var changes = Changes()
        findLeft(here, &changes)
        findEntered(here, after: last, &changes)
        self.last = here
        if !changes.isEmpty { apply(changes, fix, report) }
    }

    /// Looks at a fix that must not be recorded: the object enters and leaves places, and where it is, is not kept.
    public mutating func witness(_ observed: ObservedFix) {
        observe(observed) { _ in }
        conceal()
    }

    /// Nothing is found out of the way between the newest fix and the next one.
    public mutating func conceal() { (last, doubtful) = (nil, nil) }

    /// Reports the dwells that are complete at a moment. While a fix is in doubt nobody knows whether the object stays: then
    /// they are reported with the next one, as of their moment.
    public mutating func pass(to time: Timestamp, report: (DetectedEvent) -> Void) {
        guard doubtful == nil else { return }
        while let (presence, deadline) = nextDwell, deadline <= time, let last {
            presences[presence].hasDwelt = true
            tell(.dwell, presences[presence].place, at: last.at(deadline), report)
        }
    }

    /// When the next dwell is complete; nothing falls due where it is not known where the object is, nor while a fix is in doubt.
    public var deadline: Timestamp? { last == nil || doubtful != nil ? nil : nextDwell?.deadline }

    /// The presence that completes its dwell next, and when.
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

    func tell(_ event: Transition.Event, _ place: Int, at fix: Fix, _ report: (DetectedEvent) -> Void) {
        let place = index.places[place]
        report(
            DetectedEvent(
                .transition(
                    Transition(
                        event: event, place: place.reference, centre: place.area.centre, radius: place.area.radius,
                        created: place.created)), at: fix))
    }
}
