import SQLiteAccess
import TrackEngine

/// Milestones: the sequence number up to which every sink had settled at a time. There is at most one row for each
/// kept record, and it is removed together with the record.
///
/// In an encrypted store milestones have a table of their own, with encrypted times.
struct MilestoneTable {
    private let db: Database
    private let seal: RowCipher?
    private let table: String

    init(_ db: Database, _ seal: RowCipher?) {
        self.db = db
        self.seal = seal
        table = seal == nil ? "milestone" : "sealed_milestone"
    }

    /// Notes that every record up to a sequence number is settled, unless a milestone already covers it.
    func note(settled sequence: Int64, at time: Timestamp) throws {
        let known = try Int64.fetchOne(db, sql: "SELECT max(upto) FROM \(table)") ?? 0
        guard sequence > known else { return }
        try put(sequence, time)
    }

    /// Adds a milestone that the table does not have.
    func put(_ sequence: Int64, _ time: Timestamp) throws {
        let sql = "INSERT INTO \(table) (upto, time) VALUES (?, ?)"
        let nanoseconds = time.nanosecondsSince1970
        guard let seal else { return try db.execute(sql: sql, arguments: [sequence, nanoseconds]) }
        let bytes = withUnsafeBytes(of: nanoseconds.littleEndian) { Array($0) }
        try db.execute(sql: sql, arguments: [sequence, seal.seal(bytes, as: .milestone, number: sequence)])
    }

    /// A number of milestones from a sequence number on. A milestone whose time cannot be decrypted is omitted, as if
    /// it had never been noted.
    func all(from sequence: Int64, limit: Int) throws -> [(sequence: Int64, time: Timestamp)] {
        let sql = "SELECT upto, time FROM \(table) WHERE upto >= ? ORDER BY upto LIMIT ?"
        return try db.rows(sql: sql, arguments: [sequence, limit]).compactMap { row in
            row.integer(0).flatMap { upto in time(row, of: upto).map { (upto, $0) } }
        }
    }

    private func time(_ row: Row, of sequence: Int64) -> Timestamp? {
        guard let seal else { return row.integer(1).map { Timestamp(nanosecondsSince1970: $0) } }
        guard let sealed = row.blob(1), let bytes = seal.open(sealed, as: .milestone, number: sequence) else {
            return nil
        }
        var reader = ByteReader(bytes)
        return (try? reader.read(Int64.self)).map { Timestamp(nanosecondsSince1970: $0) }  // too short: no time
    }

    /// The first milestone from a sequence number on that has a later time.
    private func first(after time: Timestamp, from sequence: Int64) throws -> Int64? {
        guard seal != nil else {
            return try Int64.fetchOne(
                db, sql: "SELECT min(upto) FROM milestone WHERE time > ? AND upto >= ?",
                arguments: [time.nanosecondsSince1970, sequence])
        }
        var next = sequence
        while true {
            let page = try all(from: next, limit: 100)
            if let later = page.first(where: { $0.time > time }) { return later.sequence }
            guard let last = page.last else { return nil }
            next = last.sequence + 1
        }
    }

    /// The sequence number up to which every record was settled by a time, from a sequence number on.
    ///
    /// If the clock went back, a later number can have an earlier time. Records are removed in order, so the first
    /// number with a later time ends the search.
    func sequence(settledBy time: Timestamp, from first: Int64) throws -> Int64 {
        let later = try self.first(after: time, from: first)
        let sql = "SELECT max(upto) FROM \(table) WHERE upto < ?"
        return try Int64.fetchOne(db, sql: sql, arguments: [later ?? .max]) ?? 0
    }

    /// Removes the milestones before a sequence number, whose records have been removed.
    func forget(before sequence: Int64) throws {
        try db.execute(sql: "DELETE FROM \(table) WHERE upto < ?", arguments: [sequence])
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM \(table)") }
}
