/// A batch from the store, held unchanged until all of it is settled, so that a retry has the same boundaries.
struct CurrentBatch: Sendable {
    let origin: PendingBatch.Origin
    /// Whether the sink sends a record; other records are settled in their turn without being offered.
    let carries: @Sendable (TrackRecord) -> Bool
    /// The records that are not settled, oldest first.
    private(set) var records: [TrackRecord]
    /// The newest record after the batch, if there is one.
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

    /// Returns the records to offer to the receiver: all but those that it accepted ahead of their turn, and those of
    /// kinds that the sink cannot carry.
    func offered(_ ahead: ControlRecords) -> [TrackRecord] {
        isAllOffered(ahead) ? records : records.filter { isOffered($0, ahead) }
    }

    private func isOffered(_ record: TrackRecord, _ ahead: ControlRecords) -> Bool {
        carries(record) && !ahead.contains(record.sequence)
    }

    private func isAllOffered(_ ahead: ControlRecords) -> Bool {
        ahead.isEmpty && records.allSatisfy(carries)
    }

    /// Returns the records up to the last of `count` offered ones, and the following ones that are not offered.
    func prefix(covering count: Int, _ ahead: ControlRecords) -> [TrackRecord] {
        guard !isAllOffered(ahead) else { return Array(records.prefix(count)) }
        var left = count
        return Array(
            records.prefix { record in
                guard isOffered(record, ahead) else { return true }
                left -= 1
                return left >= 0
            })
    }

    /// Removes the first `count` records, which are settled.
    mutating func settled(_ count: Int) {
        records.removeFirst(min(count, records.count))
    }
}

/// Records that a receiver accepted as controls ahead of their turn. They are not sent again but settled in their turn.
///
/// Kept in memory only. After a restart, or when there are more than ``capacity``, the receiver gets such a record
/// again, under the same id.
struct ControlRecords: Sendable {
    /// The maximum number remembered: the records after a refused one in the largest batch, and the controls.
    static let capacity = 16_384

    private var sequences: Set<RecordSequence> = []

    var isEmpty: Bool { sequences.isEmpty }

    func contains(_ sequence: RecordSequence) -> Bool { sequences.contains(sequence) }

    /// Returns the oldest one after a sequence number, to serve as a control once more.
    func first(after sequence: RecordSequence) -> RecordSequence? {
        sequences.lazy.filter { $0 > sequence }.min()
    }

    mutating func insert(_ sequence: RecordSequence) {
        guard sequences.count < Self.capacity else { return }
        sequences.insert(sequence)
    }

    /// Removes those that are settled now or were removed from the queue before their turn.
    mutating func settled(_ records: [TrackRecord], from origin: PendingBatch.Origin) {
        guard !isEmpty, let last = records.last else { return }
        switch origin {
        case .queue: sequences = sequences.filter { $0 > last.sequence }
        case .requeued: for record in records { sequences.remove(record.sequence) }
        }
    }

    mutating func removeAll() { sequences = [] }
}
