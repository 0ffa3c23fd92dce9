import SQLiteAccess
import TrackEngine

/// A record as a row: the same five columns in every table that holds records.
///
/// The check covers all of them. It detects a flipped bit in any column, and a row stored under another row's number.
struct StoredRow {
    /// The columns, in the order in which ``init(_:at:)`` reads them.
    static let columns = "seq, uid, time, payload, crc"

    let sequence: Int64
    let id: [UInt8]
    let time: Int64
    let payload: [UInt8]
    let check: Int64

    /// A row of these columns, with its check.
    init(sequence: Int64, id: [UInt8], time: Int64, payload: [UInt8]) {
        self.sequence = sequence
        self.id = id
        self.time = time
        self.payload = payload
        check = Self.check(sequence: sequence, id: id, time: time, payload: payload)
    }

    init(_ draft: RecordDraft, state: PipelineState? = nil, sequence: Int64) {
        self.init(
            sequence: sequence, id: draft.id.bytes, time: draft.fix.time.nanosecondsSince1970,
            payload: RecordCodec.encode(draft, state: state))
    }

    /// Reads the columns of a row from an index on; `nil` when one of them is of another type.
    init?(_ row: Row, at first: Int = 0) {
        guard let sequence = row.integer(first), let id = row.blob(first + 1), let time = row.integer(first + 2),
            let payload = row.blob(first + 3), let check = row.integer(first + 4)
        else { return nil }
        self.sequence = sequence
        self.id = id
        self.time = time
        self.payload = payload
        self.check = check
    }

    /// The columns as arguments of a statement.
    var arguments: [any DatabaseField] { [sequence, id, time, payload, check] }

    /// Whether the columns are undamaged.
    var isWhole: Bool { check == Self.check(sequence: sequence, id: id, time: time, payload: payload) }

    /// The record; `nil` if the row is damaged, or encrypted under a different key.
    func record(_ seal: RowCipher?) -> TrackRecord? {
        let contents = seal == nil ? contents : opened(seal)?.contents
        return contents.map { TrackRecord(sequence: RecordSequence(rawValue: sequence), draft: $0.draft) }
    }

    /// The contents of an unencrypted row, with the pipeline's state if it has one; `nil` if the row is damaged.
    var contents: (draft: RecordDraft, state: PipelineState?)? {
        guard isWhole, let id = RecordID(bytes: id) else { return nil }
        // Bytes that pass the check but cannot be decoded are also damaged; the kind of damage does not matter here.
        return try? RecordCodec.decodeWithState(payload, id: id, time: Timestamp(nanosecondsSince1970: time))
    }

    private static func check(sequence: Int64, id: [UInt8], time: Int64, payload: [UInt8]) -> Int64 {
        id.withUnsafeBytes { id in
            payload.withUnsafeBytes { check(sequence: sequence, id: id, time: time, payload: $0) }
        }
    }

    /// The check of a row's columns.
    static func check(
        sequence: Int64, id: UnsafeRawBufferPointer, time: Int64, payload: UnsafeRawBufferPointer
    ) -> Int64 {
        var check = CRC32()
        check.combine(sequence)
        check.combine(id)
        check.combine(time)
        check.combine(payload)
        return Int64(check.value)
    }
}
