/// A fix that the engine decided to keep, or an event that it found at one, not yet stored.
public struct RecordDraft: Sendable, Hashable, Identifiable {
    /// The record's name towards every receiver; equal for the same fix of the same device however often it is sent.
    public let id: RecordID
    /// The position.
    public let fix: Fix
    /// Whether the object was moving.
    public let isMoving: Bool
    /// What happened, if this record marks more than a position.
    public let event: RecordEvent?
    /// Why the fix was kept.
    public let cause: RecordCause
    /// What the object was doing.
    public let activity: ActivityEstimate?
    /// The source it came from.
    public let source: SourceID
    /// The recording machine at that moment.
    public let host: HostStatus?
    /// How far the object had travelled there since its track began, in metres; absent in records of earlier releases.
    public let odometer: Double?
    /// What the record tells besides its position; mostly nothing (``RecordContent/location``).
    public let content: RecordContent
    /// In which named places the object was and on which trip; absent where nothing is known of either.
    public let context: RecordContext?

    /// Creates a draft from its parts; ``TrackPipeline`` and the ``Tracker`` are the usual makers.
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

    /// What kind of record it becomes.
    public var kind: RecordKind { content.kind }
}

/// A stored fix of the track, with its place in the order of acceptance.
public struct TrackRecord: Sendable, Hashable, Identifiable {
    /// Its place in the order of acceptance.
    public let sequence: RecordSequence
    /// What was stored.
    public let draft: RecordDraft

    /// Puts a stored draft in its place.
    public init(sequence: RecordSequence, draft: RecordDraft) {
        self.sequence = sequence
        self.draft = draft
    }

    /// The record's name towards every receiver.
    public var id: RecordID { draft.id }
    /// The position.
    public var fix: Fix { draft.fix }
    /// Whether the object was moving.
    public var isMoving: Bool { draft.isMoving }
    /// What happened, if this record marks more than a position.
    public var event: RecordEvent? { draft.event }
    /// Why the fix was kept.
    public var cause: RecordCause { draft.cause }
    /// What the object was doing.
    public var activity: ActivityEstimate? { draft.activity }
    /// The source it came from.
    public var source: SourceID { draft.source }
    /// The recording machine at that moment.
    public var host: HostStatus? { draft.host }
    /// How far the object had travelled there since its track began, in metres; absent in records of earlier releases.
    public var odometer: Double? { draft.odometer }
    /// What the record tells besides its position.
    public var content: RecordContent { draft.content }
    /// In which named places the object was and on which trip; absent where nothing is known of either.
    public var context: RecordContext? { draft.context }
    /// What kind of record it is.
    public var kind: RecordKind { draft.content.kind }
}

/// What a record marks beyond a position.
public enum RecordEvent: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The object began to move, or came to rest; ``TrackRecord/isMoving`` tells which.
    case motionChange = 1

    /// CalmGeo's word for the event.
    public var name: String {
        switch self {
        case .motionChange: "motionchange"
        }
    }
}

/// Why a fix became a record.
public enum RecordCause: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The first fix of a track.
    case first = 1
    /// Farther from the last record than the speed-scaled distance.
    case distance
    /// Nearer than that, but long after the last record and at least the base distance away.
    case elapsed
    /// No movement for the configured time: the object came to rest here.
    case still
    /// Left the place where it had come to rest.
    case departed
    /// Somebody asked for the current position to be recorded, or it is only shown (``RecordBatch/current``).
    case requested
    /// Without it the rebuilt track would deviate from a fix by more than the bound, or it is the track's end.
    case deviation
    /// The course has turned since the last record.
    case turn
    /// Nothing but time: the last record had grown too old.
    case interval
    /// The first fix after a pause: no line leads here from the record before.
    case resumed
    /// Known more exactly than the last record, by `accuracyGain`.
    case improved
    /// No position is kept: the record tells of an event that was found at this fix.
    case detected

    /// A short word for logs and statistics.
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
