public import TrackEngine

/// Detects stays and trips in a track: the places where the object rested, and its travel between them.
///
/// Both follow from the same stops, so they never contradict each other: a trip begins at the departure of a visit
/// and ends at the arrival of the next, to the nanosecond. An event is reported as soon as it is certain and has the
/// earlier time at which it happened. A stay is certain after ``VisitAndTripSettings/stopAfter``, a departure usually
/// after ``VisitAndTripSettings/minimumDistance``.
///
/// ```swift
/// var detector = try VisitAndTripDetector(.init(), device: "van-7")
/// detector.observe(fix) { event in handle(event) }
/// ```
///
/// Only the times of the fixes count. The same fixes give the same events with the same ids, with or without
/// restarts in between. The detector holds 48 fixes and allocates no memory for a fix without an event.
public struct VisitAndTripDetector: EventDetector {
    /// The largest step back in time of a late fix, in seconds; such a fix is ignored. After a larger step, the
    /// clock of the fixes is considered wrong.
    private static let largestStepBack = 60.0
    /// The longest silence, in seconds: a year. A longer one means that a clock was set: a receiver started in 1970,
    /// or its week number rolled over.
    private static let longestSilence = 366 * 86_400.0

    /// The criteria for stays and trips.
    public let settings: VisitAndTripSettings
    var stops: StopDetector
    var reporter: EventReporter
    var wildFixes = JumpFilter()
    /// The newest fix; after a restart, its saved part.
    var latest: Fix?
    /// The mode of a trip that was requested before the first fix.
    var awaitedMode: TripMode?

    /// Creates a detector without a history.
    ///
    /// - Parameters:
    ///   - settings: The criteria for stays and trips.
    ///   - device: The device, which is part of each event's id.
    ///   - place: Returns the named place at a coordinate; `nil` if there is none. It is called for each event.
    /// - Throws: `ConfigurationError` with all problems of the settings.
    public init(
        _ settings: VisitAndTripSettings = VisitAndTripSettings(), device: DeviceID,
        place: @escaping @Sendable (Coordinate) -> PlaceName? = { _ in nil }
    ) throws(ConfigurationError) {
        self.settings = try settings.validated()
        stops = StopDetector(rule: StopRule(settings))
        reporter = EventReporter(settings, device: device, place: place)
    }

    // MARK: Fixes

    /// Processes a fix. A fix that the object cannot have reached is held back until the next one.
    public mutating func observe(_ fix: DetectorFix, report: (DetectorEvent) -> Void) {
        guard fix.fix.coordinate.isValid else { return }
        switch wildFixes.take(fix) {
        case .nothing: break
        case .one(let believed): see(believed, report)
        case .two(let former, let believed):
            see(former, report)
            see(believed, report)
        }
    }

    private mutating func see(_ fix: DetectorFix, _ report: (DetectorEvent) -> Void) {
        let step = latest.map { fix.fix.time.seconds(since: $0.time) }
        if let latest, let step, step <= 0 || step > Self.longestSilence {
            guard step > 0 || step < -Self.largestStepBack else { return }
            reporter.fix = latest.saved
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

    /// Suppresses stays between the newest fix and the next one, even if both lie at one place. A trip continues.
    public mutating func conceal() {
        wildFixes.forget()
        stops.conceal()
    }

    /// Ends the current visit and trip at the newest fix, because the recording ends there.
    public mutating func end(report: (DetectorEvent) -> Void) {
        guard let latest else { return }
        wildFixes.forget()
        reporter.fix = latest.saved
        stops.endRecording(to: &reporter, report: report)
    }

    // MARK: Time

    /// The time at which a stay becomes certain, or a trip ends after a gap, unless a fix comes before.
    public var deadline: Timestamp? { stops.deadline }

    /// Advances the time without a fix. A fix at exactly ``deadline`` must be observed first.
    public mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
        guard let latest else { return }
        reporter.fix = latest.saved
        // Each step removes a reason to wait or moves to a later candidate, so there are at most as many steps as
        // held fixes.
        while let deadline, deadline <= time { stops.timeOut(to: &reporter, report: report) }
    }

    // MARK: Requested trips

    /// Begins a trip at the newest fix, where a current trip ends. Without a fix yet, the trip begins with the first
    /// one.
    ///
    /// It ends with ``stopTrip(report:)``, or with a gap while the object is not at a stop.
    public mutating func startTrip(mode: TripMode, report: (DetectorEvent) -> Void) {
        guard let latest else {
            awaitedMode = mode
            return
        }
        awaitedMode = nil
        reporter.fix = latest.saved
        reporter.startTrip(mode: mode, at: mark(of: latest), report: report)
    }

    /// Ends the current trip, automatic or requested, at the newest fix. Afterwards, trips begin automatically
    /// again.
    ///
    /// - Returns: Whether there was a trip.
    @discardableResult
    public mutating func stopTrip(report: (DetectorEvent) -> Void) -> Bool {
        guard let latest, awaitedMode == nil else {
            defer { awaitedMode = nil }
            return awaitedMode != nil
        }
        reporter.fix = latest.saved
        return reporter.stopTrip(at: mark(of: latest), isMoving: stops.phase.isMoving, report: report)
    }

    private func mark(of fix: Fix) -> TrackMark {
        TrackMark(time: fix.time, coordinate: fix.coordinate, travelled: reporter.reading)
    }

    /// The current visit, if the object is at a stop.
    public var currentVisit: Visit? {
        switch stops.phase {
        case .unknown, .moving, .lost: nil
        case .resting(let stop), .away(let stop, _): reporter.visit(stop, isComplete: false)
        }
    }

    /// The current trip, up to the newest fix.
    public var currentTrip: Trip? { latest.flatMap { reporter.currentTrip(at: mark(of: $0)) } }
}
