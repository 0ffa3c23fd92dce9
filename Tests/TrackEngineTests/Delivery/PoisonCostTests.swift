import Testing
import TrackEngine
import TrackEngineTestKit

/// What it costs to find many records that a receiver does not take.
@Suite("The cost of poison", .serialized, .timeLimit(.minutes(30)))
struct PoisonCostTests {
    /// How often a record is poison, how the receiver rejects it, and what delivering the records may cost.
    struct Row: CustomTestStringConvertible, Sendable {
        let count: Int64
        let period: Int64
        let recovery: DeliveryError.Recovery
        let requests: Int
        let uploads: Int
        var testDescription: String { "one in \(period) of \(count): \(recovery)" }

        init(_ count: Int64, _ period: Int64, _ recovery: DeliveryError.Recovery, _ requests: Int, _ uploads: Int) {
            (self.count, self.period, self.recovery) = (count, period, recovery)
            (self.requests, self.uploads) = (requests, uploads)
        }
    }

    static let rows = [
        Row(126, 2, .rejected, 510, 800), Row(126, 2, .retry(evidence: .failure), 660, 1250),
        Row(126, 2, .retry(evidence: .silence), 1150, 2200),
        Row(300, 10, .rejected, 330, 1150), Row(300, 10, .retry(evidence: .failure), 340, 1750),
        Row(300, 10, .retry(evidence: .silence), 460, 2650),
        Row(586, 293, .rejected, 39, 1100), Row(586, 293, .retry(evidence: .failure), 42, 1650),
        Row(586, 293, .retry(evidence: .silence), 50, 2400),
    ]

    @Test(arguments: rows)
    func `many poison records cost few requests and uploads`(_ row: Row) async throws {
        let count = row.count
        let sink = ScriptedSink(then: { batch in
            batch.records.contains { $0.sequence.rawValue % row.period == row.period / 2 }
                ? .fail(DeliveryError(row.recovery, "HTTP 599")) : .settle
        })
        let run = try await QueueRun(Int(count), to: sink)
        try await run.untilDelivered()
        let poison = (1...count).filter { $0 % row.period == row.period / 2 }
        #expect(try await run.dead().map(\.record.sequence.rawValue) == poison)
        let cost = run.cost
        #expect(cost.requests <= row.requests && cost.uploads <= row.uploads, "\(cost)")
    }
}
