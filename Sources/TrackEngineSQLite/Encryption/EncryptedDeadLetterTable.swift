import SQLiteAccess
import TrackEngine

/// The time and reason of a sink's refusal of a record.
struct RecordRejection {
    let time: Timestamp
    let reason: String

    init(_ time: Timestamp, _ reason: String) {
        self.time = time
        self.reason = reason
    }
}

/// The dead letters of an encrypted store. The sink, the record's number and the requeued flag are readable; the
/// record, the reason and the time of the refusal are encrypted.
///
/// Queries that a plain store leaves to the database, such as for letters refused before a time, decrypt one letter
/// after the other. Retention limits the number of letters.
struct EncryptedDeadLetterTable {
    private let db: Database
    private let seal: RowCipher

    init(_ db: Database, _ seal: RowCipher) {
        self.db = db
        self.seal = seal
    }

    /// The contents of a letter's row.
    struct Content {
        let record: RowContent
        let refusal: RecordRejection
    }

    // MARK: - Rows

    /// Inserts a letter, with its previous id if it had one.
    func insert(_ letter: Content, _ sequence: Int64, of sink: SinkID, id: Int64? = nil, isRequeued: Bool = false)
        throws
    {
        let payload = try seal.seal(letter.bytes, as: .letter, number: sequence, name: sink.rawValue)
        let row = StoredRow(sequence: sequence, id: [], time: 0, payload: payload)
        let own: [any DatabaseField] = [id, sink.rawValue, "", 0, isRequeued ? 1 : 0]
        try db.execute(
            sql: "INSERT INTO dead (id, \(DeadLetterTable.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: own + row.arguments)
    }

    /// The contents of a row of ``DeadLetterTable/columns``; `nil` if it is damaged or cannot be decrypted.
    func open(_ row: Row) -> Content? {
        guard let sink = row.text(0), let stored = StoredRow(row, at: 4), stored.isWhole, stored.isSealed else {
            return nil
        }
        return seal.open(stored.payload, as: .letter, number: stored.sequence, name: sink).flatMap {
            Content(bytes: $0)
        }
    }

    /// The dead letter in a row of ``DeadLetterTable/columns``.
    func letter(_ row: Row) -> DeadLetter? {
        guard let letter = open(row), let sink = row.text(0), let sequence = row.integer(4),
            let draft = letter.record.contents?.draft
        else { return nil }
        return DeadLetter(
            sink: SinkID(rawValue: sink),
            record: TrackRecord(sequence: RecordSequence(rawValue: sequence), draft: draft),
            reason: letter.refusal.reason, time: letter.refusal.time)
    }

    // MARK: - Operations of the table

    func add(_ sequence: RecordSequence, for sink: SinkID, _ refusal: RecordRejection) throws {
        let row = try RecordTable(db).rows(after: sequence.rawValue - 1, limit: 1).first
        guard let row, row.sequence == sequence.rawValue, let record = row.opened(seal) else { return }
        try insert(Content(record: record, refusal: refusal), row.sequence, of: sink)
    }

    func refuse(_ sequence: RecordSequence, for sink: SinkID, _ refusal: RecordRejection) throws {
        let letters = try db.rows(
            sql: "SELECT \(DeadLetterTable.columns) FROM dead WHERE requeued = 1 AND sink = ? AND seq = ?",
            arguments: [sink.rawValue, sequence.rawValue]
        ).compactMap(open)
        for letter in letters {
            try insert(Content(record: letter.record, refusal: refusal), sequence.rawValue, of: sink)
        }
    }

    /// Runs a statement for the letters of one record that are not requeued; returns their number.
    func change(_ selection: DeadLetterSelection, _ sql: String) throws -> Int {
        try change(sql) { row, letter in
            letter.record.id == selection.record?.bytes && (selection.sink.map { row.text(0) == $0.rawValue } ?? true)
        }
    }

    /// Removes the letters that were refused before a time. Every letter is checked: the clock may have gone back
    /// between refusals.
    func drop(refusedBefore time: Timestamp) throws -> Int {
        try change("DELETE FROM dead WHERE id = ?") { _, letter in letter.refusal.time < time }
    }

    private func change(_ sql: String, where isMeant: (Row, Content) -> Bool) throws -> Int {
        let rows = try db.rows(sql: "SELECT \(DeadLetterTable.columns), id FROM dead WHERE requeued = 0 ORDER BY id")
        var ids: [Int64] = []
        while let row = try rows.next() {
            if let id = row.integer(9), let letter = open(row), isMeant(row, letter) { ids.append(id) }
        }
        for id in ids { try db.execute(sql: sql, arguments: [id]) }
        return ids.count
    }

    func newestRefusal() throws -> Timestamp? {
        let sql = "SELECT \(DeadLetterTable.columns) FROM dead WHERE requeued = 0 ORDER BY id DESC LIMIT 1"
        return try db.rows(sql: sql).next().flatMap { open($0)?.refusal.time }
    }
}

extension EncryptedDeadLetterTable.Content {
    /// The time of the refusal, the reason after its length, and the record.
    fileprivate var bytes: [UInt8] {
        let head = ByteWriter.array(room: 10 + min(refusal.reason.utf8.count, Int(UInt16.max))) { writer in
            writer.write(refusal.time.nanosecondsSince1970)
            writer.write(refusal.reason)
        }
        return head + record.bytes
    }

    fileprivate init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        // Encrypted letters have this form; other bytes are not a letter.
        guard let time = try? reader.read(Int64.self), let reason = try? reader.readText(),
            let record = RowContent(bytes: bytes[(10 + reason.utf8.count)...])
        else { return nil }
        self.init(record: record, refusal: RecordRejection(Timestamp(nanosecondsSince1970: time), reason))
    }
}
