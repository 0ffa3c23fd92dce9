/// A sink that says during a delivery how far the receiver has confirmed it.
///
/// The tracker settles what was confirmed about once a second while the delivery goes on, so that a crash repeats no more
/// than the last second and what was under way, and not the whole batch.
public protocol ReportsProgress: FixSink {
    /// Delivers a batch as ``FixSink/deliver(_:)`` does, under the same contract, and reports meanwhile.
    ///
    /// - Parameters:
    ///   - batch: the records to deliver.
    ///   - progress: is told how many records the receiver has confirmed; see ``DeliveryProgressReport``.
    func deliver(_ batch: RecordBatch, reporting progress: DeliveryProgressReport) async throws(DeliveryError)
        -> Receipt
}

extension ReportsProgress {
    /// Delivers a batch without reports.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        try await deliver(batch, reporting: DeliveryProgressReport { _ in })
    }
}

/// Where a sink reports how far the receiver has confirmed a delivery.
public struct DeliveryProgressReport: Sendable {
    private let report: @Sendable (Int) -> Void

    /// Makes a report from what shall happen with it.
    public init(_ report: @escaping @Sendable (Int) -> Void) {
        self.report = report
    }

    /// The receiver has confirmed this many records, from the first of the batch on, and refused none of them.
    ///
    /// What is reported counts as settled at once, whatever becomes of the delivery: report what has been confirmed and
    /// nothing else. Numbers that do not grow, or exceed the batch, change nothing. Any thread may call this, as often as
    /// it likes, until ``ReportsProgress/deliver(_:reporting:)`` returns.
    public func confirmed(_ count: Int) { report(count) }
}
