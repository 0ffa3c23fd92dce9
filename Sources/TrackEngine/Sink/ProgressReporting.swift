/// A sink that reports the receiver's confirmations during a delivery.
///
/// The tracker settles confirmed records about once a second during the delivery. A crash then repeats only the records
/// of the last second and those under way, not the whole batch.
public protocol ProgressReporting: FixSink {
    /// Delivers a batch as ``FixSink/deliver(_:)`` does, under the same contract, and reports its progress.
    ///
    /// - Parameters:
    ///   - batch: the records to deliver.
    ///   - progress: takes the number of records, from the first of the batch on, that the receiver has confirmed and
    ///     of which it has refused none. They count as settled at once, even if the delivery fails later: report only
    ///     confirmed records. Numbers that do not grow, or exceed the batch, have no effect. Any thread may call it,
    ///     any number of times, until this method returns.
    func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt
}

extension ProgressReporting {
    /// Delivers a batch without reports.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        try await deliver(batch, reporting: { _ in })
    }
}
