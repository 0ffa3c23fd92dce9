import SQLiteAccess
import TrackEngine

/// A device's track at every coarseness: chunks, each made of two of the finer level, the finest of the points.
///
/// New points remove the chunks that contain them. A query that needs a missing chunk makes it, with its missing
/// parts. So a device that moves costs one path through the tree at the next query, and no work before.
struct ChunkTree {
    let tables: HistoryTableSet
    let device: Int64
    /// The limit of the work for an answer.
    var budget = ChunkBudget(0)
    /// Whether new chunks are stored; not when the disk is full.
    var keeps = true

    private var db: Database { tables.db }
    private var table: PointTable { tables.points }

    /// Returns a chunk; `nil` when its time has no points.
    ///
    /// - Throws: ``ChunkBudget/Interruption`` when more has to be made than the budget allows.
    func chunk(_ key: ChunkKey) throws -> Chunk? {
        if let chunk = try stored(key) { return chunk }
        guard try hasPoints(in: key.times) else { return nil }
        let made = try make(key)
        if let made, keeps { try store(made, at: key) }
        return made
    }

    private func make(_ key: ChunkKey) throws -> Chunk? {
        let tolerance = key.level.ownTolerance
        guard key.level == .finest else {
            return Chunk(joining: try key.parts.compactMap(chunk), tolerance: tolerance)
        }
        return try budget.spend {
            var maker = ChunkWriter(tolerance: tolerance)
            try table.drawn(of: device, in: key.times) {
                try budget.look()
                maker.take($0)
            }
            return maker.finish()
        }
    }

    /// Makes all chunks that a range of milliseconds needs, up to the level at which about thirty of them cover it.
    ///
    /// A caller that repeats this after its budget was spent visits only those chunks, and the parts of the
    /// unfinished one.
    func prepare(_ times: Range<Int64>) throws {
        guard keeps else { return }
        let level = ChunkLevel.all.first { $0.span > (times.upperBound - times.lowerBound) / 32 } ?? .coarsest
        try visit(level, in: times) { if try !isStored($0) { _ = try chunk($0) } }
    }

    private func isStored(_ key: ChunkKey) throws -> Bool {
        let sql = "SELECT 1 FROM chunk WHERE device = ? AND level = ? AND number = ?"
        return try MapCache.use {
            try Int.fetchOne(db, sql: sql, arguments: [device, key.level.number, key.number]) != nil
        }
    }

    private func stored(_ key: ChunkKey) throws -> Chunk? {
        let sql = "SELECT contents FROM chunk WHERE device = ? AND level = ? AND number = ?"
        let bytes = try MapCache.use {
            try [UInt8].fetchOne(db, sql: sql, arguments: [device, key.level.number, key.number])
        }
        return bytes.flatMap { tables.opened($0, as: .chunk, device, Int64(key.level.number), key.number) }
            .flatMap { ChunkCodec.decode($0, at: key) }
    }

    private func store(_ chunk: Chunk, at key: ChunkKey) throws {
        let contents = try tables.contents(
            ChunkCodec.encode(chunk), as: .chunk, device, Int64(key.level.number), key.number)
        let sql = "INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?)"
        try MapCache.use { try db.execute(sql: sql, arguments: [device, key.level.number, key.number, contents]) }
        budget.kept += contents.count
    }

    /// Removes the chunks that contain times in milliseconds.
    func forget(_ times: some Sequence<Int64>) throws {
        let sql = "DELETE FROM chunk WHERE device = ? AND level = ? AND number = ?"
        var keys = Set(times.map { ChunkKey(level: .finest, containing: $0).number })
        for level in ChunkLevel.all {
            try MapCache.use {
                for number in keys { try db.execute(sql: sql, arguments: [device, level.number, number]) }
            }
            keys = Set(keys.map { $0 >> 1 })  // rounded down
        }
        let drawings = tables.drawings(of: device)
        for (_, times) in Dictionary(grouping: times, by: { ChunkKey(level: DrawingTable.finest, containing: $0) }) {
            guard let first = times.min(), let last = times.max() else { continue }
            let end = ChunkKey(level: .finest, containing: last).times.upperBound
            try drawings.forget(in: ChunkKey(level: .finest, containing: first).times.lowerBound..<end)
        }
    }

    /// Removes all chunks that contain a time within a range of milliseconds.
    func forget(in times: Range<Int64>) throws {
        guard !times.isEmpty else { return }
        for level in ChunkLevel.all {
            let first = ChunkKey(level: level, containing: times.lowerBound).number
            let last = ChunkKey(level: level, containing: times.upperBound - 1).number
            try MapCache.use {
                try db.execute(
                    sql: "DELETE FROM chunk WHERE device = ? AND level = ? AND number BETWEEN ? AND ?",
                    arguments: [device, level.number, first, last])
            }
        }
        try tables.drawings(of: device).forget(in: times)
    }

    /// Whether there are points in a range of milliseconds.
    func hasPoints(in times: Range<Int64>) throws -> Bool {
        try table.firstTime(of: device, from: times.lowerBound).map(times.contains) ?? false
    }

    /// Visits the chunks of a level that have points within a range of milliseconds, in the order of time.
    func visit(_ level: ChunkLevel, in times: Range<Int64>, _ body: (ChunkKey) throws -> Void) throws {
        var begin = times.lowerBound
        while let time = try table.firstTime(of: device, from: begin), time < times.upperBound {
            let key = ChunkKey(level: level, containing: time)
            try body(key)
            begin = key.times.upperBound
        }
    }
}
