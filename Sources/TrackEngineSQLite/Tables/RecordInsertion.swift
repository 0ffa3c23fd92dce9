import Encryption
import SQLiteAccess
import TrackEngine

/// Inserts records in order through prepared statements.
///
/// - The values are bound by hand: an array of arguments for each row takes half of the time of a large commit.
/// - Many rows are inserted with one statement, because each statement opens its tables anew.
/// - The bytes of a row are written only once, to the memory from which SQLite reads them.
struct RecordInsertion {
    /// The number of rows of the larger of the two statements.
    private static let rowsAtOnce = 20
    private static let insertOne = sql(rows: 1)
    private static let insertMany = sql(rows: rowsAtOnce)

    private let db: Database
    private let seal: RowCipher?
    /// The pipeline state for the record with this sequence number.
    private var closing: (sequence: Int64, state: PipelineState)?

    init(_ db: Database, _ seal: RowCipher?) {
        self.db = db
        self.seal = seal
    }

    /// Inserts records after a sequence number.
    ///
    /// - Parameter closing: the index of the draft that also stores the pipeline's state.
    mutating func insert(
        _ drafts: [RecordDraft], closing: (place: Int, state: PipelineState)?, after sequence: Int64
    ) throws {
        self.closing = closing.map { (sequence + Int64($0.place) + 1, $0.state) }
        let rest = drafts.count / Self.rowsAtOnce * Self.rowsAtOnce
        if rest > 0 { try insert(drafts[..<rest], after: sequence, Self.insertMany, Self.rowsAtOnce) }
        if rest < drafts.count { try insert(drafts[rest...], after: sequence + Int64(rest), Self.insertOne, 1) }
    }

    /// Runs a statement for several rows until all drafts are inserted; their number is a multiple of the number of
    /// rows.
    private func insert(_ drafts: ArraySlice<RecordDraft>, after sequence: Int64, _ sql: String, _ rows: Int) throws {
        let query = try db.query(sql)
        var sequence = sequence
        for start in stride(from: drafts.startIndex, to: drafts.endIndex, by: rows) {
            try run(query, with: drafts[start..<start + rows], after: sequence)
            sequence += Int64(rows)
        }
    }

    private func run(_ query: DatabaseQuery, with drafts: ArraySlice<RecordDraft>, after sequence: Int64) throws {
        let room = drafts.reduce(closing?.state.room ?? 0) { $0 + Self.headLength + RecordCodec.room(for: $1) }
        guard let seal else {
            return try run(query, after: sequence, room) { binding, writer in
                for draft in drafts { binding.add(draft, state(after: binding.sequence), &writer) }
            }
        }
        let nonceLength = ContentCipher.nonceLength
        try withUnsafeTemporaryAllocation(byteCount: nonceLength * drafts.count, alignment: 1) { nonces in
            do throws(EncryptionError) { try ContentCipher.fillWithNonces(nonces) } catch {
                throw StoreError(.inputOutput, "the store cannot be encrypted: \(error)")
            }
            let sealed = room + drafts.count * (RowCipher.overhead + Self.sealedHead)
            try run(query, after: sequence, sealed) { binding, writer in
                for (place, draft) in drafts.enumerated() {
                    let nonce = nonces[place * nonceLength..<(place + 1) * nonceLength]
                    let state = state(after: binding.sequence)
                    binding.add(draft, state, &writer, seal, nonce: UnsafeRawBufferPointer(rebasing: nonce))
                }
            }
        }
    }

    /// The state that belongs to the record after a sequence number.
    private func state(after sequence: Int64) -> PipelineState? {
        closing?.sequence == sequence + 1 ? closing?.state : nil
    }

    /// Binds rows that are written into temporary memory of this size, and runs the statement.
    private func run(
        _ query: DatabaseQuery, after sequence: Int64, _ room: Int,
        _ body: (inout Binding, inout ByteWriter) -> Void
    ) throws {
        try withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { memory in
            var writer = ByteWriter(memory)
            var binding = Binding(query, sequence: sequence)
            body(&binding, &writer)
            try query.run()
        }
    }

    private static func sql(rows: Int) -> String {
        let row = "(?, ?, ?, ?, ?)"
        return "INSERT INTO record (\(StoredRow.columns)) VALUES "
            + repeatElement(row, count: rows).joined(separator: ", ")
    }

    /// The length of sequence, id and time, which the check covers but the payload omits.
    private static let headLength = 32
    /// The additional bytes before the payload of an encrypted row: the time of 0 that its check covers.
    private static let sealedHead = 8

    /// Binds the columns of one row after the other.
    private struct Binding {
        let query: DatabaseQuery
        var sequence: Int64
        private var column: Int32 = 0

        init(_ query: DatabaseQuery, sequence: Int64) {
            self.query = query
            self.sequence = sequence
        }

        /// Writes a row's bytes in the order of the check (see ``StoredRow``), and binds to them.
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

        /// Adds a row to an encrypted store (see ``RowContent``): no id, no time, and a payload that is encrypted in
        /// place.
        mutating func add(
            _ draft: RecordDraft, _ state: PipelineState?, _ writer: inout ByteWriter, _ seal: RowCipher,
            nonce: UnsafeRawBufferPointer
        ) {
            sequence += 1
            let start = writer.count
            writer.write(sequence)
            writer.write(Int64(0))
            seal.begin(&writer, nonce: nonce)
            writer.write(draft.id.rawValue.byteSwapped)
            writer.write(draft.fix.time.nanosecondsSince1970)
            RecordCodec.write(draft, state: state, to: &writer)
            seal.endRecord(&writer, from: start + 16, number: start)
            let row = writer.bytes(from: start)
            var check = CRC32()
            check.combine(row)
            bind(sequence)
            bind(row[8..<8])
            bind(0)
            bind(row[16...])
            bind(Int64(check.value))
        }

        private mutating func bind(_ number: Int64) {
            column += 1
            query.bind(number, at: column)
        }

        private mutating func bind(_ bytes: Slice<UnsafeRawBufferPointer>) {
            column += 1
            query.bind(UnsafeRawBufferPointer(rebasing: bytes), at: column)
        }
    }
}
