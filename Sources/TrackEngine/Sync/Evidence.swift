/// What is held against records that are not settled: how often each was rejected by itself, and why.
struct Evidence: Sendable {
    private struct Complaint {
        var reason: String
        var times: Int
        var isVerdict: Bool
    }

    /// How many records are remembered at most; a control that was rejected and is forgotten may be tried again.
    static let capacity = 256

    private var complaints: [RecordSequence: Complaint] = [:]

    /// Whether a record was rejected by itself.
    func contains(_ record: TrackRecord) -> Bool { complaints[record.sequence] != nil }

    /// Whether the receiver has said each time that the record is the reason.
    func isVerdict(on record: TrackRecord) -> Bool { complaints[record.sequence]?.isVerdict ?? false }

    /// How often a record was rejected by itself.
    func times(_ record: TrackRecord) -> Int { complaints[record.sequence]?.times ?? 0 }

    private var isFull: Bool { complaints.count >= Self.capacity }

    /// A record was rejected by itself.
    ///
    /// - Parameter isVerdict: whether the receiver says that the record is the reason.
    mutating func add(_ record: TrackRecord, _ reason: String, isVerdict: Bool) {
        let earlier = complaints[record.sequence]
        guard earlier != nil || !isFull else { return }
        complaints[record.sequence] = Complaint(
            reason: reason, times: (earlier?.times ?? 0) + 1, isVerdict: isVerdict && earlier?.isVerdict != false)
    }

    /// Why a record is a dead letter; `nil` when nothing is held against it.
    func reason(for record: TrackRecord) -> String? {
        guard let complaint = complaints[record.sequence] else { return nil }
        guard !complaint.isVerdict else { return complaint.reason }
        // The count stands first: a long reason is cut at its end.
        return ReceiverText.bounded(
            "each of \(complaint.times) times, while other records were taken: \(complaint.reason)")
    }

    /// Records were settled.
    mutating func remove(_ records: some Sequence<TrackRecord>) {
        guard !complaints.isEmpty else { return }
        for record in records { complaints[record.sequence] = nil }
    }

    mutating func removeAll() { complaints = [:] }
}
