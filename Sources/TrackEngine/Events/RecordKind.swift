/// The kind of a record.
public enum RecordKind: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// A position of the object.
    case location = 0
    /// A stay at one place: announced at the arrival, completed at the departure.
    case visit = 1
    /// A journey from one stay to the next: announced at its start, completed at its end.
    case trip = 2
    /// A named place was entered or left, or the object has stayed there for the place's dwell time.
    case transition = 3
    /// An action of the tracker, such as a pause.
    case action = 4
    /// The object has not moved; the record shows that the tracker still runs.
    case heartbeat = 5
    /// The power supply changed.
    case power = 6

    /// A short word for configuration, logs and statistics.
    public var name: String {
        switch self {
        case .location: "location"
        case .visit: "visit"
        case .trip: "trip"
        case .transition: "transition"
        case .action: "action"
        case .heartbeat: "heartbeat"
        case .power: "power"
        }
    }

    /// Creates a kind from its name, in the spelling of ``name``; `nil` for any other text.
    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

/// A set of record kinds, such as those that a sink can carry.
public struct RecordKinds: OptionSet, Sendable, Hashable, BitwiseCopyable {
    /// One bit for each ``RecordKind``, at the position of its raw value.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates a set of one kind.
    public init(_ kind: RecordKind) { rawValue = 1 << kind.rawValue }

    /// Positions of the track; every sink carries them.
    public static let location = RecordKinds(.location)
    /// Stays.
    public static let visit = RecordKinds(.visit)
    /// Trips.
    public static let trip = RecordKinds(.trip)
    /// Places entered and left.
    public static let transition = RecordKinds(.transition)
    /// Actions of the tracker.
    public static let action = RecordKinds(.action)
    /// Signs of life at rest.
    public static let heartbeat = RecordKinds(.heartbeat)
    /// Changes of the power supply.
    public static let power = RecordKinds(.power)
    /// All kinds.
    public static let all = RecordKinds(RecordKind.allCases.map(RecordKinds.init))

    /// Whether a kind is in the set.
    public func contains(_ kind: RecordKind) -> Bool { rawValue & 1 << kind.rawValue != 0 }
}
