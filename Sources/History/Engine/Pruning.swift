import GRDB

/// Removes the oldest points, and with them the chunks that show them.
struct Pruning {
    let tables: HistoryTables

    private var db: Database { tables.db }

    /// Removes the oldest points of a device in a range of milliseconds; returns how many.
    func remove(of device: Int64, in times: Range<Int64>, limit: Int) throws -> Int {
        let statement = try db.cachedStatement(
            sql: "SELECT time FROM point WHERE device = ? AND time >= ? AND time < ? ORDER BY time LIMIT ?")
        let oldest = try Int64.fetchAll(statement, arguments: [device, times.lowerBound, times.upperBound, limit])
        guard let first = oldest.first, let last = oldest.last else { return 0 }
        try ChunkTree(tables: tables, device: device).forget(in: first..<last + 1)
        let removed = try tables.points.remove(of: device, in: first..<last + 1)
        if try tables.points.firstTime(of: device, from: .min) == nil {
            try tables.devices.remove(device)
        }
        return removed
    }

    /// Removes the oldest points of the device that has the oldest.
    func removeOldest(limit: Int) throws -> Int {
        let points = tables.points
        let devices = try tables.devices.all()
        let oldest = try devices.compactMap { device in
            try points.firstTime(of: device.number, from: .min).map { (device.number, $0) }
        }.min { $0.1 < $1.1 }
        return try oldest.map { try remove(of: $0.0, in: $0.1..<(.max), limit: limit) } ?? 0
    }

    /// Bytes of the pages that hold something.
    func bytesInUse() throws -> Int64 {
        func number(_ pragma: String) throws -> Int64 { try Int64.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
        return try (number("page_count") - number("freelist_count")) * number("page_size")
    }
}
