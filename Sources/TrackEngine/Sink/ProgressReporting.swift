/// A sink that reports the receiver's confirmations during a delivery.
///
/// The tracker settles confirmed records about once a second during the delivery. A crash then repeats only the records
/// of the last second and those under way, not the whole batch.
public protocol ProgressReporting: FixSink {
    /// Delivers a batch as ``FixSink/deliver(_:)`` does, under the same contract, and reports its progress.
    ///
    /// - Parameters:
    ///   - batch: the records to deliver.
    ///   - progress: receives the number of records that the receiver has confirmed; see ``DeliveryProgressReport``.
    func deliver(_ batch: RecordBatch, reporting progress: DeliveryProgressReport) async throws(DeliveryError)
        -> Receipt
}

extension ProgressReporting {
    /// Delivers a batch without reports.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        try await deliver(batch, reporting: DeliveryProgressReport { _ in })
    }
}

/// Receives a sink's reports of the records that the receiver has confirmed.
public struct DeliveryProgressReport: Sendable {
    private let report: @Sendable (Int) -> Void

    /// Creates a report that calls a closure.
    public init(_ report: @escaping @Sendable (Int) -> Void) {
        self.report = report
    }

    /// Reports that the receiver has confirmed this many records, from the first of the batch on, and refused none of
    /// them.
    ///
    /// Reported records count as settled at once, even if the delivery fails later: report only confirmed records.
    /// Numbers that do not grow, or exceed the batch, have no effect. Any thread may call this, any number of times,
    /// until ``ProgressReporting/deliver(_:reporting:)`` returns.
    public func confirmed(_ count: Int) { report(count) }
}
