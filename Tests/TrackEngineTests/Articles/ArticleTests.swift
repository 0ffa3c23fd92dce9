import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The samples of the articles keep the laws. `scripts/checks/readme` compares them with the articles.
@Suite(.timeLimit(.minutes(30))) struct ArticleTests {
    @Test
    func `the source of WritingASource keeps the laws of sources`() async throws {
        let good = (1...20).map { "\(1_772_359_200 + $0) 53.5 \($0)" }
        let laws = SourceLaws(
            fixes: 20, badInput: { Beacon { BeaconConnection(saying: ["\u{1}?", "1 2"] + good) } },
            make: { Beacon { BeaconConnection(saying: good) } })
        let report = try await laws.report()
        #expect(report.violations == [], "\(report)")
        #expect(report.findings.count == 12 && report.findings.filter { $0.verdict == .notExamined }.count == 1)
    }

    @Test
    func `the sink of WritingASink keeps the laws of sinks`() async throws {
        let bench = InMemoryReceiver().bench { Telegram(wire: Wire(receiver: $0, mood: $1)) }
        let report = try await SinkLaws(bench).report()
        #expect(report.violations == [], "\(report)")
        #expect(report.findings.count == 8 && report.findings.allSatisfy { $0.verdict == .kept }, "\(report)")
    }

    @Test
    func `the listener of GettingStarted ends with its run`() async throws {
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [])
        let hasEnded = Mutex(false)
        // Beside the runs, of which one ends it: it may begin to listen earlier or later.
        let listening = Task {
            await printRejections(of: tracker)
            hasEnded.withLock { $0 = true }
        }
        try await eventually("a run ends it") {
            try await tracker.run(until: .sourcesFinished)
            return hasEnded.withLock { $0 }
        }
        listening.cancel()
    }

    /// A sink that appends to a file, which refuses nothing, never keeps silent and is always there.
    private struct Lines: FixSink {
        let id: SinkID = "lines"
        let receiver: InMemoryReceiver
        var forgets = false

        func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
            let lines = batch.records.map { ReceivedRecord(id: $0.id, payload: "\($0.fix.time)") }
            _ = receiver.offer(forgets ? Array(lines.dropLast()) : lines, .willing)
            return .all(of: batch)
        }
    }

    @Test
    func
        `a sink whose receiver can do no more than take records keeps the laws, and the report says which were left out`()
        async throws
    {
        var bench = InMemoryReceiver().bench { receiver, _ in Lines(receiver: receiver) }
        bench.capabilities = []
        let report = try await SinkLaws(bench).report()
        #expect(report.violations == [])
        let left = report.findings.filter { $0.verdict == .notExamined }.map(\.law)
        #expect(
            left == [
                SinkLaws.refusalIsTold, SinkLaws.cancellationEndsDelivery, SinkLaws.downIsRetry, SinkLaws.recovers,
            ])
        #expect(report.description.contains("kept: records arrive in order: 8 records"))
        #expect(report.description.contains("not examined: a refusal is told: the receiver knows no refusal"))
    }

    @Test
    func `what it can do is examined all the same`() async throws {
        var bench = InMemoryReceiver().bench { receiver, _ in Lines(receiver: receiver, forgets: true) }
        bench.capabilities = []
        let report = try await SinkLaws(bench).report()
        #expect(report.violations.map(\.law).contains(SinkLaws.settledIsReceived))
        #expect(report.description.contains("VIOLATED: settled means received"))
    }
}
