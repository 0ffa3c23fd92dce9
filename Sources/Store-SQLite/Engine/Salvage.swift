import GRDB
import Logging
import TrackEngine

/// Takes over what is readable from a damaged database that has been set aside.
///
/// The damaged files are only read. Where reading fails the search goes on farther along, in steps that double, so that
/// it skips about as much as is damaged and ends whatever the damage is.
struct Salvage {
    let path: String
    let logger: Logger

    /// How many times reading may fail before what is left is given up.
    private static let patience = 200
    private static let chunk = 500

    /// What is read of a table, by name: a damaged table of contents may call the columns otherwise.
    private struct Part {
        let table: String
        let key: String
        let columns: String
        /// Where a stored row begins in the columns, so that its check can be tested.
        let row: Int?

        var names: [String] { columns.split(separator: ",").map { String($0.drop { $0 == " " }) } }
        /// Where the key stands in the columns.
        var keyIndex: Int { names.firstIndex(of: key) ?? 0 }
    }

    private static let records = Part(table: "record", key: "seq", columns: StoredRow.columns, row: 0)
    private static let letters = Part(
        table: "dead", key: "id", columns: "id, sink, reason, refused, requeued, " + StoredRow.columns, row: 5)
    private static let small = [
        Part(table: "sink", key: "rowid", columns: "rowid, name, settled, crc", row: nil),
        Part(
            table: "checkpoint", key: "rowid", columns: "rowid, source, movement, standby, " + StoredRow.columns, row: 4
        ),
        Part(table: "odometer", key: "rowid", columns: "rowid, source, metres, crc", row: nil),
        Part(table: "meta", key: "rowid", columns: "rowid, key, value", row: nil),
    ]

    /// Copies what is readable; answers the highest sequence number among it, or 0.
    func run(into target: Connection) throws -> Int64 {
        guard let source = open() else { return 0 }
        defer { try? source.close() }  // nothing was written to it
        let count = try copy(Self.records, from: source, to: target)
        _ = try copy(Self.letters, from: source, to: target)
        for part in Self.small { _ = try copy(part, from: source, to: target) }
        logger.notice("records taken over from the damaged store", metadata: ["count": "\(count)"])
        return try target.run { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM record") ?? 0 }
    }

    /// `nil` when not even the header can be read: then there is nothing to take over.
    private func open() -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "TrackEngine.salvage"
        return try? DatabaseQueue(path: path, configuration: configuration)
    }

    private func copy(_ part: Part, from source: DatabaseQueue, to target: Connection) throws -> Int {
        var place: Int64 = 0
        var step: Int64 = 1
        var failures = 0
        var copied = 0
        while failures < Self.patience {
            let (rows, hasFailed) = readable(part, after: place, from: source)
            copied += try insert(rows.filter { isSound($0, part) }, of: part, into: target)
            let last = rows.last?.integer(part.keyIndex) ?? place
            // Rows that lead no farther are damage too: pages that point at each other in a circle.
            let isStuck = hasFailed || (last <= place && !rows.isEmpty)
            if last > place { (place, step) = (last, 1) }
            guard isStuck else {
                if rows.isEmpty { break }
                continue
            }
            let (next, overflow) = place.addingReportingOverflow(step)
            guard !overflow, step < 1 << 61 else { break }
            (place, step, failures) = (next, step * 2, failures + 1)
        }
        return copied
    }

    /// Rows up to the first that cannot be read.
    private func readable(
        _ part: Part, after place: Int64, from source: DatabaseQueue
    ) -> (rows: [Row], hasFailed: Bool) {
        source.unsafeRead { db in
            var rows: [Row] = []
            do {
                let cursor = try Row.fetchCursor(
                    db,
                    sql: "SELECT \(part.columns) FROM \(part.table) WHERE \(part.key) > ? ORDER BY \(part.key) LIMIT ?",
                    arguments: [place, Self.chunk])
                while let row = try cursor.next() { rows.append(row.copy()) }
                return (rows, false)
            } catch {
                return (rows, true)  // what kind of damage it is does not matter here
            }
        }
    }

    private func isSound(_ row: Row, _ part: Part) -> Bool {
        guard let start = part.row else { return true }
        return StoredRow(row, at: start)?.draft != nil
    }

    private func insert(_ rows: [Row], of part: Part, into target: Connection) throws -> Int {
        guard !rows.isEmpty else { return 0 }
        let marks = part.names.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT OR IGNORE INTO \(part.table) (\(part.columns)) VALUES (\(marks))"
        return try target.commit(.relaxed) { db in
            var count = 0
            for row in rows {
                do {
                    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(row.databaseValues))
                    count += db.changesCount
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                    continue  // a value of a type that the table refuses: damage that no check covers
                }
            }
            return count
        }
    }
}
