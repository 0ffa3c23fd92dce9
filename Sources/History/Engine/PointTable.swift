import FoundationEssentials
import GRDB
import TrackEngine

/// The points, by device and time.
struct PointTable {
    let db: Database

    private static let reading = "SELECT \(PointRow.columns), source, sender_id FROM point WHERE device = ?"

    /// The points of a time in milliseconds, by time.
    func points(of device: Int64, in times: Range<Int64>, limit: Int) throws -> [HistoryPoint] {
        let statement = try db.cachedStatement(
            sql: "\(Self.reading) AND time >= ? AND time < ? ORDER BY time, latitude, longitude LIMIT ?")
        var sources: [Int64: SourceID] = [:]
        return try Row.fetchAll(
            statement, arguments: [device, times.lowerBound, times.upperBound, limit]
        ).compactMap { try point($0, &sources) }
    }

    /// The newest point by time.
    func newest(of device: Int64) throws -> HistoryPoint? {
        let statement = try db.cachedStatement(sql: "\(Self.reading) ORDER BY time DESC")
        let rows = try Row.fetchCursor(statement, arguments: [device])
        var sources: [Int64: SourceID] = [:]
        while let row = try rows.next() { if let point = try point(row, &sources) { return point } }
        return nil
    }

    /// The first point at or after a time in milliseconds.
    func firstTime(of device: Int64, from time: Int64) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT time FROM point WHERE device = ? AND time >= ? ORDER BY time LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [device, time])
    }

    /// What drawings are made of, by time.
    func drawn(of device: Int64, in times: Range<Int64>) throws -> [DrawnPoint] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT time, latitude, longitude, altitude, speed, state FROM point
                WHERE device = ? AND time >= ? AND time < ? ORDER BY time, latitude, longitude
                """)
        let rows = try Row.fetchCursor(statement, arguments: [device, times.lowerBound, times.upperBound])
        var points: [DrawnPoint] = []
        while let row = try rows.next() { if let point = DrawnPoint(row) { points.append(point) } }
        return points
    }

    /// Removes the points of a time in milliseconds; returns how many.
    func remove(of device: Int64, in times: Range<Int64>) throws -> Int {
        let points = "device = :device AND time >= :begin AND time < :end"
        let range: StatementArguments = ["device": device, "begin": times.lowerBound, "end": times.upperBound]
        try db.execute(
            sql: """
                DELETE FROM sender_id WHERE device = :device AND id IN (
                    SELECT sender_id FROM point WHERE \(points) AND typeof(sender_id) = 'text')
                """, arguments: range)
        try db.execute(sql: "DELETE FROM point WHERE \(points)", arguments: range)
        return db.changesCount
    }

    /// The point of a row; `nil` where it is damaged.
    private func point(_ row: Row, _ sources: inout [Int64: SourceID]) throws -> HistoryPoint? {
        let senderID = SenderID(row[PointRow.columnCount + 1] as DatabaseValue)
        guard let number = row.integer(PointRow.columnCount) else {
            return PointRow(row)?.point(source: nil, senderID: senderID)
        }
        if sources[number] == nil {
            sources[number] = try NamedTable(kind: .source, db: db).name(of: number).map(SourceID.init(rawValue:))
        }
        return PointRow(row)?.point(source: sources[number], senderID: senderID)
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
        // A chunk holds only what was written, or it would be made anew each time it is read.
        let written = ChunkCodec.numbers
        self.init(
            time: time, place: place, altitude: row.integer(3).flatMap { written.contains($0) ? $0 : nil },
            speed: row.integer(4).flatMap { written.contains($0) ? $0 : nil },
            activity: PointState(bits: row.integer(5) ?? 0).activity)
    }
}
