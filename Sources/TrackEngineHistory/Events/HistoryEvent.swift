public import TrackEngine

/// A visit, a trip or a transition, as a device's history stores it.
///
/// A history stores less than an event has: places in 1e-7 degrees (11 mm), lengths in centimetres, speeds in
/// centimetres per second, times that are no bounds in milliseconds.
public struct HistoryEvent: Sendable, Hashable, Identifiable {
    /// The content of an event.
    public enum Content: Sendable, Hashable {
        /// A stay, open or complete.
        case visit(Visit)
        /// A trip, under way or complete.
        case trip(Trip)
        /// A named place was entered or left, or dwelt in, at a moment.
        case transition(Transition, at: Timestamp)
    }

    /// The id of the visit or of the trip; a transition has its record's id. The history has one row for each id.
    public let id: EventID
    /// The content.
    public let content: Content

    /// An event with an id and content. A transition takes the id of its record.
    init(id: EventID, content: Content) {
        self.id = id
        self.content = content
    }

    /// A stay.
    public init(_ visit: Visit) { self.init(id: visit.id, content: .visit(visit)) }

    /// A trip.
    public init(_ trip: Trip) { self.init(id: trip.id, content: .trip(trip)) }

    /// The event of a record; `nil` for a record of another kind, such as a position.
    public init?(_ record: TrackRecord) {
        switch record.content {
        case .visit(let visit): self.init(visit)
        case .trip(let trip): self.init(trip)
        case .transition(let transition):
            self.init(
                id: EventID(rawValue: record.id.rawValue), content: .transition(transition, at: record.fix.time))
        case .location, .action, .heartbeat, .power: return nil
        }
    }

    /// The beginning.
    public var begin: Timestamp {
        switch content {
        case .visit(let visit): visit.arrival
        case .trip(let trip): trip.start.time
        case .transition(_, at: let time): time
        }
    }

    /// The end, which is the beginning for a transition; `nil` for an open event.
    public var end: Timestamp? {
        switch content {
        case .visit(let visit): visit.departure
        case .trip(let trip): trip.end?.time
        case .transition(_, at: let time): time
        }
    }

    /// Whether the event is still under way.
    public var isOpen: Bool { end == nil }

    /// The content as that of a record.
    public var recordContent: RecordContent {
        switch content {
        case .visit(let visit): .visit(visit)
        case .trip(let trip): .trip(trip)
        case .transition(let transition, at: _): .transition(transition)
        }
    }

    /// The kinds of records that a history stores as events.
    public static let kinds: RecordKinds = [.visit, .trip, .transition]
}

/// A page of a device's events, in the order of their beginnings.
public struct HistoryEventPage: Sendable, Hashable {
    /// The events; damaged ones are left out.
    public let events: [HistoryEvent]
    /// The start of the next page; `nil` when there is none.
    public let next: HistoryEventPosition?
}

/// A position in the order of a device's events, from which a query continues.
public struct HistoryEventPosition: Sendable, Hashable, CustomStringConvertible {
    /// Milliseconds since 1970.
    let begin: Int64
    /// The key of the event in its table.
    let tag: [UInt8]

    init(begin: Int64, tag: [UInt8]) {
        self.begin = begin
        self.tag = tag
    }

    /// Parses the format of ``description``; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 120, let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")),
            let begin = Int64(text[..<dot])
        else { return nil }
        let digits = Array(text.utf8[dot...].dropFirst())
        guard digits.count % 2 == 0 else { return nil }
        var tag: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.digits.firstIndex(of: digits[index]),
                let low = Self.digits.firstIndex(of: digits[index + 1])
            else { return nil }
            tag.append(UInt8(high << 4 | low))
        }
        self.init(begin: begin, tag: tag)
    }

    /// A short text without spaces.
    public var description: String {
        let bytes = tag.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
        return "\(begin)." + String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
