import SQLiteAccess
import TrackEngine

/// The cursor of each sink: the sequence number up to which it has settled.
struct SinkTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// The last settled sequence number. It is 0 for a sink without settled records, and for one whose row is damaged:
    /// delivering again is correct, skipping would lose records.
    func cursor(of sink: SinkID) throws -> Int64 {
        let rows = try db.rows(sql: "SELECT settled, crc FROM sink WHERE name = ?", arguments: [sink.rawValue])
        guard let row = try rows.next(), let settled = row.integer(0),
            row.integer(1) == Self.check(sink, settled)
        else { return 0 }
        return settled
    }

    func setCursor(of sink: SinkID, to settled: Int64) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO sink (name, settled, crc) VALUES (?, ?, ?)",
            arguments: [sink.rawValue, settled, Self.check(sink, settled)])
    }

    /// All sinks with a cursor, configured or not.
    func names() throws -> [SinkID] {
        try String.fetchAll(db, sql: "SELECT name FROM sink").map(SinkID.init(rawValue:))
    }

    /// The number up to which all of the sinks have settled; 0 if there is no sink.
    func settled(by sinks: Set<SinkID>) throws -> Int64 {
        try sinks.map { try cursor(of: $0) }.min() ?? 0
    }

    static func check(_ sink: SinkID, _ settled: Int64) -> Int64 {
        var check = CRC32()
        check.combine(sink.rawValue.utf8)
        check.combine(settled)
        return Int64(check.value)
    }
}
