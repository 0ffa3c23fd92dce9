/// How a sink's deliveries stand, readable at any time.
public struct SyncState: Sendable, Hashable {
    /// What the drain is doing.
    public enum Activity: Sendable, Hashable {
        /// Waiting for enough records, or for somebody to ask.
        case waiting
        /// A delivery is under way.
        case sending
        /// Waiting after a failure.
        case backingOff
        /// Waiting for a person: the receiver refuses this client, or takes none of the records that it is offered
        /// (``SyncState/failure`` says why). Looks again after 1, 2, 4, 8 and then every 15 minutes, and at once by hand.
        case paused
    }

    /// What the drain is doing.
    public var activity: Activity = .waiting
    /// Failures in a row since the last success.
    public var tried: Int = 0
    /// How many records wait.
    public var queued: Int = 0
    /// The time of the oldest waiting record.
    public var oldest: Timestamp?
    /// When a delivery was last begun.
    public var lastAttempt: Timestamp?
    /// When a delivery last succeeded.
    public var lastSuccess: Timestamp?
    /// When a delivery last failed.
    public var lastFailure: Timestamp?
    /// When the next attempt falls due after a failure; absent when none is pending.
    public var nextDue: Timestamp?
    /// Why the last delivery failed; absent after a success.
    public var failure: String?
    /// How many records this sink has settled since the start.
    public var delivered: Int = 0
    /// How many records of kinds that the sink cannot carry it has passed over since the start; not in ``delivered``.
    public var passedOver: Int = 0
    /// How many records became dead letters since the start.
    public var refused: Int = 0
    /// Why the last of them was refused; absent again when the receiver has taken records ten minutes later and refused no
    /// other in between.
    public var lastRefusal: String?

    /// The state of a sink that has done nothing yet.
    public init() {}

    /// How long the oldest waiting record has waited.
    public func oldestAge(now: Timestamp) -> Duration? {
        oldest.map { now.duration(since: $0) }
    }
}
