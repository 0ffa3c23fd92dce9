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
    /// Up to when fixes have been observed by an earlier run.
    private var observedBefore: Timestamp?
    /// What the detector has known since when.
    private var contexts = ContextHistory()
    /// What stands for the positions that are hidden from the detector: what it knew under another cover is not to be known.
    private let cover: UInt64

    init(_ detector: any EventDetector, of source: any FixSource, cover: (any PositionCover)?) {
        self.detector = detector
        followsRecording = source is any RecordedSource
        contexts.begin(with: detector.context)
        self.cover = cover?.signature ?? 0
    }

    /// Whether it has seen fixes of this track, in this run or an earlier one: after a restart the leg goes on.
    private(set) var hasHistory = false

    /// Shows the detector a fix, after what falls due before it. While nobody watched there were no signs of life, and what was to
    /// be known of nobody is not told afterwards.
    mutating func observe(_ observed: ObservedFix, at moment: TrackInstant, report: (DetectedEvent) -> Void) {
        if let before = observedBefore {
            guard observed.fix.time > before else { return }
            observedBefore = nil
        }
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
        arrival = moment
        hasHistory = true
    }

    /// Shows the detector a fix that must not be recorded. What falls due without a fix does as if it had not come.
    mutating func witness(_ observed: ObservedFix) {
        if let before = observedBefore, observed.fix.time <= before { return }
        detector.witness(observed)
        detector.conceal()
        contexts.note(detector.context, at: observed.fix.time)
    }

    /// The object is where nobody is to know that it is. In a recording what was observed before is not concealed again.
    mutating func conceal() {
        if observedBefore == nil { detector.conceal() }
    }

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
        _ = detector.resume(from: other.detector.state)
        (last, arrival, observedBefore) = (other.last, other.arrival, other.observedBefore)
        isInterrupted = other.isInterrupted
        contexts = other.contexts
        if let last { contexts.note(detector.context, at: last) } else { contexts.begin(with: detector.context) }
        hasHistory = other.hasHistory
    }

    /// When something falls due without another fix, by the tracker's clock.
    var deadline: TrackInstant? {
        guard let last, let arrival, let due = detector.deadline else { return nil }
        return arrival.advanced(by: max(.zero, due.duration(since: last)))
    }

    /// What goes into the store: the time of the last fix observed and the cover's signature in eight bytes each, and the detector's
    /// own state.
    var state: [UInt8] {
        let time = last ?? observedBefore ?? Timestamp(nanosecondsSince1970: .min)
        return Self.bytes(UInt64(bitPattern: time.nanosecondsSince1970)) + Self.bytes(cover) + detector.state
    }

    /// Goes on from ``state``; returns whether it could be read. One that was written under another cover is left.
    mutating func resume(from state: [UInt8]) -> Bool {
        guard state.count >= 16 else { return false }
        guard Self.number(state[8..<16]) == cover else { return true }
        guard detector.resume(from: Array(state[16...])) else { return false }
        contexts.begin(with: detector.context)
        hasHistory = true
        if followsRecording {
            observedBefore = Timestamp(nanosecondsSince1970: Int64(bitPattern: Self.number(state[..<8])))
        }
        return true
    }

    private static func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
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
