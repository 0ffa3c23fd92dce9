/// Detects events in a track: entering a place, beginning a visit, ending a trip.
///
/// A detector is a plain value, like the pipeline: it has no clock, does not wait and does not log. It observes each
/// fix of one source that passed the quality gates, recorded or not, in order, and reports the events that follow from
/// it. It uses only the fixes' own times: a replayed recording gives the same events as the live run, and a state
/// written before a reboot remains usable after it.
///
/// The tracker calls a copy, which replaces the original only when the store has the events: no event is lost, and none
/// is reported twice.
public protocol EventDetector: Sendable {
    /// Observes a fix.
    mutating func observe(_ fix: DetectorFix, report: (DetectorEvent) -> Void)

    /// Observes a fix that must not be recorded: updates only the set of places in which the object is, and does not
    /// keep the position. Reports no event.
    mutating func witness(_ fix: DetectorFix)

    /// Notes that the object is hidden: its movements until the next fix must not be derivable from the fixes before
    /// and after. May be called more than once.
    mutating func conceal()

    /// Processes the deadlines up to a time on the fixes' clock, without a fix.
    mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void)

    /// Performs a request, such as beginning a trip. Returns whether the detector fulfilled it.
    mutating func perform(_ request: EventRequest, report: (DetectorEvent) -> Void) -> Bool

    /// Ends open visits and trips at the newest fix, because the recording ends there.
    mutating func end(report: (DetectorEvent) -> Void)

    /// Continues from the state of another detector of the same track, for example after a change of the configuration.
    /// By default from its ``state``.
    mutating func goOn(from other: any EventDetector)

    /// The time of the next event without another fix, on the fixes' clock; `nil` if there is none.
    var deadline: Timestamp? { get }

    /// The places and the trip of the object, as far as the detector knows; `nil` if there are none. Read after each
    /// fix; records of that fix contain it.
    var context: RecordContext? { get }

    /// The state to save for a restart; at most 64 KiB.
    var state: [UInt8] { get }

    /// Continues from a saved state. A state that cannot be read leaves the detector unchanged.
    ///
    /// - Returns: whether the state was read.
    @discardableResult
    mutating func resume(from state: [UInt8]) -> Bool
}

extension EventDetector {
    /// Ignores a fix that must not be recorded.
    public mutating func witness(_ fix: DetectorFix) {}

    /// Has no effect by default.
    public mutating func conceal() {}

    /// Fulfils no request.
    public mutating func perform(_ request: EventRequest, report: (DetectorEvent) -> Void) -> Bool { false }

    /// Leaves visits and trips open.
    public mutating func end(report: (DetectorEvent) -> Void) {}

    /// Continues from the other detector's state.
    public mutating func goOn(from other: any EventDetector) { resume(from: other.state) }

    /// No known places and trips.
    public var context: RecordContext? { nil }
}

/// A request of a person or a program to a detector.
public enum EventRequest: Sendable, Hashable {
    /// Begin a trip at the newest fix.
    case startTrip(TripMode)
    /// End the trip under way at the newest fix.
    case stopTrip
}

/// Hides true positions from the rest of the engine: the pipeline, the store, sinks, status and logs.
public protocol PrivacyFilter: Sendable {
    /// Returns the fix to use in place of a fix, or `nil` to use none. Called once for each fix, by any task.
    func covered(_ fix: Fix) -> Fix?
    /// Identifies the hidden areas: differs after each change, is the same after a restart. 0, the default, if they
    /// never change.
    var signature: UInt64 { get }
    /// Whether any position may be hidden at this moment; true by default. If so, the wireless network is named only
    /// while fixes show that the object is elsewhere.
    var hidesAnything: Bool { get }
}

extension PrivacyFilter {
    /// 0: the hidden areas never change.
    public var signature: UInt64 { 0 }

    /// True: positions may be hidden.
    public var hidesAnything: Bool { true }
}

/// A fix as observed by detectors.
public struct DetectorFix: Sendable, Hashable, BitwiseCopyable {
    /// The fix, with its date corrected.
    public let fix: Fix
    /// Whether the object is moving, according to the pipeline.
    public let isMoving: Bool
    /// The odometer, in metres.
    public let odometer: Double
    /// Whether no line leads to this fix from the previous one: the first fix, or the first after a pause.
    public let beginsLeg: Bool

    /// Creates an observation.
    public init(fix: Fix, isMoving: Bool, odometer: Double, beginsLeg: Bool = false) {
        self.fix = fix
        self.isMoving = isMoving
        self.odometer = odometer
        self.beginsLeg = beginsLeg
    }
}

/// An event found by a detector.
public struct DetectorEvent: Sendable, Hashable {
    /// The event.
    public let content: RecordContent
    /// The fix that gives the event's record its position and time.
    public let fix: Fix

    /// Creates an event.
    public init(_ content: RecordContent, at fix: Fix) {
        self.content = content
        self.fix = fix
    }
}
