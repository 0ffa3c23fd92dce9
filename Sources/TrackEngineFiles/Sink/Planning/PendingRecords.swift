package import TrackEngine

/// The records of a batch that must still be written, and the receipt so far.
///
/// No more than ``SinkState/maximumRecords`` are written, because the state must list them all. The others are not
/// settled, and are part of the next delivery.
package struct PendingRecords: Sendable {
    private let batch: ArraySlice<TrackRecord>
    /// The indices in the batch of the records to write.
    private let places: [Int]
    /// The records to write, in order.
    package let records: [TrackRecord]
    /// Records that the format cannot hold, with reasons.
    private let invalid: [RecordID: String]
    /// Records of the batch that a file contains, of earlier deliveries and of this one.
    package var known: [RecordID] { knownBefore + records.prefix(written).map(\.id) }
    private let knownBefore: [RecordID]
    private var written = 0

    /// - Parameters:
    ///   - batch: the records to deliver.
    ///   - recent: records that are settled in files already.
    ///   - format: the format of the files.
    package init(_ batch: RecordBatch, recent: [RecordID], format: TrackFormat) {
        let batch = batch.records.prefix(SinkState.maximumRecords)
        self.batch = batch
        let recent = Set(recent)
        knownBefore = batch.map(\.id).filter(recent.contains)
        var places: [Int] = []
        var invalid: [RecordID: String] = [:]
        for (place, record) in batch.enumerated() {
            if let reason = Self.refusal(of: record, in: format) {
                invalid[record.id] = reason
            } else if !recent.contains(record.id) {
                places.append(place)
            }
        }
        self.places = places
        self.invalid = invalid
        records = places.map { batch[$0] }
    }

    /// The reason why a format cannot hold a record; `nil` if it can.
    private static func refusal(of record: TrackRecord, in format: TrackFormat) -> String? {
        guard record.fix.coordinate.isValid else { return "the record has no valid position" }
        guard format == .nmea else { return nil }
        return NMEAWriter.holds(record.fix.time) ? nil : "NMEA has no place for a year before 1980 or after 2079"
    }

    /// The records left to write.
    package var rest: ArraySlice<TrackRecord> { records[written...] }

    /// Notes that the first `count` records of the rest are settled in a file.
    package mutating func settle(_ count: Int) { written += count }

    /// The receipt for the records settled so far; `nil` if there are none.
    package var receipt: Receipt? {
        let settled = written < places.count ? places[written] : batch.count
        guard settled > 0 else { return nil }
        let refused = Set(batch.prefix(settled).map(\.id))
        return Receipt(settled: settled, refused: invalid.filter { refused.contains($0.key) })
    }
}
