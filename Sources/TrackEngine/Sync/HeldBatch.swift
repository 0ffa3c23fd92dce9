/// A batch from the store, kept as it is until all of it is settled, so that a retry has the same boundaries.
struct HeldBatch: Sendable {
    let origin: PendingBatch.Origin
    /// Whether the sink has something to send for a record; others are settled in their turn without being offered.
    let carries: @Sendable (TrackRecord) -> Bool
    /// What is not settled, oldest first.
    private(set) var records: [TrackRecord]
    /// What is newer than the batch, if anything is.
    let newest: TrackRecord?
    /// Whether more records wait after the batch.
    let isBacklog: Bool

    init(
        _ batch: PendingBatch, carries: @escaping @Sendable (TrackRecord) -> Bool, newest: TrackRecord?, isBacklog: Bool
    ) {
        origin = batch.origin
        self.carries = carries
        records = batch.records
        self.newest = newest
        self.isBacklog = isBacklog
    }

    /// What the receiver is offered: all but the records that it has taken ahead of their turn, and those of kinds that the
    /// sink cannot carry.
    func offered(_ ahead: TakenAhead) -> [TrackRecord] {
        isAllOffered(ahead) ? records : records.filter { isOffered($0, ahead) }
    }

    private func isOffered(_ record: TrackRecord, _ ahead: TakenAhead) -> Bool {
        carries(record) && !ahead.contains(record.sequence)
    }

    private func isAllOffered(_ ahead: TakenAhead) -> Bool {
        ahead.isEmpty && records.allSatisfy(carries)
    }

    /// The records up to the last of so many offered ones, and those after it that are not offered.
    func prefix(covering count: Int, _ ahead: TakenAhead) -> [TrackRecord] {
        guard !isAllOffered(ahead) else { return Array(records.prefix(count)) }
        var left = count
        return Array(
            records.prefix { record in
                guard isOffered(record, ahead) else { return true }
                left -= 1
                return left >= 0
            })
    }

    /// The first so many records are settled.
    mutating func settled(_ count: Int) {
        records.removeFirst(min(count, records.count))
    }
}

/// Records that a receiver took as controls ahead of their turn: they are not sent again but settled in their turn.
///
/// Kept in memory only. After a restart, or when more than ``capacity`` wait, the receiver gets such a record again,
/// under the same id.
struct TakenAhead: Sendable {
    /// How many are remembered at most: what the largest batch has after a refused record, and the controls.
    static let capacity = 16_384

    private var sequences: Set<RecordSequence> = []

    var isEmpty: Bool { sequences.isEmpty }

    func contains(_ sequence: RecordSequence) -> Bool { sequences.contains(sequence) }

    /// The oldest one after a sequence number, to serve as a control once more.
    func first(after sequence: RecordSequence) -> RecordSequence? {
        sequences.lazy.filter { $0 > sequence }.min()
    }

    mutating func insert(_ sequence: RecordSequence) {
        guard sequences.count < Self.capacity else { return }
        sequences.insert(sequence)
    }

    /// Forgets those that are settled now or were removed from the queue before their turn.
    mutating func settled(_ records: [TrackRecord], from origin: PendingBatch.Origin) {
        guard !isEmpty, let last = records.last else { return }
        switch origin {
        case .queue: sequences = sequences.filter { $0 > last.sequence }
        case .requeued: for record in records { sequences.remove(record.sequence) }
        }
    }

    mutating func removeAll() { sequences = [] }
}
