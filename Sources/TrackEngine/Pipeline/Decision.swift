/// What the pipeline made of a fix, or of the passing of time.
public enum Decision: Sendable, Hashable {
    /// The fix is to be recorded.
    case record(PlannedRecord)
    /// The fix is not to be recorded.
    case reject(Fix, RejectionReason)
    /// The fix is accepted; whether it becomes a record depends on those after it. Only with the rule `deviation`.
    case undecided(Fix)
    /// Standby began: nothing has moved for long, and the source may look less often.
    case standby
}

/// A record that the pipeline wants made; the tracker adds what the pipeline does not know.
///
/// The small members stand last: there ``Decision`` keeps no bits of its own between them, which would have to be put in
/// with a wait for each.
public struct PlannedRecord: Sendable, Hashable, BitwiseCopyable {
    /// The position.
    public let fix: Fix
    /// How far the thing had travelled there, in metres since the track's beginning.
    public let odometer: Double
    /// How many ``Decision/undecided(_:)`` fixes before it turned out not to be needed.
    public let passedOver: Int
    /// Whether the thing moves.
    public let isMoving: Bool
    /// What happened, if more than a position.
    public let event: RecordEvent?
    /// Why the fix is kept.
    public let cause: RecordCause
    /// What the thing is doing; only with `fetchActivity`.
    public let activity: ActivityEstimate?

    /// The draft of this record for a device and a source.
    public func draft(device: DeviceID, source: SourceID, host: HostStatus? = nil) -> RecordDraft {
        RecordDraft(
            id: RecordID(device: device, source: source, fix: fix, cause: cause), fix: fix, isMoving: isMoving,
            event: event, cause: cause, activity: activity, source: source, host: host,
            odometer: odometer)
    }
}
