package import TrackEngine

/// Counts what a track's records take on their way.
package protocol TransferMeter: Sendable {
    /// Counts the record of a fix.
    mutating func add(_ fix: Fix, _ plan: RecordPlan)
    /// The bytes of all records.
    consuming func finish() -> WireBytes
}
