/// A fix to record, or an event found at a fix, before it is stored.
public struct RecordDraft: Sendable, Hashable, Identifiable {
    /// The record's identifier towards every receiver; equal for the same fix of the same device, however often it is
    /// sent.
    public let id: RecordID
    /// The position.
    public let fix: Fix
    /// Whether the object was moving.
    public let isMoving: Bool
    /// The event that the record marks in addition to a position, if any.
    public let event: RecordEvent?
    /// The reason why the fix is recorded.
    public let cause: RecordCause
    /// The activity of the object.
    public let activity: ActivityEstimate?
    /// The source it came from.
    public let source: SourceID
    /// The status of the recording machine at that moment.
    public let host: HostStatus?
    /// The distance that the object had travelled since its track began, in metres; absent in records of earlier
    /// releases.
    public let odometer: Double?
    /// The record's content in addition to its position; mostly none (``RecordContent/location``).
    public let content: RecordContent
    /// The named places and the trip of the object; absent if none of them is known.
    public let context: RecordContext?

    /// Creates a draft from its parts; usually called by ``TrackPipeline`` and the ``Tracker``.
    public init(
        id: RecordID, fix: Fix, isMoving: Bool, event: RecordEvent? = nil, cause: RecordCause,
        activity: ActivityEstimate? = nil, source: SourceID, host: HostStatus? = nil, odometer: Double? = nil,
        content: RecordContent = .location, context: RecordContext? = nil
    ) {
        self.id = id
        self.fix = fix
        self.isMoving = isMoving
        self.event = event
        self.cause = cause
        self.activity = activity
        self.source = source
        self.host = host
        self.odometer = odometer
        self.content = content
        self.context = context
    }

    /// The kind of the record.
    public var kind: RecordKind { content.kind }
}

/// A stored record of the track, with its number in the order of acceptance.
public struct TrackRecord: Sendable, Hashable, Identifiable {
    /// The number in the order of acceptance.
    public let sequence: RecordSequence
    /// The stored draft.
    public let draft: RecordDraft

    /// Creates a record from a stored draft and its number.
    public init(sequence: RecordSequence, draft: RecordDraft) {
        self.sequence = sequence
        self.draft = draft
    }

    /// The record's identifier towards every receiver.
    public var id: RecordID { draft.id }
    /// The position.
    public var fix: Fix { draft.fix }
    /// Whether the object was moving.
    public var isMoving: Bool { draft.isMoving }
    /// The event that the record marks in addition to a position, if any.
    public var event: RecordEvent? { draft.event }
    /// The reason why the fix was recorded.
    public var cause: RecordCause { draft.cause }
    /// The activity of the object.
    public var activity: ActivityEstimate? { draft.activity }
    /// The source it came from.
    public var source: SourceID { draft.source }
    /// The status of the recording machine at that moment.
    public var host: HostStatus? { draft.host }
    /// The distance that the object had travelled since its track began, in metres; absent in records of earlier
    /// releases.
    public var odometer: Double? { draft.odometer }
    /// The record's content in addition to its position.
    public var content: RecordContent { draft.content }
    /// The named places and the trip of the object; absent if none of them is known.
    public var context: RecordContext? { draft.context }
    /// The kind of the record.
    public var kind: RecordKind { draft.content.kind }
}

/// An event that a record marks in addition to a position.
public enum RecordEvent: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The object began to move, or came to rest, according to ``TrackRecord/isMoving``.
    case motionChange = 1

    /// CalmGeo's name of the event.
    public var name: String {
        switch self {
        case .motionChange: "motionchange"
        }
    }
}

/// The reason why a fix became a record.
public enum RecordCause: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The first fix of a track.
    case first = 1
    /// Farther from the last record than the speed-scaled distance.
    case distance
    /// Nearer than that, but long after the last record and at least the base distance away.
    case elapsed
    /// No movement for the configured time: the object came to rest here.
    case still
    /// The object left the position where it had come to rest.
    case departed
    /// A recording of the current position was requested, or the record is only shown (``RecordBatch/current``).
    case requested
    /// Without this record the rebuilt track would deviate from a fix by more than the bound, or it is the track's end.
    case deviation
    /// The course has turned since the last record.
    case turn
    /// Time alone: the last record had become too old.
    case interval
    /// The first fix after a pause: no line leads to it from the previous record.
    case resumed
    /// More accurate than the last record, by `accuracyGain`.
    case improved
    /// No recorded position: the record is about an event found at this fix.
    case detected

    /// A short name for logs and statistics.
    public var name: String {
        switch self {
        case .first: "first"
        case .distance: "distance"
        case .elapsed: "elapsed"
        case .still: "still"
        case .departed: "departed"
        case .requested: "requested"
        case .deviation: "deviation"
        case .turn: "turn"
        case .interval: "interval"
        case .resumed: "resumed"
        case .improved: "improved"
        case .detected: "detected"
        }
    }
}
