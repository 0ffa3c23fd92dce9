/// The rejections of records that are not settled: the number of individual rejections, and the reason.
struct RejectionLog: Sendable {
    private struct Rejection {
        var reason: String
        var times: Int
        var isVerdict: Bool
    }

    /// The maximum number of records remembered; a control that was rejected and is forgotten may be tried again.
    static let capacity = 256

    private var rejections: [RecordSequence: Rejection] = [:]

    /// Whether a record was rejected individually.
    func contains(_ record: TrackRecord) -> Bool { rejections[record.sequence] != nil }

    /// Whether the receiver has named the record as the reason each time.
    func isVerdict(on record: TrackRecord) -> Bool { rejections[record.sequence]?.isVerdict ?? false }

    /// Returns the number of times that a record was rejected individually.
    func times(_ record: TrackRecord) -> Int { rejections[record.sequence]?.times ?? 0 }

    private var isFull: Bool { rejections.count >= Self.capacity }

    /// Adds an individual rejection of a record.
    ///
    /// - Parameter isVerdict: whether the receiver names the record as the reason.
    mutating func add(_ record: TrackRecord, _ reason: String, isVerdict: Bool) {
        let earlier = rejections[record.sequence]
        guard earlier != nil || !isFull else { return }
        rejections[record.sequence] = Rejection(
            reason: reason, times: (earlier?.times ?? 0) + 1, isVerdict: isVerdict && earlier?.isVerdict != false)
    }

    /// Returns the reason why a record is a dead letter; `nil` when it was not rejected.
    func reason(for record: TrackRecord) -> String? {
        guard let rejection = rejections[record.sequence] else { return nil }
        guard !rejection.isVerdict else { return rejection.reason }
        // The count comes first, because a long reason is cut at its end.
        return ReceiverText.bounded(
            "each of \(rejection.times) times, while other records were taken: \(rejection.reason)")
    }

    /// Removes settled records.
    mutating func remove(_ records: some Sequence<TrackRecord>) {
        guard !rejections.isEmpty else { return }
        for record in records { rejections[record.sequence] = nil }
    }

    mutating func removeAll() { rejections = [:] }
}
