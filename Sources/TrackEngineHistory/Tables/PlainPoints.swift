import SQLiteAccess
import TrackEngine

/// Points in plain: a column for each number.
struct PlainPoints: PointStorage {
    let db: Database
    let health: HistoryHealth

    static let columns = "\(PointRow.columns), source, sender_id"
    static let key = ["time", "latitude", "longitude"]
    static let sender = (column: "sender_id", key: "id")

    func values(at position: HistoryPointPosition) -> [any DatabaseField] {
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

    func point(_ row: Row, of device: Int64) -> StoredPoint? {
        let point = StoredPoint(row)
        if point == nil { noteDamage(row, of: device) }
        return point
    }

    func visit(of device: Int64, from start: PointStart, to end: Int64, _ body: (StoredPoint) throws -> Bool) throws {
        try rows(
            Self.columns, of: device, from: start, to: end, value: { point($0, of: device) },
            visit: { try $0.value.map(body) ?? true })
    }

    func drawn(of device: Int64, from start: PointStart, to end: Int64, _ body: (DrawingPoint) throws -> Void) throws {
        try rows(
            "time, latitude, longitude, altitude, speed, state", of: device, from: start, to: end,
            value: { row in
                let point = DrawingPoint(row)
                if point == nil { noteDamage(row, of: device) }
                return point
            },
            visit: { entry in
                if let point = entry.value { try body(point) }
                return true
            })
    }

    /// Notes a row that cannot be read.
    private func noteDamage(_ row: Row, of device: Int64) {
        guard let time = row.integer(0), RowSearch.possible.contains(time) else { return }  // noted as out of order
        health.noteDamage(of: device, time..<time + 1)
    }
}

extension StoredPoint {
    /// The columns of a row, its source and its sender's id; `nil` when it is damaged.
    fileprivate init?(_ row: Row) {
        guard let point = PointRow(row) else { return nil }
        self.init(
            row: point, source: row.integer(PointRow.columnCount),
            senderID: SenderID(row[PointRow.columnCount + 1]))
    }
}

extension SenderID {
    /// The id in its column; `nil` for none, and for a damaged one.
    fileprivate init?(_ value: DatabaseValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .blob(let bytes):
            guard let id = RecordID(bytes: bytes) else { return nil }
            self = .record(id)
        case .null, .integer, .real: return nil
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
