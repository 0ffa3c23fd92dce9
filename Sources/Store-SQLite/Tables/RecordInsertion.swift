import GRDB
import GRDBSQLite
import SQLiteAccess
import TrackEngine

/// Inserts records one after the other through prepared statements.
///
/// - The values are bound by hand: GRDB's arguments cost an array of boxes for each row, which is half of the time that
///   a large commit takes.
/// - Many rows go in with one statement: each statement opens its tables anew.
/// - The bytes of a row are written where SQLite reads them, and nowhere else.
struct RecordInsertion {
    /// How many rows the larger of the two statements takes.
    private static let rowsAtOnce = 20
    private static let insertOne = sql(rows: 1)
    private static let insertMany = sql(rows: rowsAtOnce)

    private let db: Database
    /// The state that goes into the record with this sequence number.
    private var closing: (sequence: Int64, state: PipelineState)?

    init(_ db: Database) { self.db = db }

    /// Inserts records after a sequence number; the last one stores the pipeline's state, too.
    mutating func insert(_ drafts: [RecordDraft], state: PipelineState?, after sequence: Int64) throws {
        closing = state.map { (sequence + Int64(drafts.count), $0) }
        let rest = drafts.count / Self.rowsAtOnce * Self.rowsAtOnce
        if rest > 0 { try insert(drafts[..<rest], after: sequence, Self.insertMany, Self.rowsAtOnce) }
        if rest < drafts.count { try insert(drafts[rest...], after: sequence + Int64(rest), Self.insertOne, 1) }
    }

    /// Runs a statement of so many rows until it has taken all drafts, whose number is a multiple of that.
    private func insert(_ drafts: ArraySlice<RecordDraft>, after sequence: Int64, _ sql: String, _ rows: Int) throws {
        let statement = try db.cachedStatement(sql: sql).sqliteStatement
        var sequence = sequence
        for start in stride(from: drafts.startIndex, to: drafts.endIndex, by: rows) {
            try run(statement, with: drafts[start..<start + rows], after: sequence)
            sequence += Int64(rows)
        }
    }

    private func run(_ statement: OpaquePointer, with drafts: ArraySlice<RecordDraft>, after sequence: Int64) throws {
        let room = drafts.reduce(0) { $0 + Self.headLength + RecordCodec.room(for: $1) }
        try withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory in
            defer {
                sqlite3_reset(statement)  // its result is that of the step
                sqlite3_clear_bindings(statement)  // none may outlive the bytes
            }
            var writer = ByteWriter(memory)
            var binding = Binding(statement: statement, sequence: sequence)
            for draft in drafts {
                let isLast = binding.sequence + 1 == closing?.sequence
                binding.add(draft, isLast ? closing?.state : nil, &writer)
            }
            guard sqlite3_step(statement) == SQLITE_DONE else { throw DatabaseError(lastOf: db) }
        }
    }

    private static func sql(rows: Int) -> String {
        let row = "(?, ?, ?, ?, ?)"
        return "INSERT INTO record (\(StoredRow.columns)) VALUES "
            + repeatElement(row, count: rows).joined(separator: ", ")
    }

    /// Sequence, id and time, which the check covers and the payload leaves out.
    private static let headLength = 32
}

extension RecordInsertion {
    /// Binds the columns of one row after the other.
    private struct Binding {
        let statement: OpaquePointer
        var sequence: Int64
        private var column: Int32 = 0

        init(statement: OpaquePointer, sequence: Int64) {
            self.statement = statement
            self.sequence = sequence
        }

        /// Writes a row's bytes in the order in which the check takes them (see ``StoredRow``), and binds to them.
        mutating func add(_ draft: RecordDraft, _ state: PipelineState?, _ writer: inout ByteWriter) {
            sequence += 1
            let time = draft.fix.time.nanosecondsSince1970
            let start = writer.count
            writer.write(sequence)
            writer.write(draft.id.rawValue.byteSwapped)  // most significant first
            writer.write(time)
            RecordCodec.write(draft, state: state, to: &writer)
            let row = writer.bytes(from: start)
            var check = CRC32()
            check.combine(row)
            bind(sequence)
            bind(row[8..<24])
            bind(time)
            bind(row[headLength...])
            bind(Int64(check.value))
        }

        private mutating func bind(_ number: Int64) {
            column += 1
            sqlite3_bind_int64(statement, column, number)
        }

        /// SQLite reads the bytes during the step only, so it need not copy them: no destructor.
        private mutating func bind(_ bytes: Slice<UnsafeRawBufferPointer>) {
            column += 1
            let bytes = UnsafeRawBufferPointer(rebasing: bytes)
            sqlite3_bind_blob(statement, column, bytes.baseAddress, Int32(bytes.count), nil)
        }
    }
}
