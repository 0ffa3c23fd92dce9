/// What the pipeline made of a fix, or of the passing of time.
///
/// Small enough to be handed back in registers, because there is one for each fix: the fix that it is about stands beside
/// it where it is not known anyway.
public enum Decision: Sendable, Hashable, BitwiseCopyable {
    /// The fix is to be recorded.
    case record(RecordPlan)
    /// The fix is not to be recorded.
    case reject(RejectionReason)
    /// The fix is accepted; whether it becomes a record depends on those after it. Only with the rule `deviation`.
    case undecided
    /// Standby began: nothing has moved for long, and the source may look less often.
    case standby
}

/// What the pipeline says of a record besides its fix; the tracker adds what the pipeline does not know.
public struct RecordPlan: Sendable, Hashable, BitwiseCopyable {
    /// How far the object had travelled there, in metres since the track's beginning: speed over time where the receiver
    /// tells the speed and the places confirm it, else the way between places; at rest nothing.
    public let odometer: Double
    /// How many ``Decision/undecided`` fixes before it turned out not to be needed.
    public let passedOver: Int
    /// Whether the object moves.
    public let isMoving: Bool
    /// What happened, if more than a position.
    public let event: RecordEvent?
    /// Why the fix is kept.
    public let cause: RecordCause
    /// What the object is doing; only with `fetchActivity`.
    public let activity: ActivityEstimate?

    /// The draft of the record of a fix for a device and a source.
    public func draft(
        of fix: Fix, device: DeviceID, source: SourceID, host: HostStatus? = nil, context: RecordContext? = nil
    ) -> RecordDraft {
        RecordDraft(
            id: RecordID(device: device, source: source, fix: fix, cause: cause), fix: fix, isMoving: isMoving,
            event: event, cause: cause, activity: activity, source: source, host: host,
            odometer: odometer, context: context)
    }
}
