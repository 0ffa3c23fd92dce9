/// The status of a sink's deliveries, readable at any time.
public struct SyncState: Sendable, Hashable {
    /// The activities of a sink's delivery.
    public enum Activity: Sendable, Hashable {
        /// Waiting for enough records, or for a request.
        case waiting
        /// A delivery is under way.
        case sending
        /// Waiting after a failure.
        case backingOff
        /// Waiting for a person: the server refuses this client, or accepts none of the records offered (see
        /// ``SyncState/failure`` for the reason). Tries again after 1, 2, 4, 8 and then every 15 minutes, and at once
        /// on request.
        case paused
    }

    /// The present activity.
    public var activity: Activity = .waiting
    /// Consecutive failures since the last success.
    public var tried: Int = 0
    /// The number of waiting records.
    public var queued: Int = 0
    /// The time of the oldest waiting record.
    public var oldest: Timestamp?
    /// The time at which a delivery last began.
    public var lastAttempt: Timestamp?
    /// The time at which a delivery last succeeded.
    public var lastSuccess: Timestamp?
    /// The time at which a delivery last failed.
    public var lastFailure: Timestamp?
    /// The time of the next attempt after a failure; absent when none is pending.
    public var nextDue: Timestamp?
    /// The reason why the last delivery failed; absent after a success.
    public var failure: String?
    /// The number of records delivered since the start, without those refused or skipped.
    public var delivered: Int = 0
    /// The number of records, of kinds that the sink cannot carry, that it has skipped since the start; not in
    /// ``delivered``.
    public var passedOver: Int = 0
    /// The number of records that became dead letters since the start.
    public var refused: Int = 0
    /// The reason why the last of them was refused; absent again when the server has accepted records ten minutes
    /// later and refused no other record in between.
    public var lastRefusal: String?

    /// Creates the state of a sink before its first delivery.
    public init() {}

    /// Returns the time for which the oldest waiting record has waited.
    public func oldestAge(now: Timestamp) -> Duration? {
        oldest.map { now.duration(since: $0) }
    }
}
