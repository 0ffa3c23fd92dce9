import FoundationEssentials
import GRDB
import TrackEngine

/// Up to where every sink had settled at a time. At most one row for each kept record, removed with them.
///
/// In an encrypted store they are in a table of their own, with their times sealed.
struct MilestoneTable {
    private let db: Database
    private let seal: RowSeal?
    private let table: String

    init(_ db: Database, _ seal: RowSeal?) {
        self.db = db
        self.seal = seal
        table = seal == nil ? "milestone" : "sealed_milestone"
    }

    /// Notes that every record up to a sequence number is settled, unless that is known.
    func note(settled sequence: Int64, at time: Timestamp) throws {
        let known = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(upto) FROM \(table)")) ?? 0
        guard sequence > known else { return }
        try put(sequence, time)
    }

    /// Adds one that is not there.
    func put(_ sequence: Int64, _ time: Timestamp) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO \(table) (upto, time) VALUES (?, ?)")
        let nanoseconds = time.nanosecondsSince1970
        guard let seal else { return try statement.execute(arguments: [sequence, nanoseconds]) }
        let bytes = withUnsafeBytes(of: nanoseconds.littleEndian) { Array($0) }
        try statement.execute(arguments: [sequence, Data(seal.seal(bytes, as: .milestone, number: sequence))])
    }

    /// So many of them from a sequence number on. One whose time does not open is left out, as if
    /// it had never been noted.
    func all(from sequence: Int64, limit: Int) throws -> [(sequence: Int64, time: Timestamp)] {
        let statement = try db.cachedStatement(
            sql: "SELECT upto, time FROM \(table) WHERE upto >= ? ORDER BY upto LIMIT ?")
        return try Row.fetchAll(statement, arguments: [sequence, limit]).compactMap { row in
            row.integer(0).flatMap { upto in time(row, of: upto).map { (upto, $0) } }
        }
    }

    private func time(_ row: Row, of sequence: Int64) -> Timestamp? {
        guard let seal else { return row.integer(1).map { Timestamp(nanosecondsSince1970: $0) } }
        guard let sealed = row.blob(1), let bytes = seal.open(Array(sealed), as: .milestone, number: sequence) else {
            return nil
        }
        var reader = ByteReader(bytes)
        return (try? reader.read(Int64.self)).map { Timestamp(nanosecondsSince1970: $0) }  // shorter: no time
    }

    /// The first from a sequence number on that has a later time.
    private func first(after time: Timestamp, from sequence: Int64) throws -> Int64? {
        guard seal != nil else {
            return try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT min(upto) FROM milestone WHERE time > ? AND upto >= ?"),
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

    /// Up to where every record was settled by a time, of those from a sequence number on.
    ///
    /// Under a clock that went back a later number can have an earlier time. Records go in their order, so the first
    /// number with a later time ends the search.
    func sequence(settledBy time: Timestamp, from first: Int64) throws -> Int64 {
        let later = try self.first(after: time, from: first)
        let statement = try db.cachedStatement(sql: "SELECT max(upto) FROM \(table) WHERE upto < ?")
        return try Int64.fetchOne(statement, arguments: [later ?? .max]) ?? 0
    }

    /// Removes those before a sequence number, whose records are gone.
    func forget(before sequence: Int64) throws {
        try db.execute(sql: "DELETE FROM \(table) WHERE upto < ?", arguments: [sequence])
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM \(table)") }
}
