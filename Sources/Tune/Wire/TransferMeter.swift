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
