import SQLiteAccess
import TrackEngine

/// The refused records, including requeued ones that their sink has not settled again.
struct DeadLetterTable {
    let db: Database
    private let seal: RowCipher?

    init(_ db: Database, _ seal: RowCipher?) {
        self.db = db
        self.seal = seal
    }

    static let columns = "sink, reason, refused, requeued, \(StoredRow.columns)"

    /// Makes a dead letter of a stored record, with a copy of its row. Does nothing if the record has been removed.
    func add(_ sequence: RecordSequence, for sink: SinkID, reason: String, at time: Timestamp) throws {
        if let seal {
            return try EncryptedDeadLetterTable(db, seal).add(sequence, for: sink, RecordRejection(time, reason))
        }
        try db.execute(
            sql: """
                INSERT INTO dead (\(Self.columns))
                SELECT ?, ?, ?, 0, \(StoredRow.columns) FROM record WHERE seq = ?
                """, arguments: [sink.rawValue, reason, time.nanosecondsSince1970, sequence.rawValue])
    }

    /// The dead letters in the order of their refusal.
    func letters(of sink: SinkID?) throws -> Reading<DeadLetter> {
        let rows = try db.rows(
            sql: "SELECT \(Self.columns), id FROM dead WHERE requeued = 0 AND (?1 IS NULL OR sink = ?1) ORDER BY id",
            arguments: [sink?.rawValue])
        var reading = Reading<DeadLetter>()
        while let row = try rows.next() {
            if let letter = letter(row) {
                reading.sound.append(letter)
            } else if let id = row.integer(9) {
                reading.damaged.append(id)
            }
        }
        return reading
    }

    private func letter(_ row: Row) -> DeadLetter? {
        if let seal { return EncryptedDeadLetterTable(db, seal).letter(row) }
        guard let sink = row.text(0), let reason = row.text(1), let time = row.integer(2),
            let record = StoredRow(row, at: 4)?.record(nil)
        else { return nil }
        return DeadLetter(
            sink: SinkID(rawValue: sink), record: record, reason: reason,
            time: Timestamp(nanosecondsSince1970: time))
    }

    func count() throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM dead WHERE requeued = 0") ?? 0
    }
}

// MARK: - Requeuing and removal

extension DeadLetterTable {
    private static let selection = "requeued = 0 AND (?1 IS NULL OR sink = ?1) AND (?2 IS NULL OR uid = ?2)"

    private func arguments(_ selection: DeadLetterSelection) -> [any DatabaseField] {
        [selection.sink?.rawValue, selection.record?.bytes]
    }

    /// Requeues dead letters; returns their number.
    func requeue(_ selection: DeadLetterSelection) throws -> Int {
        if let seal, selection.record != nil {
            return try EncryptedDeadLetterTable(db, seal).change(selection, "UPDATE dead SET requeued = 1 WHERE id = ?")
        }
        try db.execute(sql: "UPDATE dead SET requeued = 1 WHERE \(Self.selection)", arguments: arguments(selection))
        return db.changesCount
    }

    /// Removes dead letters; returns their number.
    func drop(_ selection: DeadLetterSelection) throws -> Int {
        if let seal, selection.record != nil {
            return try EncryptedDeadLetterTable(db, seal).change(selection, "DELETE FROM dead WHERE id = ?")
        }
        try db.execute(sql: "DELETE FROM dead WHERE \(Self.selection)", arguments: arguments(selection))
        return db.changesCount
    }

    /// The time at which the newest letter was refused.
    func newestRefusal() throws -> Timestamp? {
        if let seal { return try EncryptedDeadLetterTable(db, seal).newestRefusal() }
        let sql = "SELECT refused FROM dead WHERE requeued = 0 ORDER BY id DESC LIMIT 1"
        return try Int64.fetchOne(db, sql: sql).map { Timestamp(nanosecondsSince1970: $0) }
    }

    /// Removes the letters that were refused before a time; returns their number.
    func drop(refusedBefore time: Timestamp) throws -> Int {
        if let seal { return try EncryptedDeadLetterTable(db, seal).drop(refusedBefore: time) }
        try db.execute(
            sql: "DELETE FROM dead WHERE requeued = 0 AND refused < ?", arguments: [time.nanosecondsSince1970])
        return db.changesCount
    }

    /// Removes the letters that were refused first; returns their number.
    func dropOldest(_ count: Int) throws -> Int {
        try db.execute(
            sql: "DELETE FROM dead WHERE id IN (SELECT id FROM dead WHERE requeued = 0 ORDER BY id LIMIT ?)",
            arguments: [count])
        return db.changesCount
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM dead") }
}

// MARK: - Requeued letters

extension DeadLetterTable {
    /// The requeued records of a sink, in the order of acceptance.
    func requeued(for sink: SinkID, limit: Int) throws -> Reading<TrackRecord> {
        let sql = "SELECT \(Self.columns), id FROM dead WHERE requeued = 1 AND sink = ? ORDER BY seq, id LIMIT ?"
        var reading = Reading<TrackRecord>()
        let rows = try db.rows(sql: sql, arguments: [sink.rawValue, limit])
        while let row = try rows.next() {
            if let record = record(row) {
                reading.sound.append(record)
            } else if let id = row.integer(9) {
                reading.damaged.append(id)
            }
        }
        return reading
    }

    private func record(_ row: Row) -> TrackRecord? {
        guard let seal else { return StoredRow(row, at: 4)?.record(nil) }
        return EncryptedDeadLetterTable(db, seal).letter(row)?.record
    }

    func requeuedCount(for sink: SinkID) throws -> Int {
        let sql = "SELECT count(*) FROM dead WHERE requeued = 1 AND sink = ?"
        return try Int.fetchOne(db, sql: sql, arguments: [sink.rawValue]) ?? 0
    }

    /// Removes the requeued letters whose records were accepted first, up to a sequence number; returns their number.
    func dropOldestRequeued(_ count: Int, through sequence: Int64) throws -> Int {
        try db.execute(
            sql: """
                DELETE FROM dead WHERE id IN
                    (SELECT id FROM dead WHERE requeued = 1 AND seq <= ? ORDER BY seq, id LIMIT ?)
                """,
            arguments: [sequence, count])
        return db.changesCount
    }

    /// Removes a requeued record that has been delivered.
    func settle(_ sequence: RecordSequence, for sink: SinkID) throws {
        try db.execute(
            sql: "DELETE FROM dead WHERE requeued = 1 AND sink = ? AND seq = ?",
            arguments: [sink.rawValue, sequence.rawValue])
    }

    /// Refuses a requeued record again: it moves to the end of the dead letters.
    func refuse(_ sequence: RecordSequence, for sink: SinkID, reason: String, at time: Timestamp) throws {
        if let seal {
            try EncryptedDeadLetterTable(db, seal).refuse(sequence, for: sink, RecordRejection(time, reason))
            return try settle(sequence, for: sink)
        }
        try db.execute(
            sql: """
                INSERT INTO dead (\(Self.columns)) SELECT sink, ?, ?, 0, \(StoredRow.columns) FROM dead
                WHERE requeued = 1 AND sink = ? AND seq = ?
                """, arguments: [reason, time.nanosecondsSince1970, sink.rawValue, sequence.rawValue])
        try settle(sequence, for: sink)
    }
}
