/// The activity of an object, and the state of motion gating.
struct ActivityState: Sendable, Hashable, BitwiseCopyable {
    private var classifier = ActivityClassifier()
    private var gate: MotionGate?

    init(requiredMotionDuration: Duration?) {
        gate = requiredMotionDuration.map(MotionGate.init)
    }

    /// Whether motion gating holds fixes back.
    var isClosed: Bool { gate?.isOpen == false }

    /// Processes a fix that has passed the quality gates, with the one that passed before it.
    mutating func observe(_ fix: Fix, after previous: ReferenceFix?, at now: TrackInstant) {
        let previous = previous.flatMap { $0.time < fix.time ? $0 : nil }
        if let speed = fix.speed ?? previous?.impliedSpeed(to: fix) { classifier.observe(speed: speed, at: now) }
        gate?.observe(fix.activity ?? classifier.current, at: now)
    }

    /// Returns the activity at a fix: the source's, or the one inferred from speeds.
    func estimate(for fix: Fix) -> ActivityEstimate {
        fix.activity.map { ActivityEstimate($0, confidence: 100) } ?? classifier.estimate
    }

    /// Goes back to an earlier moment than the last one.
    mutating func rewind(to now: TrackInstant) {
        classifier.rewind(to: now)
        gate?.rewind(to: now)
    }

    /// Returns the same state under another configuration; other motion gating begins closed.
    func reconfigured(_ next: ActivityState, keepsGate: Bool) -> ActivityState {
        var next = next
        next.classifier = classifier
        if keepsGate { next.gate = gate }
        return next
    }

    // MARK: In a checkpoint

    /// Set in each packed state, so that 0 means an unknown state.
    private static let mark: UInt64 = 1 << 62

    /// Returns the state in one number above 0: the classifier in the lower 26 bits, motion gating in 31 above them.
    func packed(at now: TrackInstant) -> Int64 {
        let gate = gate?.packed(at: now) ?? 0
        return Int64(bitPattern: Self.mark | UInt64(gate) << 26 | UInt64(classifier.packed(at: now)))
    }

    /// Restores a packed state as of a moment.
    ///
    /// If the state is unknown (0), it follows from the record: gating passes the fixes of a moving object and holds
    /// back those of one at rest.
    mutating func resume(packed: Int64, isMoving: Bool, at moment: TrackInstant) {
        let bits = UInt64(bitPattern: packed)
        guard bits & Self.mark != 0 else {
            gate?.resume(isOpen: isMoving)
            return
        }
        classifier.resume(packed: UInt32(truncatingIfNeeded: bits), at: moment)
        gate?.resume(packed: UInt32(truncatingIfNeeded: (bits & ~Self.mark) >> 26), at: moment)
    }
}

/// A span of time in a few bits, in tenths of a millisecond; a longer one counts as the longest.
enum CompactAge {
    private static let unit: Int64 = 100_000

    static func bits(_ count: UInt32, from since: TrackInstant, to now: TrackInstant) -> UInt32 {
        let age = max(0, now.nanoseconds(since: since)) / unit
        return UInt32(min(age, (1 << Int64(count)) - 1))
    }

    /// Returns the moment that long before another.
    static func moment(_ age: UInt32, before now: TrackInstant) -> TrackInstant {
        now.advanced(byNanoseconds: -Int64(age) * unit)
    }
}
