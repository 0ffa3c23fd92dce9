import SQLiteAccess
import TrackEngine

/// The events, by device and beginning; one row for each id, in plain or sealed.
struct EventTable {
    let tables: HistoryTableSet

    /// The end of an event that is under way.
    static let open = Int64.max

    private var db: Database { tables.db }

    /// The events to be removed.
    enum Choice: Sendable, Hashable {
        /// Events that overlap a range of milliseconds.
        case overlapping(Range<Int64>)
        /// Events that ended before a millisecond.
        case ended(before: Int64)
        /// All events.
        case all
    }

    /// The columns of a row, without those that are damaged.
    private struct StoredEvent {
        let begin: Int64?
        let tag: [UInt8]?
        let end: Int64?
        let contents: [UInt8]?

        init(_ row: Row) {
            (begin, tag) = (row.integer(0), row.blob(1))
            (end, contents) = (row.integer(2), row.blob(3))
        }

        /// A row with the columns of the key alone.
        init(keyOf row: Row) {
            (begin, tag) = (row.integer(0), row.blob(1))
            (end, contents) = (nil, nil)
        }

        var key: HistoryEventPosition? {
            begin.flatMap { begin in tag.map { HistoryEventPosition(begin: begin, tag: $0) } }
        }
    }

    /// Stores an event in place of the one with the same id; an open event never replaces a complete one.
    ///
    /// - Returns: whether it had new contents; `nil` when one of its places is not valid.
    func put(_ event: HistoryEvent, of device: Int64) throws -> Bool? {
        guard let bytes = EventCodec.encode(event) else { return nil }
        let (begin, end, tag) = (event.begin.millisecondsSince1970, event.lastMillisecond, tag(of: event.id, device))
        if let (key, known) = try row(tag, of: device) {
            if let known, known.bytes == bytes || event.isOpen && !known.event.isOpen { return false }
            try remove(key, of: device)
        }
        let contents = try tables.contents(bytes, as: .event, device, begin, end)
        try db.execute(
            sql: "INSERT INTO event (device, begin, tag, \"end\", contents) VALUES (?, ?, ?, ?, ?)",
            arguments: [device, begin, tag, end, contents])
        return true
    }

    /// Returns the events that overlap a range of milliseconds, in the order of their beginnings.
    func events(
        of device: Int64, in times: Range<Int64>, after position: HistoryEventPosition? = nil, limit: Int
    ) throws -> HistoryEventPage {
        guard limit > 0, !times.isEmpty else { return HistoryEventPage(events: [], next: nil) }
        let rows = try reading {
            let rows = try indexed(of: device, in: times, after: position, limit: limit)
            try requireOrder(rows, of: device, in: times, after: position, limit: limit)
            return rows
        } orElse: {
            let bound = Self.bound(position)
            let rest = try readable(of: device, .overlapping(times)).filter { row in
                row.key.map { Self.isInOrder(bound, $0) } == true && decode(row, of: device) != nil
            }
            return Array(rest.prefix(limit))
        }
        let last = rows.count == limit ? rows.last.flatMap(\.key) : nil
        return HistoryEventPage(events: rows.compactMap { decode($0, of: device)?.event }, next: last)
    }

    private func indexed(
        of device: Int64, in times: Range<Int64>, after position: HistoryEventPosition?, limit: Int
    ) throws -> [StoredEvent] {
        var rows = try earlier(of: device, times.lowerBound, after: position, limit: limit)
        if rows.count < limit {
            let sql =
                """
                \(Self.reading) WHERE device = ? AND begin >= ? AND begin < ? AND (begin, tag) > (?, ?)
                ORDER BY begin, tag LIMIT ?
                """
            let bound = Self.bound(position)
            let times: [any DatabaseField] = [times.lowerBound, times.upperBound]
            rows += try db.rows(sql: sql, arguments: [device] + times + [bound.begin, bound.tag, limit - rows.count])
                .compactMap(StoredEvent.init(_:))
        }
        return rows
    }

    /// Returns the events that began before a millisecond and had not ended then. The index holds all columns that
    /// this reads.
    private func earlier(
        of device: Int64, _ time: Int64, after position: HistoryEventPosition?, limit: Int
    ) throws -> [StoredEvent] {
        let sql = """
            \(Self.reading) INDEXED BY event_end
            WHERE device = ? AND "end" > ? AND begin < ? AND (begin, tag) > (?, ?) ORDER BY begin, tag LIMIT ?
            """
        let bound = Self.bound(position)
        return try db.rows(sql: sql, arguments: [device, time, time, bound.begin, bound.tag, limit])
            .compactMap(StoredEvent.init(_:))
    }

    /// Returns the event of an id.
    func event(_ id: EventID, of device: Int64) throws -> HistoryEvent? {
        let tag = tag(of: id, device)
        return try reading {
            try row(tag, of: device)?.1?.event
        } orElse: {
            try readable(of: device, .all).first { $0.tag == tag }
                .flatMap { decode($0, of: device)?.event }
        }
    }

    func visit(of device: Int64, _ body: (HistoryEvent) throws -> Void) throws {
        for row in try readable(of: device, .all) { if let found = decode(row, of: device) { try body(found.event) } }
    }

    /// Returns the beginning of the first event, or of the last one.
    func begin(ofLast isLast: Bool, of device: Int64) throws -> Int64? {
        try reading {
            try Int64.fetchOne(
                db, sql: "SELECT begin FROM event WHERE device = ? ORDER BY begin \(isLast ? "DESC" : "ASC") LIMIT 1",
                arguments: [device])
        } orElse: {
            let begins = try readable(of: device, .all).compactMap(\.begin)
            return isLast ? begins.max() : begins.min()
        }
    }

    /// Removes the oldest of the chosen events. Returns the number of removed events.
    func remove(_ choice: Choice, of device: Int64, limit: Int) throws -> Int {
        let (condition, arguments): (String, [any DatabaseField]) =
            switch choice {
            case .overlapping(let times) where times.isEmpty: ("0", [device])
            case .overlapping(let times): ("begin < ? AND \"end\" > ?", [device, times.upperBound, times.lowerBound])
            case .ended(before: let time): ("\"end\" <= ?", [device, time])
            case .all: ("1", [device])
            }
        let sql = "SELECT begin, tag FROM event WHERE device = ? AND \(condition) ORDER BY begin, tag LIMIT \(limit)"
        let keys = try reading {
            let keys = try db.rows(sql: sql, arguments: arguments).compactMap { StoredEvent(keyOf: $0).key }
            if keys.count < limit { try require(keys.count, of: device, where: condition, arguments) }
            return keys
        } orElse: {
            try readable(of: device, choice).prefix(limit).compactMap(\.key)
        }
        var removed = 0
        for key in keys {
            do {
                try remove(key, of: device)
                if db.changesCount == 0 { tables.health.noteDamage(ofTree: "event") }
                removed += db.changesCount
            } catch let error as DatabaseError where error.isDamage { tables.health.noteDamage(ofTree: "event") }
        }
        return removed
    }

    /// Removes a row, found by its key: an index that does not have it is damage then.
    private func remove(_ key: HistoryEventPosition, of device: Int64) throws {
        try db.execute(
            sql: "DELETE FROM event NOT INDEXED WHERE device = ? AND begin = ? AND tag = ?",
            arguments: [device, key.begin, key.tag])
    }
}

// MARK: - Damaged pages

extension EventTable {
    /// Runs a query, and an alternative when it meets a damaged page.
    private func reading<Result>(_ body: () throws -> Result, orElse other: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError where error.isDamage {
            tables.health.noteDamage(ofTable: "event")
            return try other()
        }
    }

    /// Demands that rows are in order, and are all between the ends of a query: a damaged key ends it early.
    private func requireOrder(
        _ rows: [StoredEvent], of device: Int64, in times: Range<Int64>, after position: HistoryEventPosition?,
        limit: Int
    ) throws {
        let keys = rows.compactMap(\.key)
        guard keys.count == rows.count, zip(keys, keys.dropFirst()).allSatisfy(Self.isInOrder) else {
            throw misplaced(of: device)
        }
        let bound = Self.bound(position)
        var condition = "\"end\" > ? AND begin < ? AND (begin, tag) > (?, ?)"
        var arguments: [any DatabaseField] = [device, times.lowerBound, times.upperBound, bound.begin, bound.tag]
        if rows.count == limit {
            // The next page begins after this row.
            guard let last = rows.last, let key = last.key, decode(last, of: device) != nil else {
                throw misplaced(of: device)
            }
            condition += " AND (begin, tag) <= (?, ?)"
            arguments += [key.begin, key.tag]
        }
        try require(rows.count, of: device, where: condition, arguments)
    }

    /// Demands that as many rows meet a condition according to the index, which has all columns for that.
    private func require(
        _ count: Int, of device: Int64, where condition: String, _ arguments: [any DatabaseField]
    ) throws {
        let sql = "SELECT count(*) FROM event INDEXED BY event_end WHERE device = ? AND \(condition)"
        guard try Int.fetchOne(db, sql: sql, arguments: arguments) == count else { throw misplaced(of: device) }
    }

    private func misplaced(of device: Int64) -> DatabaseError {
        tables.health.noteMisplaced(of: device)
        return DatabaseError(.corrupt, "events are out of order")
    }

    /// The most consecutive rows with other devices' numbers that are read before the end of a device.
    private static let mostOthers = 3

    /// The rows on readable pages in their order, each once: a page with the contents of another one repeats them.
    private func readable(of device: Int64, _ choice: Choice) throws -> [StoredEvent] {
        var rows: [HistoryEventPosition: StoredEvent] = [:]
        for row in try found(of: device, choice) { if let key = row.key, rows[key] == nil { rows[key] = row } }
        return rows.sorted { Self.isInOrder($0.key, $1.key) }.map(\.value)
    }

    private func found(of device: Int64, _ choice: Choice) throws -> [StoredEvent] {
        let sql = "\(Self.reading) NOT INDEXED WHERE (device, begin) >= (?, ?) ORDER BY device, begin, tag"
        var found: [StoredEvent] = []
        var begin = Int64.min
        var gaps = 0
        while gaps < RowSearch.mostGaps {
            var last = begin
            do {
                let rows = try db.rows(sql: sql, arguments: [device, begin])
                var others = 0
                while others <= Self.mostOthers, let row = try rows.next() {
                    others = row.integer(4) == device ? 0 : others + 1
                    guard others == 0, let begin = row.integer(0), let end = row.integer(2) else { continue }
                    last = max(last, begin)
                    if choice.contains(begin: begin, end: end) { found.append(StoredEvent(row)) }
                }
                guard last < .max, try hasRow(of: device, "begin > ? ORDER BY begin DESC", last, orDamage: true) else {
                    return found
                }
                // The query ended at a damaged row, or at a page with the contents of another one.
                tables.health.noteDamage(ofTree: "event")
                gaps += 1
            } catch {
                guard error.isDamage else { throw error }
                tables.health.noteDamage(ofTable: "event")
            }
            guard last < .max,
                let sound = try RowSearch.time(
                    beyond: last, { try hasRow(of: device, "begin >= ? ORDER BY begin", $0, orDamage: false) })
            else { return found }
            begin = max(sound, last + 1)
        }
        return found
    }

    /// Whether a row of a device meets a condition; a damaged page counts as the parameter says.
    private func hasRow(
        of device: Int64, _ condition: String, _ begin: Int64, orDamage: Bool
    ) throws -> Bool {
        do {
            let sql = "\(Self.reading) NOT INDEXED WHERE device = ? AND \(condition)"
            let row = try db.rows(sql: sql, arguments: [device, begin]).next().map(StoredEvent.init(_:))
            // SQLite does not compare the first row with the condition that led to it.
            return row.map { ($0.begin ?? .min) >= begin } ?? false
        } catch {
            guard error.isDamage else { throw error }
            return orDamage
        }
    }
}

extension EventTable.Choice {
    fileprivate func contains(begin: Int64, end: Int64) -> Bool {
        switch self {
        case .overlapping(let times): begin < times.upperBound && end > times.lowerBound
        case .ended(before: let time): end <= time
        case .all: true
        }
    }
}

// MARK: - Rows

extension EventTable {
    private static let reading = "SELECT begin, tag, \"end\", contents, device FROM event"

    /// The key after which a query continues.
    private static func bound(_ position: HistoryEventPosition?) -> HistoryEventPosition {
        position ?? HistoryEventPosition(begin: .min, tag: [])
    }

    private static func isInOrder(_ left: HistoryEventPosition, _ right: HistoryEventPosition) -> Bool {
        left.begin < right.begin || left.begin == right.begin && left.tag.lexicographicallyPrecedes(right.tag)
    }

    /// Returns the row of an id; a damaged row has no event, and is replaced.
    private func row(_ tag: [UInt8], of device: Int64) throws
        -> (HistoryEventPosition, (event: HistoryEvent, bytes: [UInt8])?)?
    {
        let rows = try db.rows(sql: "\(Self.reading) WHERE device = ? AND tag = ?", arguments: [device, tag])
        guard let row = try rows.next().map(StoredEvent.init(_:)), let key = row.key else { return nil }
        return (key, decode(row, of: device))
    }

    private func decode(_ row: StoredEvent, of device: Int64) -> (event: HistoryEvent, bytes: [UInt8])? {
        guard let key = row.key, let end = row.end, let contents = row.contents,
            let bytes = tables.opened(contents, as: .event, device, key.begin, end, countedAt: key.begin),
            let event = EventCodec.decode(bytes)
        else { return nil }
        guard isKey(of: event, device, begin: key.begin, tag: key.tag, end: end) else {
            tables.health.noteDamage(ofTable: "event")
            return nil
        }
        return (event, bytes)
    }

    /// Whether the columns of a row are those of an event: otherwise they or its contents are damaged.
    func isKey(
        of event: HistoryEvent, _ device: Int64, begin: Int64, tag: some Collection<UInt8>, end: Int64
    ) -> Bool {
        event.begin.millisecondsSince1970 == begin && event.lastMillisecond == end
            && tag.elementsEqual(self.tag(of: event.id, device))
    }

    /// The key by which an id is found: the id itself, or a keyed hash in an encrypted history. An id is made of
    /// device and time, so in plain it would reveal them.
    private func tag(of id: EventID, _ device: Int64) -> [UInt8] {
        guard let seal = tables.seal else { return withUnsafeBytes(of: id.rawValue.bigEndian) { Array($0) } }
        return seal.tag(.event, device, text: id.description)
    }
}

extension HistoryEvent {
    /// The first millisecond after the event; ``EventTable/open`` while it is under way.
    fileprivate var lastMillisecond: Int64 {
        guard let end else { return EventTable.open }
        let isWhole = end.nanosecondsInSecond % 1_000_000 == 0
        return max(end.millisecondsSince1970 + (isWhole ? 0 : 1), begin.millisecondsSince1970 + 1)
    }
}
