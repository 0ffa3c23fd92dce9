import TrackEngine

/// What a row of the five columns says, whether it is stored in plain or sealed.
///
/// Where a store is encrypted, a row's id and time are part of what is sealed: an id is computed from device, time and place, so
/// that who guesses those could recognise it. Its column `uid` is empty and `time` 0.
struct OpenedRow {
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

    /// What was stored, with the pipeline's state if it is there; `nil` when it is no record.
    var contents: (draft: RecordDraft, state: PipelineState?)? {
        guard let id = RecordID(bytes: id) else { return nil }
        return try? RecordCodec.decodeWithState(payload, id: id, time: Timestamp(nanosecondsSince1970: time))
    }
}

// MARK: - Bytes

extension OpenedRow {
    /// Id and time, which stand before the payload.
    static let headLength = 24

    /// What is sealed: id, time, payload.
    var bytes: [UInt8] { id + withUnsafeBytes(of: time.littleEndian) { Array($0) } + payload }

    /// Reads what was sealed; `nil` for fewer bytes than id and time.
    init?(bytes: some BidirectionalCollection<UInt8>) {
        guard bytes.count > Self.headLength else { return nil }
        id = Array(bytes.prefix(16))
        time = bytes.dropFirst(16).prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
        payload = Array(bytes.dropFirst(Self.headLength))
    }
}

// MARK: - Records

extension StoredRow {
    /// Whether the columns are those of a sealed row: what it says is in its payload.
    var isSealed: Bool { id.isEmpty && time == 0 && RowSeal.keyName(of: payload) != nil }

    /// A record's row, sealed unless there is no seal.
    init(_ row: OpenedRow, sequence: Int64, _ seal: RowSeal?) throws(StoreError) {
        guard let seal else {
            self.init(sequence: sequence, id: row.id, time: row.time, payload: row.payload)
            return
        }
        let payload = try seal.seal(row.bytes, as: .record, number: sequence)
        self.init(sequence: sequence, id: [], time: 0, payload: payload)
    }

    /// What a record's row says; `nil` when it is damaged, or does not open. In an encrypted store a row in plain is no row.
    func opened(_ seal: RowSeal?) -> OpenedRow? {
        guard isWhole else { return nil }
        guard let seal else { return isSealed ? nil : OpenedRow(id: id, time: time, payload: payload) }
        guard isSealed else { return nil }
        return seal.open(payload, as: .record, number: sequence).flatMap { OpenedRow(bytes: $0) }
    }
}
