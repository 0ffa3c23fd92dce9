/// What a record says besides its position, time and source.
///
/// Most records are locations, for which this holds nothing and takes no memory of its own.
public indirect enum RecordContent: Sendable, Hashable {
    /// Nothing more: the position is what the record is about.
    case location
    /// A stay, open or complete.
    case visit(Visit)
    /// A trip, under way or complete.
    case trip(Trip)
    /// A named place was entered or left, or dwelt in.
    case transition(Transition)
    /// The tracker did something.
    case action(TrackerAction)
    /// The object rests at the record's position.
    case heartbeat
    /// The power supply is as the record's ``HostStatus`` says, and was not so before.
    case power

    /// The record's kind.
    public var kind: RecordKind {
        switch self {
        case .location: .location
        case .visit: .visit
        case .trip: .trip
        case .transition: .transition
        case .action: .action
        case .heartbeat: .heartbeat
        case .power: .power
        }
    }
}

/// Something that the tracker did and that a reader of the track should know.
public enum TrackerAction: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Tracking was paused by a person or a rule.
    case paused = 1
    /// Tracking went on after a pause.
    case resumed = 2
    /// The tracker is about to end.
    case willTerminate = 3

    /// The word for this action in the Overland format.
    public var name: String {
        switch self {
        case .paused: "paused_location_updates"
        case .resumed: "resumed_location_updates"
        case .willTerminate: "will_terminate"
        }
    }
}
