public import TrackEngine

/// Counts what a track's records take on their way. ``EstimatedMeter`` does where nothing else is given.
///
/// A value of its own is made of it for each rule, by copying one that has counted nothing.
public protocol TransferMeter: Sendable {
    /// Counts the record of a fix.
    ///
    /// - Parameters:
    ///   - fix: what is recorded.
    ///   - plan: what the record says beside the fix.
    mutating func add(_ fix: Fix, _ plan: RecordPlan)
    /// The bytes of all records.
    consuming func finish() -> WireBytes
}

/// Counts each record as what one takes on average, without encoding it.
///
/// The averages are those of the sinks' own encoders on fixes with altitude, accuracy, speed and course. Figures of a real
/// track are within a fifth of them; rules compare with each other as exactly as they do with the real encoders, since every
/// record counts the same. `trackd tune` encodes each record instead.
public struct EstimatedMeter: TransferMeter {
    /// Bytes of one record in an Overland request, in an MQTT message of its own, and in one of many.
    private static let record = (overland: 421, mqtt: 588, batch: 404)
    /// Bytes of a request and its answer, and of a message of many records and its acknowledgement, without the records.
    private static let request = (overland: 480, batch: 60)

    private let batchSize: Int
    private var records = 0

    /// A meter at zero.
    ///
    /// - Parameter batchSize: how many records a request or a batch has, 1 or more.
    public init(batchSize: Int = 250) {
        self.batchSize = max(1, batchSize)
    }

    /// Counts a record.
    public mutating func add(_ fix: Fix, _ plan: RecordPlan) {
        records += 1
    }

    /// The bytes of all records.
    public consuming func finish() -> WireBytes {
        let requests = records / batchSize + (records % batchSize == 0 ? 0 : 1)
        var bytes = WireBytes()
        bytes.overland = records * Self.record.overland + requests * Self.request.overland
        bytes.mqtt = records * Self.record.mqtt
        bytes.batch = records * Self.record.batch + requests * Self.request.batch
        return bytes
    }
}
