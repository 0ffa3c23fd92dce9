/// The event detector of one source's track, with the times of the fixes it has observed.
///
/// Detectors use only the fixes' time. This type maps that time to the tracker's clock. It also keeps a recording that
/// is read again after a crash from being observed twice.
struct EventDetection: Sendable {
    private var detector: any EventDetector
    /// Whether observed fixes may come again, because the recording continues after its last record.
    private let followsRecording: Bool
    /// The time of the last fix observed.
    private var last: Timestamp?
    /// The moment at which that fix arrived; absent if the track has not been watched since.
    private var arrival: TrackInstant?
    /// Whether the track was not watched because the object had to stay unknown.
    private var isInterrupted = false
    /// The fixes that an earlier run observed and that come again.
    private var known: KnownFixes?
    /// The latest time of a fix that was observed since the last record.
    private var highest: Timestamp?
    /// Whether the object is hidden.
    private(set) var isConcealed = false
    /// The detector's contexts over time.
    private var contexts = ContextHistory()

    /// The fixes that an earlier run observed, up to the last one. A clock may have gone back before that one. Fixes
    /// later than the latest of them are new, even if the gates decide differently in this run.
    private struct KnownFixes {
        let last: Timestamp
        let highest: Timestamp
        /// The odometer at the last one.
        let odometer: Odometer?
    }

    init(_ detector: any EventDetector, of source: any FixSource) {
        self.detector = detector
        followsRecording = source is any RecordedSource
        contexts.begin(with: detector.context)
    }

    /// Whether the detector has observed fixes of this track, in this run or an earlier one. After a restart the leg
    /// continues.
    private(set) var hasHistory = false

    /// Passes a fix to the detector, after the deadlines before it. While the track was not watched there were no signs
    /// of life, and events that had to stay unknown are not reported afterwards.
    ///
    /// - Returns: the odometer of an earlier run at the last fix that it observed.
    mutating func observe(
        _ observed: DetectorFix, at moment: TrackInstant, report: (DetectorEvent) -> Void
    ) -> Odometer? {
        if let known, observed.fix.time <= known.highest {
            guard observed.fix.time == known.last else { return nil }
            self.known = nil
            return known.odometer
        }
        known = nil
        if let due = detector.deadline, due <= observed.fix.time {
            let (isWatched, isInterrupted) = (arrival != nil || followsRecording, isInterrupted)
            detector.pass(to: observed.fix.time) { event in
                let kind = event.content.kind
                if isWatched || (isInterrupted ? kind.isOfTheWayBefore : kind != .heartbeat) { report(event) }
            }
        }
        isInterrupted = false
        detector.observe(observed, report: report)
        contexts.note(detector.context, at: observed.fix.time)
        last = observed.fix.time
        highest = max(highest ?? observed.fix.time, observed.fix.time)
        isConcealed = false
        arrival = moment
        hasHistory = true
        return nil
    }

    /// Passes a fix that must not be recorded to the detector. Deadlines run as if the fix had not come.
    mutating func witness(_ observed: DetectorFix) {
        if let known, observed.fix.time <= known.highest { return }
        detector.witness(observed)
        detector.conceal()
        isConcealed = true
        contexts.note(detector.context, at: observed.fix.time)
    }

    /// Notes that the object is hidden. Fixes of a recording that were observed before do not hide it again.
    mutating func conceal() {
        guard known == nil else { return }
        detector.conceal()
        isConcealed = true
    }

    /// Ends the track with the last fix.
    mutating func end(report: (DetectorEvent) -> Void) {
        guard known == nil else { return }
        detector.end(report: report)
        if let last { contexts.note(detector.context, at: last) }
    }

    /// Notes that a record was stored, after which a recording continues.
    mutating func recorded() { highest = last }

    /// Processes the deadlines up to a moment of the tracker's clock.
    mutating func pass(to moment: TrackInstant, report: (DetectorEvent) -> Void) {
        guard let last, let arrival, let deadline, moment >= deadline else { return }
        let passed = Duration.nanoseconds(moment.nanoseconds(since: arrival))
        let time = last.advanced(by: passed)
        detector.pass(to: time, report: report)
        contexts.note(detector.context, at: time)
    }

    /// Stops the detector's deadlines until the next fix: the object's movements are unknown from now on.
    mutating func interrupt() {
        arrival = nil
        isInterrupted = true
    }

    /// Passes a request to the detector. Returns whether the detector fulfilled it.
    mutating func perform(_ request: EventRequest, report: (DetectorEvent) -> Void) -> Bool {
        let isDone = detector.perform(request, report: report)
        if let last { contexts.note(detector.context, at: last) } else { contexts.begin(with: detector.context) }
        return isDone
    }

    /// The places and the trip of the object, as far as the detector knows.
    var context: RecordContext? { contexts.current }

    /// Returns the context at a fix of this time.
    func context(at time: Timestamp) -> RecordContext? { contexts.context(at: time) }

    /// Continues from another detection of the same track, as far as this one can read its state.
    mutating func goOn(from other: EventDetection) {
        detector.goOn(from: other.detector)
        (last, highest, arrival, known) = (other.last, other.highest, other.arrival, other.known)
        (isInterrupted, isConcealed) = (other.isInterrupted, other.isConcealed)
        contexts = other.contexts
        if let last { contexts.note(detector.context, at: last) } else { contexts.begin(with: detector.context) }
        hasHistory = other.hasHistory
    }

    /// The next deadline without another fix, by the tracker's clock. The end of the times that can be represented is
    /// none: whatever a detector adds to it, it would be due again at once.
    var deadline: TrackInstant? {
        guard let last, let arrival, let due = detector.deadline, due.nanosecondsSince1970 < .max else { return nil }
        return arrival.advanced(by: max(.zero, due.duration(since: last)))
    }

    /// Writes the detection's part of a state.
    func write(to state: inout SourceProcessorState) {
        (state.last, state.highest, state.isInterrupted) = (last, highest, isInterrupted)
        state.detector = detector.state
    }

    /// Continues from a state. Returns whether it could be read.
    ///
    /// - Parameter record: the time of the record after which a recording continues.
    mutating func resume(from state: SourceProcessorState, after record: Timestamp?) -> Bool {
        // An earlier run without a detector has no state.
        if state.detector.isEmpty, state.last == nil { return true }
        guard detector.resume(from: state.detector) else { return false }
        contexts.begin(with: detector.context)
        hasHistory = true
        (last, highest, isInterrupted) = (state.last, state.highest, state.isInterrupted)
        if followsRecording, let last, let highest, last != record {
            known = KnownFixes(last: last, highest: highest, odometer: state.odometer)
        }
        return true
    }
}

extension RecordKind {
    /// Whether an event of this kind that is due by time alone concerns only the track up to the last fix.
    var isOfTheWayBefore: Bool {
        switch self {
        case .visit, .trip: true
        case .location, .transition, .action, .heartbeat, .power: false
        }
    }
}
