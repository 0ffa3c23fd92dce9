import SQLiteAccess
import TrackEngine

/// A stored point.
struct StoredPoint: Sendable, Hashable {
    let row: PointRow
    /// The number of its source.
    let source: Int64?
    let senderID: SenderID?
}

/// The form of points in their table: in plain, or sealed. A damaged row is left out; a damaged page ends the reading
/// with an error.
protocol PointStorage {
    var db: Database { get }
    /// Collects the damaged rows.
    var health: HistoryHealth { get }
    /// The columns of a point, the time first.
    static var columns: String { get }
    /// The columns of the table's key after the device, the time first.
    static var key: [String] { get }
    /// The column with the name that a sender gave a point, and that of the table `sender_id`.
    static var sender: (column: String, key: String) { get }
    /// The values of the key's columns at a position.
    func values(at position: HistoryPointPosition) -> [any DatabaseField]
    /// Returns the position of a row that begins with those columns; `nil` when it is damaged.
    func position(of row: Row) -> HistoryPointPosition?
    /// Returns the point of a row with ``columns``; `nil` when it is damaged.
    func point(_ row: Row, of device: Int64) -> StoredPoint?
    /// Visits the points up to a millisecond, by time and place, until the body returns false.
    func visit(of device: Int64, from start: PointStart, to end: Int64, _ body: (StoredPoint) throws -> Bool) throws
    /// Visits the values for drawings, by time and place.
    func drawn(of device: Int64, from start: PointStart, to end: Int64, _ body: (DrawingPoint) throws -> Void) throws
}

extension PointStorage {
    private static var order: String { key.joined(separator: ", ") }
    static var keyBackwards: String { key.map { $0 + " DESC" }.joined(separator: ", ") }

    /// Visits at most `limit` rows in the order of the table.
    func page(
        of device: Int64, from start: PointStart, to end: Int64, limit: Int,
        _ body: (HistoryPointPosition, StoredPoint?) -> Void
    ) throws {
        guard limit > 0 else { return }
        var count = 0
        try rows(
            Self.columns, of: device, from: start, to: end,
            value: { row in
                let point = point(row, of: device)  // which counts a row that cannot be opened
                return position(of: row).map { ($0, point) }
            },
            visit: { entry in
                guard let (position, point) = entry.value else { return true }
                body(position, point)
                count += 1
                return count < limit
            })
    }

    /// Visits the times of at most `limit` rows in the order of the table.
    func times(
        of device: Int64, from start: PointStart, to end: Int64, limit: Int, _ body: (Int64) -> Void
    ) throws {
        guard limit > 0 else { return }
        var count = 0
        try rows(
            Self.order, of: device, from: start, to: end, value: { _ in () },
            visit: { entry in
                body(entry.time)
                count += 1
                return count < limit
            })
    }

    /// Returns the newest point by time, up to a millisecond; of several, the last one by place.
    func newest(of device: Int64, until time: Int64) throws -> StoredPoint? {
        var order = RowOrder<StoredPoint>()
        order.gap = { note(device, -$0.upperBound ..< -$0.lowerBound) }
        let rows = try db.rows(
            sql: """
                SELECT \(Self.columns), device FROM point WHERE device = ? AND time <= ?
                ORDER BY \(Self.keyBackwards)
                """, arguments: [device, time])
        var newest: StoredPoint?
        func isNewest(_ entry: RowOrder<StoredPoint>.Entry?) -> Bool {
            guard let point = entry?.value else { return false }
            if let newest, newest.row.time != point.row.time { return true }
            if newest.map({ $0.row.place < point.row.place }) ?? true { newest = point }
            return false
        }
        do {
            while let row = try rows.next() {
                guard isOwn(row, of: device), let time = row.integer(0), RowSearch.possible.contains(time) else {
                    continue
                }
                if isNewest(order.take(.init(time: -time, value: point(row, of: device)))) { break }
            }
        } catch {
            guard error.isDamage else { throw error }
            _ = isNewest(order.finish())
            guard newest != nil else { throw error }
        }
        _ = isNewest(order.finish())
        if let newest { try requireNone(of: device, after: newest.row.time, until: time) }
        return newest
    }

    /// Removes the names that senders gave the points for which a condition holds.
    func forgetNames(of device: Int64, where condition: String, _ arguments: [any DatabaseField]) throws {
        try db.execute(
            sql: """
                DELETE FROM sender_id WHERE device = ? AND \(Self.sender.key) IN (
                    SELECT \(Self.sender.column) FROM point WHERE \(condition))
                """, arguments: [device] + arguments)
    }

    /// Returns the number of rows in a range of milliseconds that can be read backwards from its end, in at most ten
    /// thousand steps, and the time of the earliest; `nil` for none.
    func readableBackwards(of device: Int64, in times: Range<Int64>) throws -> (count: Int, first: Int64)? {
        var found: (count: Int, first: Int64)?
        do {
            let rows = try db.rows(
                sql: """
                    SELECT \(Self.columns) FROM point WHERE device = ? AND time >= ? AND time < ?
                    ORDER BY \(Self.keyBackwards) LIMIT 10000
                    """, arguments: [device, times.lowerBound, times.upperBound])
            while let row = try rows.next() {
                if let time = row.integer(0) { found = ((found?.count ?? 0) + 1, time) }
            }
        } catch {
            guard error.isDamage else { throw error }  // no row before a damaged page can be read
        }
        return found
    }
}

// MARK: - Rows in order

extension PointStorage {
    /// Visits the rows of a device from a start to before a millisecond until the function returns false. Rows whose
    /// time is out of order are damaged, and left out.
    ///
    /// The end is no condition of the query, or SQLite would end it at a damaged time.
    ///
    /// - Parameters:
    ///   - value: the value of a row; `nil` for a damaged one.
    ///   - visit: called with each row that is in order.
    ///   - misplaced: called with each row that is not.
    func rows<Value>(
        _ columns: String, of device: Int64, from start: PointStart, to end: Int64, value: (Row) throws -> Value?,
        visit: (RowOrder<Value>.Entry) throws -> Bool, misplaced: @escaping (RowOrder<Value>.Entry) -> Void = { _ in }
    ) throws {
        let begin = start
        var start = start
        var last = start.lastTime
        var window = RowTimeWindow()
        /// The times of the first row, and of the one at which the reading ended; `nil` after the last row.
        var (first, bound) = (Int64?.none, Int64?.none)
        func visiting(_ entry: RowOrder<Value>.Entry) throws -> Bool {
            first = first ?? entry.time
            guard entry.time < end else {
                bound = entry.time
                return false
            }
            last = max(last, entry.time)
            window.take(entry.time)
            guard try !visit(entry) else { return true }
            bound = entry.time
            return false
        }
        var gaps = 0
        while gaps < RowSearch.mostGaps,
            try queriedRows(
                columns, of: device, from: start, to: end, value: value, visit: visiting, misplaced: misplaced),
            try rowsBehindOthers(
                columns, of: device, after: last, to: end, value: value, visit: visiting, misplaced: misplaced),
            let next = try startBehindGap(of: device, after: last, before: end)
        {
            health.noteDamage(ofTree: "point")
            note(device, last..<next)
            (start, last, gaps) = (.time(next), next, gaps + 1)
        }
        try compare(first, of: device, from: begin)
        try compare(window, of: device, from: begin, to: bound ?? end)
        if bound == nil { try requireNone(of: device, from: end, after: last) }
    }

    /// Returns the time of the next row of a device that a query finds, although it ended at an earlier row: at a
    /// damaged one, or at a page that has the contents of another one. `nil` when there is none.
    private func startBehindGap(of device: Int64, after time: Int64, before end: Int64) throws -> Int64? {
        let between = "SELECT time FROM point WHERE device = ? AND time > ? AND time < ? ORDER BY time"
        do {
            let newest = try Int64.fetchOne(db, sql: between + " DESC", arguments: [device, time, end])
            guard newest != nil else { return nil }
        } catch {
            guard error.isDamage else { throw error }
        }
        var next: Int64?
        _ = try RowSearch.time(beyond: time) { probe in
            do {
                let found = try Int64.fetchOne(db, sql: between, arguments: [device, max(time, probe - 1), end])
                // SQLite does not compare the first row with the condition that led to it.
                guard let found, found > time else { return false }
                next = min(next ?? .max, found)
                return true
            } catch {
                guard error.isDamage else { throw error }
                return false
            }
        }
        return next
    }

    /// Visits the rows that a query for a device gives. Returns whether it came to its end.
    private func queriedRows<Value>(
        _ columns: String, of device: Int64, from start: PointStart, to end: Int64, value: (Row) throws -> Value?,
        visit: (RowOrder<Value>.Entry) throws -> Bool, misplaced: @escaping (RowOrder<Value>.Entry) -> Void
    ) throws -> Bool {
        var order = RowOrder<Value>()
        order.misplaced = misplaced
        order.gap = { note(device, $0) }
        var least = start.time
        func isLast(_ entry: RowOrder<Value>.Entry?) throws -> Bool {
            guard let entry, entry.time >= least else { return false }
            return try !visit(entry)
        }
        func read(_ sql: String, _ arguments: [any DatabaseField]) throws -> Bool {
            let rows = try db.rows(sql: "\(sql) ORDER BY \(Self.order)", arguments: arguments)
            while let row = try rows.next() {
                guard isOwn(row, of: device) else { continue }
                guard let time = row.integer(0) else {
                    order.stray(.init(time: end, value: try value(row)))
                    continue
                }
                if try isLast(order.take(.init(time: time, value: try value(row)))) { return false }
            }
            return true
        }
        let reading = "SELECT \(columns), device FROM point WHERE device = ? AND"
        do {
            var begin = start
            if case .behind(let position) = start {
                // First the other points of its millisecond, or they would be read again for each page.
                let marks = Self.key.dropFirst().map { _ in "?" }.joined(separator: ", ")
                let others = "time = ? AND (\(Self.key.dropFirst().joined(separator: ", "))) > (\(marks))"
                guard try read("\(reading) \(others)", [device] + values(at: position)), try !isLast(order.finish())
                else { return false }
                least = max(position.time, position.time &+ 1)
                begin = .time(least)
            }
            if case .time(let time) = begin { begin = try soundStart(of: device, at: time) }
            if case .behindDamage(let next, let count, let from) = begin {
                let earlier =
                    "SELECT * FROM (\(reading) time < ? ORDER BY \(Self.keyBackwards) LIMIT ?) WHERE time >= ?"
                let sql = "\(earlier) UNION ALL \(reading) time >= ?"
                guard try read(sql, [device, next, count, from, device, next]) else { return false }
            } else {
                guard try read("\(reading) time >= ?", [device, begin.time]) else { return false }
            }
        } catch let error as DatabaseError where error.isDamage {
            if try isLast(order.finish()) { return false }  // the row before a damaged page
            throw error
        }
        return try !isLast(order.finish())
    }

    /// Whether a row, with the device as its last column, is of a device: SQLite looks at the first one alone, and a page
    /// may have the contents of another one.
    private func isOwn(_ row: Row, of device: Int64) -> Bool {
        guard row.integer(row.count - 1) != device else { return true }
        health.noteDamage(ofTree: "point")
        return false
    }

    /// Visits the rows of a device after those with a damaged number of another one, at which a query for the device
    /// ends. The column after the others is the device. Returns whether it came to the end of the device.
    private func rowsBehindOthers<Value>(
        _ columns: String, of device: Int64, after time: Int64, to end: Int64, value: (Row) throws -> Value?,
        visit: (RowOrder<Value>.Entry) throws -> Bool, misplaced: @escaping (RowOrder<Value>.Entry) -> Void
    ) throws -> Bool {
        var order = RowOrder<Value>()
        order.misplaced = misplaced
        order.gap = { note(device, $0) }
        let sql = "SELECT \(columns), device FROM point WHERE (device, time) > (?, ?) ORDER BY device, \(Self.order)"
        var (count, others, isBehind) = (0, 0, false)
        func isLast(_ entry: RowOrder<Value>.Entry?) throws -> Bool {
            try entry.map { try !visit($0) } ?? false
        }
        do {
            let rows = try db.rows(sql: sql, arguments: [device, time])
            while others <= Self.mostOthers, let row = try rows.next() {
                count += 1
                guard row.integer(row.count - 1) == device else {
                    others += 1
                    continue
                }
                guard isBehind || others > 0, let next = row.integer(0) else { continue }
                if others > 0 {
                    note(device, time..<max(time, next))
                    let again = try db.rows(
                        sql: sql + " LIMIT ? OFFSET ?", arguments: [device, time, others, count - others - 1])
                    while let other = try again.next() {
                        misplaced(.init(time: other.integer(0) ?? time, value: try value(other)))
                    }
                }
                (isBehind, others) = (true, 0)
                if try isLast(order.take(.init(time: next, value: try value(row)))) { return false }
            }
        } catch let error as DatabaseError where error.isDamage {
            guard isBehind else { return true }  // a page of another device, or the row at which the query ended
            if try isLast(order.finish()) { return false }
            throw error
        }
        return try !isLast(order.finish())
    }

    /// The most consecutive rows with other devices' numbers that are read before the end of a device.
    private static var mostOthers: Int { 3 }

    /// Returns the start of a reading at a time.
    ///
    /// SQLite finds a row by comparisons with others. A damaged time that is too early leads it past sound rows; then
    /// the damaged row is the one before the row that it finds, and later rows are before that one. A damaged time
    /// that is too late leads it to the damaged row itself, which the reading leaves out.
    private func soundStart(of device: Int64, at time: Int64) throws -> PointStart {
        let backwards = "SELECT time FROM point WHERE device = ? AND time < ? ORDER BY \(Self.keyBackwards)"
        do {
            let before = try Int64.fetchAll(db, sql: backwards + " LIMIT 2", arguments: [device, time])
            guard before.count == 2, before[1] > before[0], before[1] >= time else { return .time(time) }
            let next = try Int64.fetchOne(
                db, sql: "SELECT time FROM point WHERE device = ? AND time >= ? ORDER BY \(Self.order)",
                arguments: [device, time])
            note(device, before[1]..<max(before[1], next ?? .max))
            let rows = try db.rows(sql: backwards + " LIMIT \(Self.mostEarlier)", arguments: [device, time])
            var count = 1
            _ = try rows.next()  // the damaged row
            while let row = try rows.next(), row.integer(0) ?? .min >= time { count += 1 }
            return .behindDamage(next ?? .max, earlier: count, from: time)
        } catch {
            guard error.isDamage else { throw error }
            return .time(time)  // a damaged page before it does not matter
        }
    }

    /// The most rows before a damaged row that are read in addition.
    private static var mostEarlier: Int { 100_000 }

    private func note(_ device: Int64, _ times: Range<Int64>) { health.noteMisplaced(of: device, times) }
}

/// Adds points one after the other, within one transaction.
protocol PointWriter {
    /// Adds a point; returns whether it was new.
    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool
}

extension DrawingPoint {
    /// The values of a row for a drawing.
    init(time: Int64, place: GridPosition, altitude: Int64?, speed: Int64?, state: PointState) {
        // A chunk holds only encodable values; otherwise it would be made anew at each read.
        let written = ChunkCodec.numbers
        self.init(
            time: time, place: place, altitude: altitude.flatMap { written.contains($0) ? $0 : nil },
            speed: speed.flatMap { written.contains($0) ? $0 : nil }, activity: state.activity)
    }
}
