import FoundationEssentials
import GRDB
import TrackEngine

/// Points in plain: a column for each number.
struct PlainPoints: PointRows {
    let db: Database

    private static let reading = "SELECT \(PointRow.columns), source, sender_id FROM point WHERE device = ?"

    func visit(of device: Int64, in times: Range<Int64>, _ body: (StoredPoint) throws -> Bool) throws {
        let statement = try db.cachedStatement(
            sql: "\(Self.reading) AND time >= ? AND time < ? ORDER BY time, latitude, longitude")
        let rows = try Row.fetchCursor(statement, arguments: [device, times.lowerBound, times.upperBound])
        while let row = try rows.next() {
            if let point = StoredPoint(row) { guard try body(point) else { return } }
        }
    }

    func page(
        of device: Int64, in times: Range<Int64>, after position: HistoryPointPosition?, limit: Int,
        _ body: (HistoryPointPosition, StoredPoint?) -> Void
    ) throws {
        // With the bound of the time besides, SQLite might walk over all points of a millisecond again.
        let begin = position == nil ? "time >= ?" : "(time, latitude, longitude) > (?, ?, ?)"
        let statement = try db.cachedStatement(
            sql: "\(Self.reading) AND \(begin) AND time < ? ORDER BY time, latitude, longitude LIMIT ?")
        var arguments: StatementArguments = [device]
        switch position?.key {
        case nil: arguments += [times.lowerBound]
        case .place(let latitude, let longitude)?: arguments += [position?.time, latitude, longitude]
        case .tag?: arguments += [position?.time, Int64.min, Int64.min]
        }
        arguments += [times.upperBound, limit]
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            guard let time = row.integer(0), let latitude = row.integer(1), let longitude = row.integer(2) else {
                continue
            }
            body(HistoryPointPosition(time: time, key: .place(latitude, longitude)), StoredPoint(row))
        }
    }

    func newest(of device: Int64, until time: Int64) throws -> StoredPoint? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "\(Self.reading) AND time <= ? ORDER BY time DESC"), arguments: [device, time])
        while let row = try rows.next() { if let point = StoredPoint(row) { return point } }
        return nil
    }

    func drawn(of device: Int64, in times: Range<Int64>, _ body: (DrawnPoint) throws -> Void) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT time, latitude, longitude, altitude, speed, state FROM point
                WHERE device = ? AND time >= ? AND time < ? ORDER BY time, latitude, longitude
                """)
        let rows = try Row.fetchCursor(statement, arguments: [device, times.lowerBound, times.upperBound])
        while let row = try rows.next() { if let point = DrawnPoint(row) { try body(point) } }
    }

    func forgetNames(of device: Int64, in times: Range<Int64>) throws {
        try db.execute(
            sql: """
                DELETE FROM sender_id WHERE device = :device AND id IN (
                    SELECT sender_id FROM point
                    WHERE device = :device AND time >= :begin AND time < :end AND typeof(sender_id) = 'text')
                """, arguments: ["device": device, "begin": times.lowerBound, "end": times.upperBound])
    }
}

extension StoredPoint {
    /// The columns of a row, its source and its sender's id; `nil` where it is damaged.
    fileprivate init?(_ row: Row) {
        guard let point = PointRow(row) else { return nil }
        self.init(
            row: point, source: row.integer(PointRow.columnCount),
            senderID: SenderID(row[PointRow.columnCount + 1] as DatabaseValue))
    }
}

extension SenderID {
    /// The id in its column; `nil` for none, and for one that is damaged.
    fileprivate init?(_ value: DatabaseValue) {
        switch value.storage {
        case .string(let text): self = .text(text)
        case .blob(let bytes):
            guard let id = RecordID(bytes: bytes) else { return nil }
            self = .record(id)
        case .null, .int64, .double: return nil
        }
    }
}

extension DrawnPoint {
    /// The columns time, latitude, longitude, altitude, speed, state; `nil` where they are damaged.
    fileprivate init?(_ row: Row) {
        guard let time = row.integer(0), let place = GridPlace(row.integer(1), row.integer(2)) else { return nil }
        self.init(
            time: time, place: place, altitude: row.integer(3), speed: row.integer(4),
            state: PointState(bits: row.integer(5) ?? 0))
    }
}
