package import TrackEngine

/// What of a batch is still to be written, and what may be said of the batch meanwhile.
package struct PendingRecords: Sendable {
    private let batch: RecordBatch
    /// The places in the batch of the records to write.
    private let places: [Int]
    /// The records to write, in order.
    package let records: [TrackRecord]
    /// Records without a valid position, which no format can hold.
    private let invalid: [RecordID: String]
    /// Records of the batch that a file has, of earlier deliveries and of this one.
    package var known: [RecordID] { knownBefore + records.prefix(written).map(\.id) }
    private let knownBefore: [RecordID]
    private var written = 0

    /// - Parameters:
    ///   - batch: what is delivered.
    ///   - recent: records that are settled in files already.
    package init(_ batch: RecordBatch, recent: [RecordID]) {
        self.batch = batch
        let recent = Set(recent)
        knownBefore = batch.records.map(\.id).filter(recent.contains)
        places = batch.records.indices.filter { place in
            let record = batch.records[place]
            return record.fix.coordinate.isValid && !recent.contains(record.id)
        }
        records = places.map { batch.records[$0] }
        let pairs = batch.records.filter { !$0.fix.coordinate.isValid }.map {
            ($0.id, "the record has no valid position")
        }
        invalid = Dictionary(pairs) { first, _ in first }
    }

    /// What is left to write.
    package var rest: ArraySlice<TrackRecord> { records[written...] }

    /// Notes that the first `count` records of the rest are settled in a file.
    package mutating func settle(_ count: Int) { written += count }

    /// What can be said for certain now; `nil` if nothing of the batch is settled.
    package var receipt: Receipt? {
        let settled = written < places.count ? places[written] : batch.records.count
        guard settled > 0 else { return nil }
        let refused = Set(batch.records.prefix(settled).map(\.id))
        return Receipt(settled: settled, refused: invalid.filter { refused.contains($0.key) })
    }
}
