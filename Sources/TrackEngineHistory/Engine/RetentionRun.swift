import SQLiteAccess

/// Removes the oldest points and events, together with the chunks made of the points.
struct RetentionRun {
    let tables: HistoryTableSet

    /// The number of rows removed in one step.
    struct Step: Sendable, Hashable {
        var points = 0
        var events = 0
        /// The number of removed rows that are counted for a device.
        var rows = 0

        var isEmpty: Bool { points == 0 && events == 0 }
    }

    /// Removes at most `limit` of the oldest points of a device in a range of milliseconds, and at most as many of
    /// the oldest chosen events.
    func remove(of device: Int64, in times: Range<Int64>, events: EventTable.Choice, limit: Int) throws -> Step {
        let points = try removePoints(of: device, in: times, limit: limit).count
        let step = Step(points: points, events: try tables.events.remove(events, of: device, limit: limit))
        try forgetIfEmpty(device)
        return step
    }

    /// Removes the oldest points of a device, and its events that had ended by then.
    func removeOldest(of device: Int64, limit: Int) throws -> Step {
        guard let first = try beginning(of: device) else { return Step() }
        let (count, rows, last) = try removePoints(of: device, in: first..<(.max), limit: limit)
        // A device that has only events loses them.
        let choice = last.map { EventTable.Choice.ended(before: $0 + 1) } ?? .all
        let events = try tables.events.remove(choice, of: device, limit: limit)
        let step = Step(points: count, events: events, rows: rows + events)
        try forgetIfEmpty(device)
        return step
    }

    /// The number of rows of a device.
    func rowCount(of device: Int64) throws -> Int {
        try ["point", "sender_id", "event"].reduce(0) { count, table in
            do {
                let more = try Int.fetchOne(
                    tables.db, sql: "SELECT count(*) FROM \(table) WHERE device = ?", arguments: [device])
                return count + (more ?? 0)
            } catch let error as DatabaseError where error.isDamage {
                return table == "point" ? try count + tables.points.count(of: device) : count
            }
        }
    }

    /// The beginning of a device: its first point, or its first event when it has no points.
    private func beginning(of device: Int64) throws -> Int64? {
        try tables.points.firstTime(of: device, from: .min) ?? tables.events.begin(ofLast: false, of: device)
    }

    private func removePoints(
        of device: Int64, in times: Range<Int64>, limit: Int
    ) throws -> (count: Int, rows: Int, last: Int64?) {
        let found = try tables.points.times(of: device, in: times, limit: limit)
        let oldest = found.prefix(Self.orderedCount(of: found))
        guard found.isEmpty || !oldest.isEmpty else { throw DatabaseError(.corrupt, "rows cannot be reached") }
        guard let first = oldest.first, let last = oldest.last else {
            try tables.points.removeMisplaced(of: device)  // others than these may be left
            return (0, 0, nil)
        }
        try ChunkTree(tables: tables, device: device).forget(in: first..<last + 1)
        let before = tables.db.totalChangesCount
        let count = try tables.points.remove(of: device, in: first..<last + 1)
        return (count, tables.db.totalChangesCount - before, last)
    }

    /// The number of the first times before which none of the others lies. In a sound history that is all of them; a page in
    /// another one's place has rows that are later than those behind it.
    private static func orderedCount(of times: [Int64]) -> Int {
        var (earliest, count) = (Int64.max, times.count)
        for index in times.indices.reversed() {
            if times[index] > earliest { count = index }
            earliest = min(earliest, times[index])
        }
        return count
    }

    /// Removes a device without rows. Its number may be given to another device, so none of its rows may remain.
    private func forgetIfEmpty(_ device: Int64) throws {
        guard try tables.isEmpty(of: device) else { return }
        do { try tables.devices.remove(device) } catch let error as DatabaseError where error.isDamage {
            tables.health.noteDamage(ofTable: NamedTable.Kind.device.rawValue)
        }
    }
}
