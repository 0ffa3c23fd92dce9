/// The event detector of one source's track, and when it was shown what.
///
/// Detectors know the fixes' time alone. This says which moment of the tracker's clock that is, and keeps a recording that is
/// read again after a crash from being observed twice.
struct TrackDetection: Sendable {
    private var detector: any EventDetector
    /// Whether fixes may come again that were observed before: the recording goes on after its last record.
    private let followsRecording: Bool
    /// The time of the last fix observed.
    private var last: Timestamp?
    /// When that fix arrived; absent where nobody watched since then.
    private var arrival: TrackInstant?
    /// Whether that is so because nothing was to be known of the object.
    private var isInterrupted = false
    /// The fixes that an earlier run observed and that come again.
    private var known: KnownFixes?
    /// The latest time of a fix that was observed since the last record.
    private var highest: Timestamp?
    /// Whether the object is where nobody is to know that it is.
    private(set) var isConcealed = false
    /// What the detector has known since when.
    private var contexts = ContextHistory()

    /// Fixes that an earlier run observed: those up to the last one. A clock may have gone back before it; what is later than the
    /// latest of them is new, whatever the gates say otherwise in this run.
    private struct KnownFixes {
        let last: Timestamp
        let highest: Timestamp
        /// How far the object had travelled at the last one.
        let odometer: Odometer?
    }

    init(_ detector: any EventDetector, of source: any FixSource) {
        self.detector = detector
        followsRecording = source is any RecordedSource
        contexts.begin(with: detector.context)
    }

    /// Whether it has seen fixes of this track, in this run or an earlier one: after a restart the leg goes on.
    private(set) var hasHistory = false

    /// Shows the detector a fix, after what falls due before it. While nobody watched there were no signs of life, and what was to
    /// be known of nobody is not told afterwards.
    ///
    /// - Returns: what the odometer showed in an earlier run, at the last fix that it had observed.
    mutating func observe(
        _ observed: ObservedFix, at moment: TrackInstant, report: (DetectedEvent) -> Void
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

    /// Shows the detector a fix that must not be recorded. What falls due without a fix does as if it had not come.
    mutating func witness(_ observed: ObservedFix) {
        if let known, observed.fix.time <= known.highest { return }
        detector.witness(observed)
        detector.conceal()
        isConcealed = true
        contexts.note(detector.context, at: observed.fix.time)
    }

    /// The object is where nobody is to know that it is. In a recording what was observed before is not concealed again.
    mutating func conceal() {
        guard known == nil else { return }
        detector.conceal()
        isConcealed = true
    }

    /// The track ends with the last fix.
    mutating func end(report: (DetectedEvent) -> Void) {
        guard known == nil else { return }
        detector.end(report: report)
        if let last { contexts.note(detector.context, at: last) }
    }

    /// A record has been kept, after which a recording goes on.
    mutating func recorded() { highest = last }

    /// Lets time pass up to a moment of the tracker's clock.
    mutating func pass(to moment: TrackInstant, report: (DetectedEvent) -> Void) {
        guard let last, let arrival, let deadline, moment >= deadline else { return }
        let passed = Duration.nanoseconds(moment.nanoseconds(since: arrival))
        let time = last.advanced(by: passed)
        detector.pass(to: time, report: report)
        contexts.note(detector.context, at: time)
    }

    /// Nothing is known of what the object does from now on: nothing falls due before the next fix.
    mutating func interrupt() {
        arrival = nil
        isInterrupted = true
    }

    /// Does what somebody asks for; returns whether it did.
    mutating func perform(_ request: EventRequest, report: (DetectedEvent) -> Void) -> Bool {
        let isDone = detector.perform(request, report: report)
        if let last { contexts.note(detector.context, at: last) } else { contexts.begin(with: detector.context) }
        return isDone
    }

    /// Where the object is and on which trip, as far as the detector knows.
    var context: RecordContext? { contexts.current }

    /// The same at a fix of this time.
    func context(at time: Timestamp) -> RecordContext? { contexts.context(at: time) }

    /// Takes over what another detection of the same track knows, as far as this one can read it.
    mutating func goOn(from other: TrackDetection) {
        detector.goOn(from: other.detector)
        (last, highest, arrival, known) = (other.last, other.highest, other.arrival, other.known)
        (isInterrupted, isConcealed) = (other.isInterrupted, other.isConcealed)
        contexts = other.contexts
        if let last { contexts.note(detector.context, at: last) } else { contexts.begin(with: detector.context) }
        hasHistory = other.hasHistory
    }

    /// When something falls due without another fix, by the tracker's clock.
    var deadline: TrackInstant? {
        guard let last, let arrival, let due = detector.deadline else { return nil }
        return arrival.advanced(by: max(.zero, due.duration(since: last)))
    }

    /// Writes what it knows into a state.
    func write(to state: inout LaneState) {
        (state.last, state.highest, state.isInterrupted) = (last, highest, isInterrupted)
        state.detector = detector.state
    }

    /// Goes on from a state; returns whether it could be read.
    ///
    /// - Parameter record: the time of the record after which a recording goes on.
    mutating func resume(from state: LaneState, after record: Timestamp?) -> Bool {
        // An earlier run without a detector says nothing.
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
    /// Whether what is told as time passes is about the way up to the last fix alone.
    var isOfTheWayBefore: Bool {
        switch self {
        case .visit, .trip: true
        case .location, .transition, .action, .heartbeat, .power: false
        }
    }
}
