import SQLiteAccess
import TrackEngine

/// Rows read from a table, with the damaged ones separate.
struct Reading<Value> {
    var sound: [Value] = []
    /// The row ids of damaged rows.
    var damaged: [Int64] = []
}

/// The records in the order of acceptance.
struct RecordTable {
    private let db: Database
    private let seal: RowCipher?

    /// The records of a database. In an encrypted database the seal decrypts the contents of rows, but not their
    /// numbers.
    init(_ db: Database, _ seal: RowCipher? = nil) {
        self.db = db
        self.seal = seal
    }

    /// At most `limit` records after a sequence number; the cost depends on the limit, not on the number of records.
    func records(after sequence: Int64, limit: Int) throws -> Reading<TrackRecord> {
        try read("SELECT \(StoredRow.columns) FROM record WHERE seq > ? ORDER BY seq LIMIT ?", sequence, Int64(limit))
    }

    /// The records of some kinds after a sequence number, up to and including another.
    func records(after sequence: Int64, through end: Int64, kinds: RecordKinds) throws -> Reading<TrackRecord> {
        let sql = "SELECT \(StoredRow.columns) FROM record WHERE seq > ? AND seq <= ? ORDER BY seq"
        return try read(sql, sequence, end) { kinds.contains($0.kind) }
    }

    /// The newest record after a sequence number.
    func newest(after sequence: Int64) throws -> Reading<TrackRecord> {
        try read("SELECT \(StoredRow.columns) FROM record WHERE seq > ? ORDER BY seq DESC LIMIT 1", sequence)
    }

    private func read(
        _ sql: String, _ arguments: Int64..., where isWanted: (TrackRecord) -> Bool = { _ in true }
    ) throws -> Reading<TrackRecord> {
        let rows = try db.rows(sql: sql, arguments: arguments)
        var reading = Reading<TrackRecord>()
        while let row = try rows.next() {
            if let record = StoredRow(row)?.record(seal) {
                if isWanted(record) { reading.sound.append(record) }
            } else if let sequence = row.integer(0) {
                reading.damaged.append(sequence)
            }
        }
        return reading
    }

    /// The rows after a sequence number as they are stored, damaged ones included.
    func rows(after sequence: Int64, limit: Int) throws -> [StoredRow] {
        let sql = "SELECT \(StoredRow.columns) FROM record WHERE seq > ? ORDER BY seq LIMIT ?"
        return try db.rows(sql: sql, arguments: [sequence, limit]).compactMap { StoredRow($0) }
    }

    /// The sequence number and fix time of the newest row, unchecked.
    func newest() throws -> (sequence: Int64, time: Int64)? {
        let row = try db.rows(sql: "SELECT seq, time FROM record ORDER BY seq DESC LIMIT 1").next()
        guard let sequence = row?.integer(0), let time = row?.integer(1) else { return nil }
        guard seal != nil else { return (sequence, time) }
        // A row that cannot be decrypted has no time: use the earliest one, which is before every other.
        return (sequence, try times(after: sequence - 1, limit: 1).first?.time ?? .min)
    }

    /// The sequence numbers and fix times of the rows after a sequence number, unchecked.
    func times(after sequence: Int64, limit: Int) throws -> [(sequence: Int64, time: Int64)] {
        if seal != nil {
            return try rows(after: sequence, limit: limit).compactMap { row in
                row.opened(seal).map { (row.sequence, $0.time) }
            }
        }
        let sql = "SELECT seq, time FROM record WHERE seq > ? ORDER BY seq LIMIT ?"
        return try db.rows(sql: sql, arguments: [sequence, limit]).compactMap { row in
            row.integer(0).flatMap { sequence in row.integer(1).map { (sequence, $0) } }
        }
    }

    func count(after first: Int64, through last: Int64) throws -> Int {
        let sql = "SELECT count(*) FROM record WHERE seq > ? AND seq <= ?"
        return try Int.fetchOne(db, sql: sql, arguments: [first, last]) ?? 0
    }

    /// The sequence number of the oldest record.
    func first() throws -> Int64? { try Int64.fetchOne(db, sql: "SELECT min(seq) FROM record") }

    /// The sequence number of the n-th oldest record, or of the newest if there are fewer.
    func sequence(ofOldest number: Int) throws -> Int64? {
        let sql = "SELECT seq FROM record ORDER BY seq LIMIT 1 OFFSET ?"
        return try Int64.fetchOne(db, sql: sql, arguments: [number - 1])
            ?? Int64.fetchOne(db, sql: "SELECT max(seq) FROM record")
    }

    /// Removes records; returns their number.
    func remove(after first: Int64, through last: Int64) throws -> Int {
        try db.execute(sql: "DELETE FROM record WHERE seq > ? AND seq <= ?", arguments: [first, last])
        return db.changesCount
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM record") }

    /// Ensures that the next record follows a sequence number, even if all records up to it have been removed.
    ///
    /// The number is in SQLite's own table of counters, although the records' key is not AUTOINCREMENT: that would
    /// write the table with each append.
    func continueSequence(after sequence: Int64) throws {
        try db.execute(
            sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'record'", arguments: [sequence])
        guard db.changesCount == 0 else { return }
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('record', ?)", arguments: [sequence])
    }
}
