/// The rule `deviation` in the pipeline: the filter, and the bound on its delay.
struct DeviationRecorder: Sendable, Hashable {
    /// A fix to be recorded.
    struct Selection: Hashable {
        let fix: Fix
        let cause: RecordCause
        /// The odometer at the fix, in metres.
        let odometer: Double
        /// The number of unneeded fixes before it.
        let passedOver: Int
    }

    private let maximumDeviation: Double
    /// In nanoseconds; 0 for no bound.
    private let maximumInterval: Int64
    private var filter: DeviationFilter
    /// The number of the last recorded fix.
    private var last = 0
    private var lastPlace: DistanceAnchor?
    private var lastMoment = TrackInstant(nanoseconds: 0)
    private var newestMoment = TrackInstant(nanoseconds: 0)
    /// Whether the newest fix is farther from the last recorded one than the bound.
    private var isAway = false

    /// Creates the recorder of a configuration; `nil` if it has another rule.
    init?(_ configuration: RecordingConfiguration) {
        guard configuration.record == .deviation else { return nil }
        maximumDeviation = configuration.maximumDeviation
        maximumInterval = configuration.maximumInterval.saturatedNanoseconds
        filter = DeviationFilter(
            maximumDeviation: configuration.maximumDeviation,
            maximumAltitudeDeviation: configuration.maximumAltitudeDeviation)
    }

    /// Continues from a fix that is recorded already.
    mutating func restart(at fix: Fix, moment: TrackInstant) {
        filter.restart(at: fix)
        newestMoment = moment
        note(WindowFix(fix: fix, mark: 0, number: filter.newestNumber))
    }

    /// Processes a fix in motion.
    mutating func offer(_ fix: Fix, odometer: Double, at now: TrackInstant, record: (Selection) -> Void) {
        newestMoment = now
        var kept: WindowFix?
        var before = last
        filter.offer(fix, mark: odometer) {
            record($0.keeping(.deviation, after: before))
            (kept, before) = ($0, $0.number)
        }
        if let kept { note(kept) }
        isAway = lastPlace?.isFarther(fix.coordinate, than: maximumDeviation) ?? false
    }

    /// Goes back to an earlier moment than the last one.
    mutating func rewind(to now: TrackInstant) {
        lastMoment = min(lastMoment, now)
        newestMoment = min(newestMoment, now)
    }

    private mutating func note(_ kept: WindowFix) {
        last = kept.number
        lastPlace = DistanceAnchor(kept.fix.coordinate)
        isAway = false
        let newest = filter.newest?.time ?? kept.fix.time
        let lag = newest.nanosecondsSince1970.saturatingSubtract(kept.fix.time.nanosecondsSince1970)
        lastMoment = TrackInstant(nanoseconds: newestMoment.nanoseconds.saturatingSubtract(max(0, lag)))
    }

    /// Whether fixes have arrived after the last recorded one.
    var hasUndecided: Bool { filter.hasUndecided }

    // MARK: Time

    /// The moment at which the newest fix must be recorded even if it is not needed.
    @inline(__always)
    var deadline: TrackInstant? {
        // Inlined because it is read for every fix, and a call would copy the recorder.
        guard maximumInterval > 0, isAway, filter.hasUndecided else { return nil }
        return lastMoment.advanced(byNanoseconds: maximumInterval)
    }

    /// Decides all undecided fixes; the newest fix is recorded with its own cause.
    mutating func decide(newest cause: RecordCause, record: (Selection) -> Void) {
        let newest = filter.newestNumber
        var kept: WindowFix?
        var before = last
        filter.flushMarked {
            record($0.keeping($0.number == newest ? cause : .deviation, after: before))
            (kept, before) = ($0, $0.number)
        }
        if let kept { note(kept) }
    }

    /// Returns the same state under another configuration; undecided fixes must have been decided before.
    func reconfigured(_ configuration: RecordingConfiguration) -> DeviationRecorder? {
        guard var next = DeviationRecorder(configuration) else { return nil }
        if let newest = filter.newest { next.restart(at: newest, moment: newestMoment) }
        return next
    }
}

extension WindowFix {
    fileprivate func keeping(_ cause: RecordCause, after number: Int) -> DeviationRecorder.Selection {
        DeviationRecorder.Selection(
            fix: fix, cause: cause, odometer: mark, passedOver: max(0, self.number - number - 1))
    }
}
