import GRDB
import TrackEngine

/// The points, by device and time.
struct PointTable {
    let tables: HistoryTables

    private var db: Database { tables.db }

    /// The points of a time in milliseconds, by time, and at most so many.
    func points(of device: Int64, in times: Range<Int64>, limit: Int) throws -> [HistoryPoint] {
        guard limit > 0 else { return [] }
        var sources: [Int64: SourceID] = [:]
        var points: [HistoryPoint] = []
        try tables.rows.visit(of: device, in: times) { stored in
            points.append(try point(stored, &sources))
            return points.count < limit
        }
        return points
    }

    /// The newest point by time.
    func newest(of device: Int64) throws -> HistoryPoint? {
        var sources: [Int64: SourceID] = [:]
        return try tables.rows.newest(of: device).map { try point($0, &sources) }
    }

    /// The first point at or after a time in milliseconds.
    func firstTime(of device: Int64, from time: Int64) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT time FROM point WHERE device = ? AND time >= ? ORDER BY time LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [device, time])
    }

    /// Visits what drawings are made of, by time.
    func drawn(of device: Int64, in times: Range<Int64>, _ body: (DrawnPoint) throws -> Void) throws {
        try tables.rows.drawn(of: device, in: times, body)
    }

    /// Removes the points of a time in milliseconds; returns how many.
    func remove(of device: Int64, in times: Range<Int64>) throws -> Int {
        try tables.rows.forgetNames(of: device, in: times)
        try db.execute(
            sql: "DELETE FROM point WHERE device = ? AND time >= ? AND time < ?",
            arguments: [device, times.lowerBound, times.upperBound])
        return db.changesCount
    }

    private func point(_ stored: StoredPoint, _ sources: inout [Int64: SourceID]) throws -> HistoryPoint {
        if let number = stored.source, sources[number] == nil {
            sources[number] = try tables.sources.name(of: number).map(SourceID.init(rawValue:))
        }
        return stored.row.point(source: stored.source.flatMap { sources[$0] }, senderID: stored.senderID)
    }
}
