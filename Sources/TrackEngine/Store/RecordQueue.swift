/// Records in the order of acceptance, with cheap appends at the back and removals at the front.
struct RecordQueue {
    private var storage: [TrackRecord] = []
    /// The index in `storage` at which the queue begins; earlier elements have been removed.
    private var start = 0

    /// All records, oldest first.
    var all: ArraySlice<TrackRecord> { storage[start...] }
    var count: Int { storage.count - start }
    var last: TrackRecord? { count > 0 ? storage.last : nil }

    mutating func append(contentsOf records: [TrackRecord]) { storage.append(contentsOf: records) }

    /// Returns the records after a sequence number. The numbers grow along the array but may have gaps, so the first
    /// record is found by binary search.
    func after(_ sequence: RecordSequence) -> ArraySlice<TrackRecord> {
        var low = start
        var high = storage.count
        while low < high {
            let middle = (low + high) / 2
            if storage[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return storage[low...]
    }

    /// The record with a sequence number.
    subscript(sequence: RecordSequence) -> TrackRecord? {
        let previous = RecordSequence(rawValue: sequence.rawValue - 1)
        guard let record = after(previous).first, record.sequence == sequence else { return nil }
        return record
    }

    /// Removes the oldest records; their memory is released once they are half of all.
    mutating func removeFirst(_ count: Int) {
        start += min(count, self.count)
        guard start * 2 > storage.count else { return }
        storage.removeSubrange(..<start)
        start = 0
    }

    mutating func removeAll(where isUnwanted: (TrackRecord) -> Bool) {
        storage.removeSubrange(..<start)
        start = 0
        storage.removeAll(where: isUnwanted)
    }

    mutating func removeAll() { self = RecordQueue() }
}
