import SQLiteAccess

/// Reading past damaged pages.
///
/// A table is a tree of pages. After a damaged leaf, the row between it and the next leaf, which is stored on the
/// parent page, can be found only backwards.
extension PointTable {
    /// Reads the points from a start to before a millisecond. After a damaged page, reading continues with the next
    /// point that can be found.
    ///
    /// - Parameter read: reads from a start on, and sets the time of the last row that it has read.
    func readSound(
        of device: Int64, from start: PointStart, to end: Int64, _ read: (PointStart, inout Int64) throws -> Void
    ) throws {
        var start = start
        while start.time < end {
            var last = start.time
            do { return try read(start, &last) } catch let error as DatabaseError where error.isDamage {
                start = try resumption(of: device, beyond: last)
                tables.health.noteDamage(of: device, last..<start.time)
            }
        }
    }

    /// Returns the next readable point after a damaged time.
    private func resumption(of device: Int64, beyond time: Int64) throws -> PointStart {
        let sound = try RowSearch.time(beyond: time) { time in
            try isSound {
                // All columns: a row may be damaged after its time.
                _ = try tables.db.rows(
                    sql: "SELECT * FROM point WHERE device = ? AND time >= ? ORDER BY time",
                    arguments: [device, time]
                ).next()
            }
        }
        let next = max(sound ?? .max, time + 1)
        guard let earlier = try tables.rows.readableBackwards(of: device, in: time + 1..<next) else {
            return .time(next)
        }
        return .behindDamage(next, earlier: earlier.count, from: earlier.first)
    }

    /// Returns the newest point by time.
    func newest(of device: Int64) throws -> HistoryPoint? {
        var end = Int64.max
        while true {
            do {
                guard let newest = try tables.rows.newest(of: device, until: end) else { return nil }
                return try points([end == .max ? newest : last(of: device, from: newest)]).first
            } catch let error as DatabaseError where error.isDamage {
                let sound = try RowSearch.time(beyond: end, isBackward: true) { time in
                    try isSound { _ = try tables.rows.newest(of: device, until: time) }
                }
                tables.health.noteDamage(of: device, (sound ?? RowSearch.times.lowerBound)..<end)
                guard let sound else { return nil }
                end = sound
            }
        }
    }

    /// Returns the last point from `point` on before the next damaged page.
    private func last(of device: Int64, from point: StoredPoint) throws -> StoredPoint {
        var last = point
        _ = try isSound {
            try tables.rows.visit(of: device, from: .time(point.row.time), to: .max) { point in
                last = point
                return true
            }
        }
        return last
    }

    /// Returns the time of the first point at or after a time in milliseconds.
    func firstTime(of device: Int64, from time: Int64) throws -> Int64? {
        try times(of: device, in: time..<(.max), limit: 1).first
    }

    /// Returns the time of the last point of a device; the earliest time there is for one without points.
    func end(of device: Int64) throws -> Int64 {
        try Int64.fetchOne(
            tables.db, sql: "SELECT time FROM point WHERE device = ? ORDER BY time DESC LIMIT 1", arguments: [device])
            ?? .min
    }

    /// Demands that the two rows before a new row, and the two behind it, are in order: a row with a wrong time on the
    /// page above leads rows to a page on which no query finds them.
    func requireOrder(around time: Int64, of device: Int64) throws {
        let sql = "SELECT time FROM point WHERE device = ? AND time"
        for (side, isBefore) in [("< ? ORDER BY time DESC", true), ("> ? ORDER BY time", false)] {
            let times = try Int64.fetchAll(tables.db, sql: "\(sql) \(side) LIMIT 2", arguments: [device, time])
            guard times.count == 2, (times[0] < times[1]) == isBefore, times[0] != times[1] else { continue }
            tables.health.noteMisplaced(of: device)
            throw DatabaseError(.corrupt, "points are out of order")
        }
    }

    /// Returns the number of readable points of a device.
    func count(of device: Int64) throws -> Int { try times(of: device, in: .min..<(.max), limit: .max).count }

    /// Removes the rows of a device that are out of order, with the names that senders gave them: they would end a
    /// removal, and nobody can say to which time they belong. As many as a page has are sound rows of a page in another
    /// one's place: these stay, and the history is written anew.
    func removeMisplaced(of device: Int64) throws {
        guard tables.health.hasMisplaced(of: device) else { return }
        let db = tables.db
        let key = ["device"] + (tables.seal == nil ? PlainPoints.key : EncryptedPoints.key)
        // No index, which leads nowhere here.
        let condition = key.map { "+\($0) IS ?" }.joined(separator: " AND ")
        for _ in 0..<Self.mostRounds {
            var misplaced: [[DatabaseValue]] = []
            try tables.rows.rows(
                key.dropFirst().joined(separator: ", "), of: device, from: .time(.min), to: .max,
                value: { row in
                    let columns = row.values
                    // A row with another device's number comes with that.
                    let own = columns.count < key.count ? .integer(device) : columns[key.count - 1]
                    return [own] + columns.prefix(key.count - 1)
                }, visit: { _ in true },
                misplaced: { if misplaced.count < Self.mostMisplaced, let row = $0.value { misplaced.append(row) } })
            guard !misplaced.isEmpty else { return tables.health.forgetMisplaced(of: device) }
            guard misplaced.count < Self.mostMisplaced else { return tables.health.noteDamage(ofTree: "point") }
            var removed = 0
            for row in misplaced {
                // In two places it is a page's copy, and its key is the true row's: the history is written anew.
                let places = try Int.fetchOne(db, sql: "SELECT count(*) FROM point WHERE \(condition)", arguments: row)
                guard places == 1 else { return tables.health.noteDamage(ofTree: "point") }
                try tables.rows.forgetNames(of: device, where: condition, row)
                try db.execute(sql: "DELETE FROM point WHERE \(condition)", arguments: row)
                removed += db.changesCount
            }
            guard removed > 0 else {
                throw DatabaseError(.corrupt, "points are out of order")
            }
        }
        tables.health.noteDamage(ofTree: "point")
    }

    /// The number of rows out of order that are not single damaged ones: a page has more.
    private static let mostMisplaced = 20
    /// The most readings for rows out of order, each of the whole device.
    private static let mostRounds = 4

    /// Whether a query meets no damaged page.
    private func isSound(_ read: () throws -> Void) throws -> Bool {
        do {
            try read()
            return true
        } catch let error as DatabaseError where error.isDamage {
            return false
        }
    }
}
