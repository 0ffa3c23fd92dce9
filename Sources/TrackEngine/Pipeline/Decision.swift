/// The pipeline's decision about a fix or a deadline.
///
/// Small enough to be returned in registers, because there is one for each fix. The fix is passed next to it where it
/// is not known to the caller.
public enum Decision: Sendable, Hashable, BitwiseCopyable {
    /// The fix is to be recorded.
    case record(RecordPlan)
    /// The fix is not to be recorded.
    case reject(RejectionReason)
    /// The fix is accepted; whether it becomes a record depends on later fixes. Only with the rule `deviation`.
    case undecided
    /// Standby began: the object has rested for long, and the source may deliver less often.
    case standby
}

/// The pipeline's part of a record in addition to its fix; the tracker adds the rest.
public struct RecordPlan: Sendable, Hashable, BitwiseCopyable {
    /// The distance that the object had travelled, in metres since the track's beginning: speed over time where the
    /// receiver reports the speed and the positions confirm it, otherwise the distance between positions; zero at rest.
    public let odometer: Double
    /// The number of preceding ``Decision/undecided`` fixes that proved to be unneeded.
    public let passedOver: Int
    /// Whether the object moves.
    public let isMoving: Bool
    /// The event that the record marks in addition to a position, if any.
    public let event: RecordEvent?
    /// The reason why the fix is recorded.
    public let cause: RecordCause
    /// The activity of the object; only with `fetchActivity`.
    public let activity: ActivityEstimate?

    /// Returns the draft of the record of a fix for a device and a source.
    public func draft(
        of fix: Fix, device: DeviceID, source: SourceID, host: HostStatus? = nil, context: RecordContext? = nil
    ) -> RecordDraft {
        draft(of: fix, FNVHash128(device, source), source: source, host: host, context: context)
    }

    /// The same, from the hash of the device and the source.
    func draft(
        of fix: Fix, _ track: FNVHash128, source: SourceID, host: HostStatus?, context: RecordContext?
    ) -> RecordDraft {
        RecordDraft(
            id: RecordID(track, fix, cause), fix: fix, isMoving: isMoving, event: event, cause: cause,
            activity: activity, source: source, host: host, odometer: odometer, context: context)
    }
}
