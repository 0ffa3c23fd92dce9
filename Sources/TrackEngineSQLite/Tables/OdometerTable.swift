import SQLiteAccess
import TrackEngine

/// The odometer reading of each source at its last record, which outlives the record.
struct OdometerTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func put(_ metres: Double, of source: SourceID) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO odometer (source, metres, crc) VALUES (?, ?, ?)",
            arguments: [source.rawValue, metres, Self.check(source, metres)])
    }

    /// All readings, by source. A damaged one is omitted: a wrong mileage is worse than a new start.
    func all() throws -> [SourceID: Double] {
        var readings: [SourceID: Double] = [:]
        let rows = try db.rows(sql: "SELECT source, metres, crc FROM odometer")
        while let row = try rows.next() {
            guard let name = row.text(0), let metres = row.number(1) else { continue }
            let source = SourceID(rawValue: name)
            if row.integer(2) == Self.check(source, metres) { readings[source] = metres }
        }
        return readings
    }

    static func check(_ source: SourceID, _ metres: Double) -> Int64 {
        var check = CRC32()
        check.combine(source.rawValue.utf8)
        check.combine(Int64(bitPattern: metres.bitPattern))
        return Int64(check.value)
    }
}
