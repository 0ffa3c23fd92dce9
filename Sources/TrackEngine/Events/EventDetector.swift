/// Finds out what a track means: whether a place was entered, a visit has begun, a trip has ended.
///
/// A detector is a plain value, like the pipeline: no clock, no waiting, no logging. It sees each fix that passed the quality
/// gates, recorded or not, in the order of one source, and reports what follows from it. Only the fixes' own times count, so
/// that a recording replayed gives the same events as the live run, and a state written before a reboot can go on after it.
///
/// The tracker calls it on a copy, which takes the original's place only when the store has the events: no event is
/// lost, and none is reported twice.
public protocol EventDetector: Sendable {
    /// Looks at a fix.
    mutating func observe(_ fix: ObservedFix, report: (DetectedEvent) -> Void)

    /// Looks at a fix that must not be recorded: only so far as to know in which places the object is, and without keeping the
    /// position. Nothing is reported.
    mutating func witness(_ fix: ObservedFix)

    /// The object is where nobody is to know that it is: what it does until the next fix is not to be found out from the fixes
    /// before and after. It may be called more than once.
    mutating func conceal()

    /// Lets time pass without a fix, at most up to a moment on the fixes' clock.
    mutating func pass(to time: Timestamp, report: (DetectedEvent) -> Void)

    /// Does what somebody asks for, such as beginning a trip; returns whether it did.
    mutating func perform(_ request: EventRequest, report: (DetectedEvent) -> Void) -> Bool

    /// Ends what lasts at the newest fix, because the recording ends there and nobody will know more.
    mutating func end(report: (DetectedEvent) -> Void)

    /// Goes on from what another detector of the same track knows, as after a change of the configuration. By default from its
    /// ``state``.
    mutating func goOn(from other: any EventDetector)

    /// When something happens if no fix comes before, on the fixes' clock; `nil` if nothing does.
    var deadline: Timestamp? { get }

    /// Where the object is and on which trip, as far as the detector knows; `nil` where there is nothing to say. It is asked after each
    /// fix, and records of that fix have it.
    var context: RecordContext? { get }

    /// What has to be kept to go on after a restart; not more than 64 KiB.
    var state: [UInt8] { get }

    /// Goes on from a kept state. One that it cannot read leaves the detector as it is.
    ///
    /// - Returns: whether the state was read.
    @discardableResult
    mutating func resume(from state: [UInt8]) -> Bool
}

extension EventDetector {
    /// Fixes that must not be recorded are none of its business.
    public mutating func witness(_ fix: ObservedFix) {}

    /// Nothing follows from a silence.
    public mutating func conceal() {}

    /// Nothing can be asked for.
    public mutating func perform(_ request: EventRequest, report: (DetectedEvent) -> Void) -> Bool { false }

    /// What lasts is left open.
    public mutating func end(report: (DetectedEvent) -> Void) {}

    /// All that its state says.
    public mutating func goOn(from other: any EventDetector) { resume(from: other.state) }

    /// Nothing is known of places and trips.
    public var context: RecordContext? { nil }
}

/// What people may ask of a detector.
public enum EventRequest: Sendable, Hashable {
    /// A trip begins at the newest fix.
    case startTrip(TripMode)
    /// The trip under way ends at the newest fix.
    case stopTrip
}

/// Keeps true positions from everything behind it: from the pipeline, the store, sinks, status and logs.
public protocol PositionCover: Sendable {
    /// The fix to be used in place of a fix, or `nil` to use none. It is asked once for each fix, in any task.
    func covered(_ fix: Fix) -> Fix?
    /// Stands for what is hidden; another one after each change, the same over restarts. 0, the default, where that never changes.
    var signature: UInt64 { get }
    /// Whether anything may be hidden at this moment; true by default. Where it is, the wireless network is named only while fixes
    /// show that the object is elsewhere.
    var hidesAnything: Bool { get }
}

extension PositionCover {
    /// What is hidden never changes.
    public var signature: UInt64 { 0 }

    /// Something may be hidden.
    public var hidesAnything: Bool { true }
}

/// A fix as detectors see it.
public struct ObservedFix: Sendable, Hashable, BitwiseCopyable {
    /// The fix, its date put right.
    public let fix: Fix
    /// Whether the pipeline takes the object to be moving.
    public let isMoving: Bool
    /// What the odometer shows, in metres.
    public let odometer: Double
    /// Whether no line leads here from the fix before: the first fix, or the first after a pause.
    public let beginsLeg: Bool

    /// Makes an observation.
    public init(fix: Fix, isMoving: Bool, odometer: Double, beginsLeg: Bool = false) {
        self.fix = fix
        self.isMoving = isMoving
        self.odometer = odometer
        self.beginsLeg = beginsLeg
    }
}

/// What a detector has found.
public struct DetectedEvent: Sendable, Hashable {
    /// The event.
    public let content: RecordContent
    /// The fix that the event's record has as its position and time.
    public let fix: Fix

    /// Makes an event.
    public init(_ content: RecordContent, at fix: Fix) {
        self.content = content
        self.fix = fix
    }
}
