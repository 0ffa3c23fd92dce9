public import TrackEngine

/// Counts the bytes for transferring a track's records. The default is ``EstimateMeter``.
///
/// Each rule gets its own copy of a meter at zero.
public protocol TransferMeter: Sendable {
    /// Counts the record of a fix.
    ///
    /// - Parameters:
    ///   - fix: the recorded fix.
    ///   - plan: the contents of the record in addition to the fix.
    mutating func add(_ fix: Fix, _ plan: RecordPlan)
    /// The bytes of all records.
    consuming func finish() -> WireByteCount
}

/// Counts each record with the average size, without encoding it.
///
/// The averages are those of the sinks' own encoders on fixes with altitude, accuracy, speed and course. Figures of
/// a real track are within a fifth of them. Comparisons of rules are as exact as with the real encoders, since every
/// record counts the same. `trackd tune` encodes each record instead.
public struct EstimateMeter: TransferMeter {
    /// The bytes of one record in an Overland request, in an MQTT message of its own, and in one of many records.
    private static let record = (overland: 421, mqtt: 588, batch: 404)
    /// The bytes of a request and its response, and of a message of many records and its acknowledgement, without
    /// the records.
    private static let request = (overland: 480, batch: 60)

    private let batchSize: Int
    private var records = 0

    /// A meter at zero.
    ///
    /// - Parameter batchSize: the number of records in a request or a batch, 1 or more.
    public init(batchSize: Int = 250) {
        self.batchSize = max(1, batchSize)
    }

    /// Counts a record.
    public mutating func add(_ fix: Fix, _ plan: RecordPlan) {
        records += 1
    }

    /// The bytes of all records.
    public consuming func finish() -> WireByteCount {
        let requests = records / batchSize + (records % batchSize == 0 ? 0 : 1)
        var bytes = WireByteCount()
        bytes.overland = records * Self.record.overland + requests * Self.request.overland
        bytes.mqtt = records * Self.record.mqtt
        bytes.batch = records * Self.record.batch + requests * Self.request.batch
        return bytes
    }
}
