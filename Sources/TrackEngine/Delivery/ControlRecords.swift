/// Records that a server accepted as controls ahead of their turn. They are not sent again but settled in their turn.
///
/// Kept in memory only. After a restart, or when there are more than ``capacity``, the server gets such a record
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
