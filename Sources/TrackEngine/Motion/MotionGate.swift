/// Trace's motion gating: records begin once a moving activity has lasted `requiredMotionDuration`, and end once a
/// stationary one has.
///
/// Every activity but `stationary` counts as moving, `unknown` included. A change from one moving activity to another
/// restarts the wait to begin; a moving activity cancels a pending end, so a short stop never interrupts a track.
package struct MotionGate: Sendable, Hashable, BitwiseCopyable {
    private enum Phase: Hashable {
        /// Closed since the start or a stop; opens after the wait.
        case closed
        /// Closed; the activity has been a moving one since then. To `open` when it lasts, else back.
        case opening(Activity, since: TrackInstant)
        /// Open; to `closing` at a stationary activity.
        case open
        /// Open; stationary since then. To `closed` when it lasts, else back.
        case closing(since: TrackInstant)
    }

    /// How long an activity must last, in nanoseconds.
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

    /// Takes the activity at a moment.
    package mutating func observe(_ activity: Activity, at now: TrackInstant) {
        phase = next(activity, at: now)
        switch phase {
        case .opening(_, let since) where now.nanoseconds(since: since) >= required: phase = .open
        case .closing(let since) where now.nanoseconds(since: since) >= required: phase = .closed
        case .closed, .opening, .open, .closing: break
        }
    }

    /// Goes on from an earlier moment than the last one.
    mutating func rewind(to now: TrackInstant) {
        switch phase {
        case .closed, .open: break
        case .opening(let activity, let since): phase = .opening(activity, since: min(since, now))
        case .closing(let since): phase = .closing(since: min(since, now))
        }
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
