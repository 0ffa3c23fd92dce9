/// Decides when a sink's records are sent. A pure value: it is told what happened and asked what to do.
///
/// CalmGeo's rules, mended: a motion change skips the threshold but never the back-off; a sync, once begun, goes on
/// until nothing waits; a request by hand skips the threshold and the back-off; retries fall due by themselves.
package struct SyncStateMachine: Sendable, Hashable {
    /// What holds.
    package enum Phase: Hashable {
        /// Nothing is wrong; records gather until the trigger. To `draining` when it comes.
        case gathering
        /// A sync has begun and goes on until nothing waits. To `gathering` then, to `backingOff` or `paused` on
        /// failure.
        case draining
        /// The last delivery failed. To `draining` at the moment given, or by hand.
        case backingOff(until: TrackInstant)
        /// The receiver asked for a wait within a sync, which goes on. To `draining` at the moment given, or by hand.
        case postponed(until: TrackInstant)
        /// The receiver refuses this client or takes none of its records. To `draining` at the moment given, or by
        /// hand.
        case paused(until: TrackInstant)
    }

    /// What the shell shall do now.
    package enum Action: Hashable {
        /// Deliver a batch, then tell the outcome.
        case send
        /// Wait until the moment, or for news if there is none.
        case wait(until: TrackInstant?)
    }

    package var configuration: SyncConfiguration
    package private(set) var phase = Phase.gathering
    /// Failures in a row.
    package private(set) var tried = 0
    /// A motion change, or a start with records left over, asks for a sync below the threshold.
    private var bypassesThreshold = false
    /// When the first of the records came that gather; `nil` while none do.
    private var gatheringSince: TrackInstant?

    /// The longest that a receiver may ask us to wait.
    package static let longestRetryAfter = Duration.seconds(3600)
    /// How long a pause lasts before a look, at first and at the most.
    package static let pause = (first: Duration.seconds(60), longest: Duration.seconds(900))

    package init(_ configuration: SyncConfiguration) {
        self.configuration = configuration
    }

    /// What to do, with this many records waiting.
    package mutating func next(queued: Int, at now: TrackInstant) -> Action {
        guard queued > 0 else {
            if phase == .draining { phase = .gathering }
            bypassesThreshold = false
            gatheringSince = nil
            return .wait(until: nil)
        }
        switch phase {
        case .draining: return .send
        case .gathering:
            guard configuration.autoSync else { return .wait(until: nil) }
            let due = configuration.interval.map { (gatheringSince ?? now).advanced(by: $0) }
            guard bypassesThreshold || queued >= configuration.syncThreshold || due.map({ $0 <= now }) ?? false else {
                gatheringSince = gatheringSince ?? now
                return .wait(until: due)
            }
            phase = .draining
            bypassesThreshold = false
            gatheringSince = nil
            return .send
        case .backingOff(let until), .paused(let until):
            guard configuration.autoSync else { return .wait(until: nil) }
            return sendOrWait(until: until, at: now)
        case .postponed(let until): return sendOrWait(until: until, at: now)
        }
    }

    private mutating func sendOrWait(until: TrackInstant, at now: TrackInstant) -> Action {
        guard now >= until else { return .wait(until: until) }
        phase = .draining
        return .send
    }

    /// A record came that shall not wait for the threshold.
    package mutating func bypassThreshold() {
        bypassesThreshold = true
    }

    /// Somebody asks for a sync now.
    package mutating func request() {
        phase = .draining
    }

    /// A delivery succeeded.
    package mutating func succeeded() {
        tried = 0
        phase = .draining
    }

    /// A delivery failed in a way that time may heal.
    package mutating func failed(
        at now: TrackInstant, retryAfter: Duration?, using generator: inout some RandomNumberGenerator
    ) {
        tried += 1
        var wait = configuration.backoff.wait(tried: tried, using: &generator)
        if let retryAfter { wait = max(wait, min(retryAfter, Self.longestRetryAfter)) }
        phase = .backingOff(until: now.advanced(by: wait))
    }

    /// The receiver asks for a wait before the next delivery, which is no failure in a row: a search goes on.
    package mutating func postponed(by wait: Duration, at now: TrackInstant) {
        let asked = now.advanced(by: min(wait, Self.longestRetryAfter))
        if case .backingOff(let until) = phase, until > asked { return }  // the store has failed meanwhile
        phase = .postponed(until: asked)
    }

    /// A delivery failed in a way that only a person can mend.
    package mutating func paused(at now: TrackInstant) {
        tried += 1
        let wait = min(Self.pause.first * (1 << min(tried - 1, 10)), Self.pause.longest)
        phase = .paused(until: now.advanced(by: wait))
    }

    /// The flush at a graceful stop is over: nothing more is sent by itself.
    package mutating func finish() {
        phase = .gathering
        bypassesThreshold = false
    }
}
