public import TrackEngine

/// A position of a device, as its history stores it.
///
/// A history stores less than a fix has: time in milliseconds, places in 1e-7 degrees (11 mm), altitude, accuracies
/// and speeds in hundredths of a metre, angles in hundredths of a degree.
public struct HistoryPoint: Sendable, Hashable {
    /// The position; also the activity of the device.
    public var fix: Fix
    /// Whether the device was moving, if the sender reported it.
    public var isMoving: Bool?
    /// The device's battery, if the sender reported it.
    public var host: HostStatus?
    /// The name of the source that reported the point, or of the protocol by which it arrived.
    public var source: SourceID?
    /// The sender's name for the point.
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

/// The name that a sender gives a point, by which the history recognizes a repetition.
public enum SenderID: Sendable, Hashable {
    /// The id of a record, which follows from device, time and place: they alone identify a repetition, and no index
    /// is stored.
    case record(RecordID)
    /// Any other name, for example the `_id` of OwnTracks. At most ``longestText`` bytes count.
    case text(String)

    /// The number of bytes of a text that are stored.
    public static let longestText = 64
}

/// A page of a device's points, by time.
public struct HistoryPointPage: Sendable, Hashable {
    /// The points; damaged ones are left out.
    public let points: [HistoryPoint]
    /// The start of the next page; `nil` when there is none.
    public let next: HistoryPointPosition?
}

/// A position in the order of a device's points, from which a query continues.
public struct HistoryPointPosition: Sendable, Hashable {
    /// Distinguishes the points of a millisecond.
    enum Key: Sendable, Hashable {
        /// Latitude and longitude as in the table.
        case place(Int64, Int64)
        /// A keyed hash, in an encrypted history.
        case tag([UInt8])
    }

    /// Milliseconds since 1970.
    let time: Int64
    let key: Key
}

/// The result of adding points and events to a history.
public struct HistoryAddition: Sendable, Hashable {
    /// The number of new points.
    public var added = 0
    /// The number of new events, and of events with more than was known under their ids.
    public var events = 0
    /// The number of points that the history had already.
    public var repeated = 0
    /// The number of points and events that were refused: without a valid coordinate, or of a device whose name
    /// contains U+0000.
    public var refused = 0

    /// An empty result.
    public init() {}
}

/// A device of a history.
public struct HistoryDevice: Sendable, Hashable {
    /// Its name.
    public let id: DeviceID
    /// Its newest point by time.
    public let newest: HistoryPoint
}
