import TrackEngine

/// The contents of a row of the five columns, whether it is stored unencrypted or encrypted.
///
/// In an encrypted store, the id and time of a row are part of the encrypted data: an id is computed from device, time
/// and position, so it would confirm a guess of these. The column `uid` is then empty and `time` is 0.
struct RowContent {
    let id: [UInt8]
    let time: Int64
    let payload: [UInt8]

    init(id: [UInt8], time: Int64, payload: [UInt8]) {
        self.id = id
        self.time = time
        self.payload = payload
    }

    init(_ draft: RecordDraft, state: PipelineState?) {
        self.init(
            id: draft.id.bytes, time: draft.fix.time.nanosecondsSince1970,
            payload: RecordCodec.encode(draft, state: state))
    }

    /// The stored draft, with the pipeline's state if the row has one; `nil` if the row is not a record.
    var contents: (draft: RecordDraft, state: PipelineState?)? {
        guard let id = RecordID(bytes: id) else { return nil }
        return try? RecordCodec.decodeWithState(payload, id: id, time: Timestamp(nanosecondsSince1970: time))
    }
}

// MARK: - Bytes

extension RowContent {
    /// The length of id and time, which precede the payload.
    static let headLength = 24

    /// The bytes to encrypt: id, time, payload.
    var bytes: [UInt8] { id + withUnsafeBytes(of: time.littleEndian) { Array($0) } + payload }

    /// Reads decrypted bytes; `nil` if there are fewer than id and time need.
    init?(bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.count > Self.headLength else { return nil }
        id = Array(bytes.prefix(16))
        time = bytes.dropFirst(16).prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
        payload = Array(bytes.dropFirst(Self.headLength))
    }
}

// MARK: - Records

extension StoredRow {
    /// Whether the columns are those of an encrypted row, with all contents in the payload.
    var isSealed: Bool { id.isEmpty && time == 0 && RowCipher.keyName(of: payload) != nil }

    /// Creates a record's row, encrypted if there is a seal.
    init(_ row: RowContent, sequence: Int64, _ seal: RowCipher?) throws(StoreError) {
        guard let seal else {
            self.init(sequence: sequence, id: row.id, time: row.time, payload: row.payload)
            return
        }
        let payload = try seal.seal(row.bytes, as: .record, number: sequence)
        self.init(sequence: sequence, id: [], time: 0, payload: payload)
    }

    /// The contents of a record's row; `nil` if it is damaged or cannot be decrypted, or is unencrypted in an
    /// encrypted store.
    func opened(_ seal: RowCipher?) -> RowContent? {
        guard isWhole else { return nil }
        guard let seal else { return isSealed ? nil : RowContent(id: id, time: time, payload: payload) }
        guard isSealed else { return nil }
        return seal.open(payload, as: .record, number: sequence).flatMap { RowContent(bytes: $0) }
    }
}
