import SQLiteAccess

/// Drawings of long ranges of time, stored so that a query about years reads only a few of them.
///
/// They follow the chunks: a changed point removes them, and the next query makes them again.
struct DrawingTable {
    let tables: HistoryTableSet
    let device: Int64

    private var db: Database { tables.db }

    /// The finest level that has drawings, of eleven days; shorter ranges are drawn from their chunks.
    static let finest = ChunkLevel(number: 10)
    /// The zooms of stored drawings: at larger zooms a screen shows too small an area for a view of years.
    static let zooms = 0...12

    func lines(of key: ChunkKey, zoom: Int) throws -> [[MapDrawing.Cell]]? {
        let sql =
            "SELECT contents FROM drawing WHERE device = ? AND level = ? AND number = ? AND zoom = ?"
        let bytes = try MapCache.use {
            try [UInt8].fetchOne(db, sql: sql, arguments: [device, key.level.number, key.number, zoom])
        }
        return bytes.flatMap {
            tables.opened($0, as: .drawing, device, Int64(key.level.number), key.number, Int64(zoom))
        }
        .flatMap(DrawingCodec.decode)
    }

    func store(_ lines: [[MapDrawing.Cell]], of key: ChunkKey, zoom: Int) throws {
        let contents = try tables.contents(
            DrawingCodec.encode(lines), as: .drawing, device, Int64(key.level.number), key.number, Int64(zoom))
        let sql = "INSERT OR REPLACE INTO drawing VALUES (?, ?, ?, ?, ?)"
        try MapCache.use {
            try db.execute(sql: sql, arguments: [device, key.level.number, key.number, zoom, contents])
        }
    }

    /// Removes the drawings that show a time within a range of milliseconds, or a line to a point in it.
    func forget(in times: Range<Int64>) throws {
        let sql =
            "DELETE FROM drawing WHERE device = ? AND level = ? AND number BETWEEN ? AND ?"
        for level in ChunkLevel.all[Self.finest.number...] {
            let first = ChunkKey(level: level, containing: times.lowerBound - PathSum.longestStep).number
            let last = ChunkKey(level: level, containing: times.upperBound - 1 + PathSum.longestStep).number
            try MapCache.use { try db.execute(sql: sql, arguments: [device, level.number, first, last]) }
        }
    }
}
