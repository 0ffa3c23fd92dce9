/// Decides when a sink's records are sent. A pure value: it is notified of events and asked for the next action.
///
/// CalmGeo's rules with corrections: a motion change skips the threshold but never the back-off; a sync, once begun,
/// continues until no record waits; a manual request skips the threshold and the back-off; retries need no trigger.
package struct SyncStateMachine: Sendable, Hashable {
    /// The phases of a sink's deliveries.
    package enum Phase: Hashable {
        /// Normal operation; records gather until the trigger. To `delivering` when it comes.
        case gathering
        /// A sync has begun and continues until no record waits. To `gathering` then, to `backingOff` or `paused` on
        /// failure.
        case delivering
        /// The last delivery failed. To `delivering` at the given moment, or on request.
        case backingOff(until: TrackInstant)
        /// The server asked for a wait within a sync, which continues. To `delivering` at the given moment, or on
        /// request.
        case postponed(until: TrackInstant)
        /// The server refuses this client or accepts none of its records. To `delivering` at the given moment, or on
        /// request.
        case paused(until: TrackInstant)
    }

    /// The next action of the delivery.
    package enum Action: Hashable {
        /// Deliver a batch, then report the outcome.
        case send
        /// Wait until the moment, or for a change if there is none.
        case wait(until: TrackInstant?)
    }

    package var configuration: SyncConfiguration
    package private(set) var phase = Phase.gathering
    /// Consecutive failures.
    package private(set) var tried = 0
    /// Whether a motion change, or a start with records left over, requires a sync below the threshold.
    private var bypassesThreshold = false
    /// The moment at which the first gathering record came; `nil` while no records gather.
    private var gatheringSince: TrackInstant?

    /// The longest wait that a server may ask for.
    package static let longestRetryAfter = Duration.seconds(3600)
    /// The duration of a pause before the next attempt, at first and at most.
    package static let pause = (first: Duration.seconds(60), longest: Duration.seconds(900))

    package init(_ configuration: SyncConfiguration) {
        self.configuration = configuration
    }

    /// Returns the next action, with this many records waiting.
    package mutating func next(queued: Int, at now: TrackInstant) -> Action {
        guard queued > 0 else {
            if phase == .delivering { phase = .gathering }
            bypassesThreshold = false
            gatheringSince = nil
            return .wait(until: nil)
        }
        switch phase {
        case .delivering: return .send
        case .gathering:
            guard configuration.autoSync else { return .wait(until: nil) }
            let due = configuration.interval.map { (gatheringSince ?? now).advanced(by: $0) }
            guard bypassesThreshold || queued >= configuration.syncThreshold || due.map({ $0 <= now }) ?? false else {
                gatheringSince = gatheringSince ?? now
                return .wait(until: due)
            }
            phase = .delivering
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
        phase = .delivering
        return .send
    }

    /// Notes a record that must not wait for the threshold.
    package mutating func bypassThreshold() {
        bypassesThreshold = true
    }

    /// Notes a request for a sync now.
    package mutating func request() {
        phase = .delivering
    }

    /// Notes that a delivery succeeded.
    package mutating func succeeded() {
        tried = 0
        phase = .delivering
    }

    /// Notes a failed delivery that a later retry may repair.
    package mutating func failed(
        at now: TrackInstant, retryAfter: Duration?, using generator: inout some RandomNumberGenerator
    ) {
        tried += 1
        var wait = configuration.backoff.wait(tried: tried, using: &generator)
        if let retryAfter { wait = max(wait, min(retryAfter, Self.longestRetryAfter)) }
        phase = .backingOff(until: now.advanced(by: wait))
    }

    /// Notes that the server asks for a wait before the next delivery. This does not count as a failure: a search
    /// continues.
    package mutating func postponed(by wait: Duration, at now: TrackInstant) {
        let asked = now.advanced(by: min(wait, Self.longestRetryAfter))
        if case .backingOff(let until) = phase, until > asked { return }  // the store has failed meanwhile
        phase = .postponed(until: asked)
    }

    /// Notes a failed delivery that only a person can repair.
    package mutating func paused(at now: TrackInstant) {
        tried += 1
        let wait = min(Self.pause.first * (1 << min(tried - 1, 10)), Self.pause.longest)
        phase = .paused(until: now.advanced(by: wait))
    }

    /// Notes that the flush at a graceful stop is over: no more records are sent automatically.
    package mutating func finish() {
        phase = .gathering
        bypassesThreshold = false
    }
}
