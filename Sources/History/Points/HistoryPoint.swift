public import TrackEngine

/// Where a device was, as its history keeps it.
///
/// The history keeps less than a fix has: time in milliseconds, places in 1e-7 degrees (11 mm), altitude, accuracies and speeds
/// in hundredths of a metre, angles in hundredths of a degree.
public struct HistoryPoint: Sendable, Hashable {
    /// The position; also what the device was doing.
    public var fix: Fix
    /// Whether the device was moving, where the sender said so.
    public var isMoving: Bool?
    /// The device's battery, where the sender said so.
    public var host: HostStatus?
    /// Who told: the name of a source of ours, or of the protocol that it came by.
    public var source: SourceID?
    /// What the sender calls the point.
    public var senderID: SenderID?

    /// A point from its parts.
    public init(
        fix: Fix, isMoving: Bool? = nil, host: HostStatus? = nil, source: SourceID? = nil, senderID: SenderID? = nil
    ) {
        self.fix = fix
        self.isMoving = isMoving
        self.host = host
        self.source = source
        self.senderID = senderID
    }
}

/// The name that a sender gives a point, by which the history knows a repetition.
public enum SenderID: Sendable, Hashable {
    /// The id of a record, which follows from device, time and place: they alone tell a repetition, and no index is kept.
    case record(RecordID)
    /// Any other name, for example the `_id` of OwnTracks. At most ``longestText`` bytes count.
    case text(String)

    /// How many bytes of a text are kept.
    public static let longestText = 64
}

/// Some of a device's points, by time.
public struct HistoryPointPage: Sendable, Hashable {
    /// The points. What is damaged is left out.
    public let points: [HistoryPoint]
    /// Where the next page goes on; `nil` where there is none.
    public let next: HistoryPointPosition?
}

/// A place in the order of a device's points, from which a question goes on.
public struct HistoryPointPosition: Sendable, Hashable {
    /// What tells the points of a millisecond apart.
    enum Key: Sendable, Hashable {
        /// Latitude and longitude as they stand in the table.
        case place(Int64, Int64)
        /// A keyed hash, in an encrypted history.
        case tag([UInt8])
    }

    /// Milliseconds since 1970.
    let time: Int64
    let key: Key
}

/// What became of points and events that were given to a history.
public struct HistoryAddition: Sendable, Hashable {
    /// How many points were new.
    public var added = 0
    /// How many events were new, or said more than what was known under their ids.
    public var events = 0
    /// How many points the history had already.
    public var repeated = 0
    /// How many points and events have no valid coordinate, or a device whose name holds U+0000, and were not taken.
    public var refused = 0

    /// Nothing yet.
    public init() {}

    static func += (left: inout HistoryAddition, right: HistoryAddition) {
        left.events += right.events
        left.added += right.added
        left.repeated += right.repeated
        left.refused += right.refused
    }
}

/// A device of a history.
public struct HistoryDevice: Sendable, Hashable {
    /// Its name.
    public let id: DeviceID
    /// Its newest point by time.
    public let newest: HistoryPoint
}
