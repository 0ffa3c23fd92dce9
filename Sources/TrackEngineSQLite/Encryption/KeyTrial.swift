import SQLiteAccess
import TrackEngine

/// Tries a key on the encrypted values of a database: a single value that it decrypts proves the key, despite other
/// damage.
struct KeyTrial {
    /// The number of sound rows of another key after which the trial ends, if this key has not decrypted any.
    private static let enough = 100

    private let seal: RowCipher
    private var decoder = RowDecoder()
    private var opened = false
    private var foreign = 0

    private init(_ seal: RowCipher) { self.seal = seal }

    private var isDecided: Bool { opened || foreign >= Self.enough }

    // MARK: - A database that is not open

    /// Reads a database's pages, and those of its log, without SQLite and without changing the files.
    static func opensSomething(in path: String, log: String?, _ seal: RowCipher) throws(StoreError) -> Bool {
        do {
            let log = try log.flatMap { try WriteAheadLog(path: $0, willRead: { _ in }) }
            let pages = try DatabasePages(database: ReadOnlyFile(path, willRead: { _ in }), log: log)
            var trial = KeyTrial(seal)
            try pages.visit { number, page in
                if !trial.isDecided { trial.take(page, isFirst: number == 1) }
            }
            return trial.opened
        } catch { throw StoreError(database: error) }
    }

    private mutating func take(_ page: UnsafeRawBufferPointer, isFirst: Bool) {
        let isWhole =
            LeafPage.isMarked(page, isFirst: isFirst)
            && LeafPage.forEachCell(in: page, isFirst: isFirst) { cell in
                if cell.overflow == nil { take(cell.rowid, cell.local) }
            }
        if !isWhole { RowScan.forEachCell(in: page) { take($0.rowid, $0.local) } }
    }

    private mutating func take(_ rowid: Int64, _ row: UnsafeRawBufferPointer) {
        guard !isDecided, decoder.decode(row) else { return }
        let values = decoder.values
        switch RowKind(rowid: rowid, values) {
        case .record: take(values[3], as: .record, rowid)
        case .letter:
            guard case .integer(let sequence) = values[5], let sink = values[1].name else { return }
            take(values[8], as: .letter, sequence, sink)
        case .named(.sealed, let name):
            guard case .blob(let value) = values[1] else { return }
            if EncryptedTable.isSound(Array(value), of: name, seal) { opened = true }
        case .named, .lastSequence, .unknown: return
        }
    }

    private mutating func take(_ value: ColumnValue, as kind: RowCipher.Kind, _ number: Int64, _ name: String = "") {
        guard case .blob(let sealed) = value, let keyName = RowCipher.keyName(of: sealed) else { return }
        if keyName != seal.keyName {
            foreign += 1
        } else if seal.open(Array(sealed), as: kind, number: number, name: name) != nil {
            opened = true
        }
    }

    // MARK: - A database that is open

    /// Reads the rows through the database.
    static func opensSomething(in db: Database, _ seal: RowCipher) throws -> Bool {
        let records = try db.rows(sql: "SELECT \(StoredRow.columns) FROM record ORDER BY seq")
        while let row = try records.next() {
            if StoredRow(row)?.opened(seal) != nil { return true }
        }
        let letters = try db.rows(sql: "SELECT \(DeadLetterTable.columns) FROM dead ORDER BY id")
        while let row = try letters.next() {
            if EncryptedDeadLetterTable(db, seal).open(row) != nil { return true }
        }
        return try EncryptedTable(db).opensSources(seal)
    }
}
