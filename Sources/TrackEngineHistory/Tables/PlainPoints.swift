import FoundationEssentials
import GRDB
import TrackEngine

/// Points in plain: a column for each number.
struct PlainPoints: PointStorage {
    let db: Database

    static let columns = "\(PointRow.columns), source, sender_id"
    static let key = ["time", "latitude", "longitude"]

    func values(at position: HistoryPointPosition) -> StatementArguments {
        switch position.key {
        case .place(let latitude, let longitude): [position.time, latitude, longitude]
        case .tag: [position.time, Int64.min, Int64.min]
        }
    }

    func position(of row: Row) -> HistoryPointPosition? {
        guard let time = row.integer(0), let latitude = row.integer(1), let longitude = row.integer(2) else {
            return nil
        }
        return HistoryPointPosition(time: time, key: .place(latitude, longitude))
    }

    func visit(of device: Int64, from start: PointStart, to end: Int64, _ body: (StoredPoint) throws -> Bool) throws {
        let rows = try rows(Self.columns, of: device, from: start, to: end, by: "time, latitude, longitude")
        while let row = try rows.next() {
            if let point = StoredPoint(row) { guard try body(point) else { return } }
        }
    }

    func page(
        of device: Int64, from start: PointStart, to end: Int64, limit: Int,
        _ body: (HistoryPointPosition, StoredPoint?) -> Void
    ) throws {
        let rows = try rows(
            Self.columns, of: device, from: start, to: end, by: "time, latitude, longitude", limit: limit)
        while let row = try rows.next() { if let position = position(of: row) { body(position, StoredPoint(row)) } }
    }

    func newest(of device: Int64, until time: Int64) throws -> StoredPoint? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(Self.columns) FROM point WHERE device = ? AND time <= ? ORDER BY time DESC"),
            arguments: [device, time])
        while let row = try rows.next() { if let point = StoredPoint(row) { return point } }
        return nil
    }

    func drawn(of device: Int64, from start: PointStart, to end: Int64, _ body: (DrawingPoint) throws -> Void) throws {
        let rows = try rows(
            "time, latitude, longitude, altitude, speed, state", of: device, from: start, to: end,
            by: "time, latitude, longitude")
        while let row = try rows.next() { if let point = DrawingPoint(row) { try body(point) } }
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
    /// The columns of a row, its source and its sender's id; `nil` when it is damaged.
    fileprivate init?(_ row: Row) {
        guard let point = PointRow(row) else { return nil }
        self.init(
            row: point, source: row.integer(PointRow.columnCount),
            senderID: SenderID(row[PointRow.columnCount + 1] as DatabaseValue))
    }
}

extension SenderID {
    /// The id in its column; `nil` for none, and for a damaged one.
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

extension DrawingPoint {
    /// The columns time, latitude, longitude, altitude, speed, state; `nil` when they are damaged.
    fileprivate init?(_ row: Row) {
        guard let time = row.integer(0), let place = GridPosition(row.integer(1), row.integer(2)) else { return nil }
        self.init(
            time: time, place: place, altitude: row.integer(3), speed: row.integer(4),
            state: PointState(bits: row.integer(5) ?? 0))
    }
}
