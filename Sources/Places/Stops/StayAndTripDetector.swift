public import TrackEngine

/// Finds stays and trips in a track: where the object rested and how it came from one place to the next.
///
/// Both follow from the same stops, so they never contradict each other: a trip begins at the departure of a visit and ends at
/// the arrival of the next, to the nanosecond. An event is reported as soon as it is certain, and tells when it happened, which
/// was before: a stay is certain after ``StayAndTripSettings/stopAfter``, a departure mostly after
/// ``StayAndTripSettings/minimumDistance``.
///
/// ```swift
/// var detector = try StayAndTripDetector(.init(), device: "van-7")
/// detector.observe(fix) { event in handle(event) }
/// ```
///
/// Only the fixes' own times count. The same fixes give the same events under the same ids, whether the detector was
/// restarted in between or not. It holds 48 fixes and allocates nothing for a fix that leads to no event.
public struct StayAndTripDetector: EventDetector {
    /// The clock of the fixes has gone wrong when it goes back by more than this, in seconds; a fix that comes later than
    /// a newer one is left out.
    private static let largestStepBack = 60.0
    /// A silence of more than a year, in seconds, is a clock that was set: a receiver began in 1970, or its week rolled over.
    private static let longestSilence = 366 * 86_400.0

    /// What counts as a stay and as a trip.
    public let settings: StayAndTripSettings
    var stops: StopDetector
    var reporter: EventReporter
    var wildFixes = WildFixFilter()
    /// The newest fix; after a restart, as much of it as is kept.
    var latest: Fix?
    /// The mode of a trip that was asked for before the first fix.
    var awaitedMode: TripMode?

    /// A detector at its beginning.
    ///
    /// - Parameters:
    ///   - settings: what counts as a stay and as a trip.
    ///   - device: whose events they are, part of each event's id.
    ///   - place: the named place at a coordinate; `nil` where there is none. It is asked for each event.
    /// - Throws: `ConfigurationError` with everything that is wrong with the settings.
    public init(
        _ settings: StayAndTripSettings = StayAndTripSettings(), device: DeviceID,
        place: @escaping @Sendable (Coordinate) -> PlaceName? = { _ in nil }
    ) throws(ConfigurationError) {
        self.settings = try settings.validated()
        stops = StopDetector(rule: StopRule(settings))
        reporter = EventReporter(settings, device: device, place: place)
    }

    // MARK: Fixes

    /// Looks at a fix. One that lies where the object cannot have come waits for the next.
    public mutating func observe(_ fix: ObservedFix, report: (DetectedEvent) -> Void) {
        guard fix.fix.coordinate.isValid else { return }
        switch wildFixes.take(fix) {
        case .nothing: break
        case .one(let believed): see(believed, report)
        case .two(let former, let believed):
            see(former, report)
            see(believed, report)
        }
    }

    private mutating func see(_ fix: ObservedFix, _ report: (DetectedEvent) -> Void) {
        let step = latest.map { fix.fix.time.seconds(since: $0.time) }
        if let latest, let step, step <= 0 || step > Self.longestSilence {
            guard step > 0 || step < -Self.largestStepBack else { return }
            reporter.fix = latest.kept
            stops.breakOff(to: &reporter, report: report)
        } else if let deadline, deadline < fix.fix.time {
            pass(to: fix.fix.time, report: report)
        }
        latest = fix.fix
        reporter.fix = fix.fix
        let stopFix = StopFix(
            fix.fix, travelled: reporter.travel(to: fix), assumedAccuracy: stops.rule.assumedAccuracy)
        stops.observe(stopFix, isCut: fix.beginsLeg, isMoving: fix.isMoving, to: &reporter, report: report)
        if stops.phase.isMoving { reporter.moved(to: stopFix.mark, report: report) }
        if let mode = awaitedMode { startTrip(mode: mode, report: report) }
    }

    /// No stay is found between the newest fix and the next one, though they may lie at one place. A trip goes on.
    public mutating func conceal() {
        wildFixes.forget()
        stops.conceal()
    }

    /// Ends what lasts at the newest fix: the recording ends there.
    public mutating func end(report: (DetectedEvent) -> Void) {
        guard let latest else { return }
        wildFixes.forget()
        reporter.fix = latest.kept
        stops.endRecording(to: &reporter, report: report)
    }

    // MARK: Time

    /// When a stay is certain, or a trip over after a gap, if no fix comes before.
    public var deadline: Timestamp? { stops.deadline }

    /// Lets time pass without a fix. A fix at exactly ``deadline`` comes first.
    public mutating func pass(to time: Timestamp, report: (DetectedEvent) -> Void) {
        guard let latest else { return }
        reporter.fix = latest.kept
        // Each step takes away a reason to wait, or moves to a later candidate: there are at most as many as fixes are held.
        while let deadline, deadline <= time { stops.timeOut(to: &reporter, report: report) }
    }

    // MARK: Trips by hand

    /// Begins a trip at the newest fix; one that is under way ends there. Without a fix yet, it begins with the first.
    ///
    /// It ends with ``stopTrip(report:)``, or with a gap while the object is not at a stop.
    public mutating func startTrip(mode: TripMode, report: (DetectedEvent) -> Void) {
        guard let latest else {
            awaitedMode = mode
            return
        }
        awaitedMode = nil
        reporter.fix = latest.kept
        reporter.startTrip(mode: mode, at: mark(of: latest), report: report)
    }

    /// Ends the trip that is under way, by itself or by hand, at the newest fix. From there on trips begin by themselves again.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public mutating func stopTrip(report: (DetectedEvent) -> Void) -> Bool {
        guard let latest, awaitedMode == nil else {
            defer { awaitedMode = nil }
            return awaitedMode != nil
        }
        reporter.fix = latest.kept
        return reporter.stopTrip(at: mark(of: latest), isMoving: stops.phase.isMoving, report: report)
    }

    private func mark(of fix: Fix) -> TrackMark {
        TrackMark(time: fix.time, coordinate: fix.coordinate, travelled: reporter.reading)
    }

    /// The visit that lasts, if the object is at a stop.
    public var currentVisit: Visit? {
        switch stops.phase {
        case .unknown, .moving, .lost: nil
        case .resting(let stop), .away(let stop, _): reporter.visit(stop, isComplete: false)
        }
    }

    /// The trip that is under way, as far as the newest fix.
    public var currentTrip: Trip? { latest.flatMap { reporter.currentTrip(at: mark(of: $0)) } }
}
