/// The content of a record in addition to its position, time and source.
///
/// Most records are locations, for which this is empty and takes no memory of its own.
public indirect enum RecordContent: Sendable, Hashable {
    /// Empty: the position is the record's content.
    case location
    /// A stay, open or complete.
    case visit(Visit)
    /// A trip, under way or complete.
    case trip(Trip)
    /// A named place was entered or left, or dwelt in.
    case transition(Transition)
    /// An action of the tracker.
    case action(TrackerAction)
    /// The object rests at the record's position.
    case heartbeat
    /// A change of the power supply to the state in the record's ``HostStatus``.
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

/// An action of the tracker that matters to a reader of the track.
public enum TrackerAction: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// Tracking was paused by a person or a rule.
    case paused = 1
    /// Tracking continued after a pause.
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
