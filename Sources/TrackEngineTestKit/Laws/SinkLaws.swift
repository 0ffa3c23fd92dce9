/// What every ``/TrackEngine/FixSink`` must keep, whatever its protocol.
///
/// The laws judge by what the receiver holds, not by what the sink says. A plugin's tests demand that
/// ``report()`` has no violations; mutants that break one law each prove that the laws can fail.
///
/// ```swift
/// let report = try await SinkLaws(bench).report()
/// #expect(report.violations == [], "\(report)")
/// ```
public struct SinkLaws: Laws {
    /// What is settled and not refused is at the receiver when `deliver` returns.
    public static let settledIsReceived = "settled means received"
    /// The receiver sees the records of a batch in the batch's order.
    public static let orderIsKept = "records arrive in order"
    /// The receiver gets nothing that was not in a batch.
    public static let nothingIsInvented = "nothing is invented"
    /// The same batch again carries the same records, byte for byte.
    public static let repetitionIsIdentical = "the same batch again is the same"
    /// A cancelled delivery ends promptly, with an error.
    public static let cancellationEndsDelivery = "cancellation ends a delivery promptly without settling"
    /// While the receiver is down, deliveries throw and ask for a retry.
    public static let downIsRetry = "a receiver that is down is a retry"
    /// When the receiver is back, the same sink delivers again.
    public static let recovers = "a receiver that is back is served again"
    /// What a sink reports during a delivery has been confirmed by the receiver.
    public static let progressIsConfirmed = "progress means confirmed"
    /// A refusal is reported as one: never settled without being listed, never taken for an outage.
    public static let refusalIsTold = "a refusal is told"

    private let bench: SinkBench
    private let promptness: Duration

    /// Prepares the laws for a sink.
    ///
    /// - Parameters:
    ///   - bench: the sink and the far end.
    ///   - promptness: how long a cancelled delivery may take to end.
    public init(_ bench: SinkBench, promptness: Duration = .seconds(10)) {
        self.bench = bench
        self.promptness = promptness
    }

    /// What an examination sees, laws included that the bench's receiver does not allow to examine.
    ///
    /// - Throws: what the bench throws; a sink's own errors are judged, not thrown.
    public func report() async throws -> LawReport {
        var examination = SinkExamination(bench: bench, promptness: promptness)
        try await examination.delivers()
        try await examination.repeats()
        if examination.allows(.refusal, for: [Self.refusalIsTold]) { try await examination.isRefused() }
        if examination.allows(.silence, for: [Self.cancellationEndsDelivery]) { try await examination.isCancelled() }
        if examination.allows(.outage, for: [Self.downIsRetry, Self.recovers]) {
            try await examination.losesItsReceiver()
        }
        return LawReport(findings: examination.findings)
    }
}
