/// Trace's motion gating: records begin once a moving activity has lasted `requiredMotionDuration`, and end once a
/// stationary one has.
///
/// Every activity but `stationary` counts as moving, including `unknown`. A change from one moving activity to another
/// restarts the wait to begin; a moving activity cancels a pending end, so a short stop never interrupts a track.
/// restarts the wait to begin; a moving activity cancels a pending end, so a short stop never interrupts a track.
package struct MotionGate: Sendable, Hashable, BitwiseCopyable {
    private enum Phase: Hashable {
        /// Closed since the start or a stop; opens after the wait.
        case closed
        /// Closed; a moving activity since the given moment. To `open` when it lasts, otherwise back.
        case opening(Activity, since: TrackInstant)
        /// Open; to `closing` at a stationary activity.
        case open
        /// Open; stationary since the given moment. To `closed` when it lasts, otherwise back.
        case closing(since: TrackInstant)
    }

    /// The time that an activity must last, in nanoseconds.
    private let required: Int64
    private var phase = Phase.closed

    package init(required: Duration) {
        self.required = required.saturatedNanoseconds
    }

    /// Whether fixes pass.
    package var isOpen: Bool {
        switch phase {
        case .closed, .opening: false
        case .open, .closing: true
        }
    }

    /// Processes the activity at a moment.
    package mutating func observe(_ activity: Activity, at now: TrackInstant) {
        phase = next(activity, at: now)
        switch phase {
        case .opening(_, let since) where now.nanoseconds(since: since) >= required: phase = .open
        case .closing(let since) where now.nanoseconds(since: since) >= required: phase = .closed
        case .closed, .opening, .open, .closing: break
        }
    }

    /// Goes back to an earlier moment than the last one.
    mutating func rewind(to now: TrackInstant) {
        switch phase {
        case .closed, .open: break
        case .opening(let activity, let since): phase = .opening(activity, since: min(since, now))
        case .closing(let since): phase = .closing(since: min(since, now))
        }
    }

    /// Returns the state in 31 bits, for a checkpoint: the phase in 2, the activity in 3, and the duration in 26, up to
    /// 111 minutes.
    func packed(at now: TrackInstant) -> UInt32 {
        switch phase {
        case .closed: 0
        case .opening(let activity, let since):
            1 | UInt32(activity.rawValue) << 2 | CompactAge.bits(26, from: since, to: now) << 5
        case .open: 2
        case .closing(let since): 3 | CompactAge.bits(26, from: since, to: now) << 5
        }
    }

    /// Restores a packed state as of a moment.
    mutating func resume(packed bits: UInt32, at moment: TrackInstant) {
        let since = CompactAge.moment(bits >> 5 & 0x3FF_FFFF, before: moment)
        switch bits & 3 {
        case 1: phase = .opening(Activity(rawValue: UInt8(bits >> 2 & 7)) ?? .unknown, since: since)
        case 2: phase = .open
        case 3: phase = .closing(since: since)
        default: phase = .closed  // two bits have no other value
        }
    }

    /// Restores the state if only one fact is known: whether fixes passed.
    mutating func resume(isOpen: Bool) {
        phase = isOpen ? .open : .closed
    }

    private func next(_ activity: Activity, at now: TrackInstant) -> Phase {
        let isMoving = activity != .stationary
        switch phase {
        case .closed: return isMoving ? .opening(activity, since: now) : .closed
        case .opening(let known, let since):
            guard isMoving else { return .closed }
            return .opening(activity, since: known == activity ? since : now)
        case .open: return isMoving ? .open : .closing(since: now)
        case .closing(let since): return isMoving ? .open : .closing(since: since)
        }
    }
}
