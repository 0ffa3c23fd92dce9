import SQLiteAccess
import TrackEngine

/// The points, by device and time.
struct PointTable {
    let tables: HistoryTableSet

    private var db: Database { tables.db }

    /// Returns at most `limit` points of a range of milliseconds, by time.
    func points(of device: Int64, in times: Range<Int64>, limit: Int) throws -> [HistoryPoint] {
        guard limit > 0 else { return [] }
        var found: [StoredPoint] = []
        try visit(of: device, in: times) { stored in
            found.append(stored)
            return found.count < limit
        }
        return try points(found)
    }

    /// Visits the points of a range of milliseconds, by time and place, until the body returns false.
    func visit(of device: Int64, in times: Range<Int64>, _ body: (StoredPoint) throws -> Bool) throws {
        var failure: (any Error)?
        try readSound(of: device, from: .time(times.lowerBound), to: times.upperBound) { start, last in
            try tables.rows.visit(of: device, from: start, to: times.upperBound) { stored in
                last = stored.row.time
                do { return try body(stored) } catch {
                    failure = error  // the body's error is not about these rows
                    return false
                }
            }
        }
        if let failure { throw failure }
    }

    /// Returns at most `limit` points of a range of milliseconds after a position.
    func page(
        of device: Int64, in times: Range<Int64>, after position: HistoryPointPosition?, limit: Int
    ) throws -> HistoryPointPage {
        guard limit > 0 else { return HistoryPointPage(points: [], next: position) }
        var found: [StoredPoint] = []
        var count = 0
        var position = position
        let start = position.map(PointStart.behind) ?? .time(times.lowerBound)
        try readSound(of: device, from: start, to: times.upperBound) { start, last in
            try tables.rows.page(of: device, from: start, to: times.upperBound, limit: limit - count) { place, stored in
                (position, last) = (place, place.time)
                count += 1
                if let stored { found.append(stored) }
            }
        }
        if tables.seal != nil { found.sort { ($0.row.time, $0.row.place) < ($1.row.time, $1.row.place) } }
        return HistoryPointPage(points: try points(found), next: count == limit ? position : nil)
    }

    /// Visits the values for drawings, by time.
    func drawn(of device: Int64, in times: Range<Int64>, _ body: (DrawingPoint) throws -> Void) throws {
        try readSound(of: device, from: .time(times.lowerBound), to: times.upperBound) { start, last in
            try tables.rows.drawn(of: device, from: start, to: times.upperBound) { point in
                last = point.time
                try body(point)
            }
        }
    }

    /// Returns at most `limit` times of the oldest points in a range of milliseconds.
    func times(of device: Int64, in times: Range<Int64>, limit: Int) throws -> [Int64] {
        var found: [Int64] = []
        try readSound(of: device, from: .time(times.lowerBound), to: times.upperBound) { start, last in
            try tables.rows.times(of: device, from: start, to: times.upperBound, limit: limit - found.count) { time in
                last = time
                found.append(time)
            }
        }
        return found
    }

    /// Removes the points of a range of milliseconds, except those next to a damaged page. Returns the number of
    /// removed points.
    func remove(of device: Int64, in times: Range<Int64>) throws -> Int {
        do { return try removeAll(of: device, in: times) } catch let error as DatabaseError where error.isDamage {
            var removed = 0
            for time in Set(try self.times(of: device, in: times, limit: .max)) {
                do { removed += try removeAll(of: device, in: time..<time + 1) } catch let error as DatabaseError
                    where error.isDamage
                { tables.health.noteDamage(of: device, time..<time + 1) }
            }
            return removed
        }
    }

    private func removeAll(of device: Int64, in times: Range<Int64>) throws -> Int {
        try removeMisplaced(of: device)
        var removed = 0
        // A removal that fails halfway at a damaged page is undone.
        try db.savepoint { db in
            let condition = "device = ? AND time >= ? AND time < ?"
            let arguments = [device, times.lowerBound, times.upperBound]
            do { try tables.rows.forgetNames(of: device, where: condition, arguments) } catch let error as DatabaseError
                where error.isDamage
            { tables.health.noteDamage(ofTable: "sender_id") }
            try db.execute(sql: "DELETE FROM point WHERE \(condition)", arguments: arguments)
            removed = db.changesCount
        }
        return removed
    }

    func points(_ stored: [StoredPoint]) throws -> [HistoryPoint] {
        var sources: [Int64: SourceID?] = [:]
        return try stored.map { try point($0, &sources) }
    }

    private func point(_ stored: StoredPoint, _ sources: inout [Int64: SourceID?]) throws -> HistoryPoint {
        if let number = stored.source, sources[number] == nil {
            sources[number] = .some(try tables.sources.name(of: number).map(SourceID.init(rawValue:)))
        }
        return stored.row.point(source: stored.source.flatMap { sources[$0] ?? nil }, senderID: stored.senderID)
    }
}
