import Synchronization
import Testing
import TrackEngine
import TrackEngineTestKit

/// Receivers that say nothing about the record that they fail over.
@Suite("Records without a verdict", .serialized, .timeLimit(.minutes(30)))
struct UnansweredTests {
    static let recoveries: [DeliveryError.Recovery] = [
        .retry(evidence: .silence), .retry(after: .seconds(2), evidence: .silence), .needsOperator,
        .retry(evidence: .timeout),
    ]

    private static func sink(_ recovery: DeliveryError.Recovery, poison: Set<Int64>) -> ScriptedSink {
        ScriptedSink(then: { batch in
            batch.records.contains { poison.contains($0.sequence.rawValue) }
                ? .fail(DeliveryError(recovery, "it closed the connection")) : .settle
        })
    }

    @Test(arguments: recoveries, [1, 20, 250])
    func `one record over which the receiver gives no answer is found, and all others are delivered`(
        _ recovery: DeliveryError.Recovery, _ batchSize: Int
    ) async throws {
        let run = try await QueueRun(60, to: Self.sink(recovery, poison: [7, 8, 40]), batchSize: batchSize)
        try await run.untilDelivered()
        let letters = try await run.dead()
        #expect(letters.map(\.record.sequence.rawValue) == [7, 8, 40])
        #expect(
            letters.allSatisfy {
                $0.reason.hasSuffix(" times, while other records were taken: it closed the connection")
            })
        #expect(await run.harness.sync(run.sink.id).delivered == 57)
    }

    @Test func `when the queue has nothing but the portion, one of its own records is the control`() async throws {
        let run = try await QueueRun(3, to: Self.sink(.retry(evidence: .silence), poison: [2]))
        try await run.untilDelivered()
        #expect(try await run.dead().map(\.record.sequence.rawValue) == [2])
    }

    @Test func `a record that waits alone is kept until another comes`() async throws {
        let run = try await QueueRun(1, to: Self.sink(.retry(evidence: .silence), poison: [1]))
        try await run.forTime(.seconds(7200))
        #expect(try await run.dead() == [])
        #expect(try await run.harness.store.backlog(of: run.sink.id).count == 1)
    }

    @Test(arguments: [[7], [7, 12], [7, 8, 12, 20]] as [Set<Int64>])
    func `records that are refused beside others, and with a pause where no other is, are found at once`(
        _ poison: Set<Int64>
    ) async throws {
        let sink = ScriptedSink(then: { batch in
            let bad = batch.records.filter { poison.contains($0.sequence.rawValue) }
            if bad.count == batch.records.count { return .fail(DeliveryError(.needsOperator, "not authorized")) }
            return .refuse(Dictionary(uniqueKeysWithValues: bad.map { ($0.id, "not authorized") }))
        })
        let run = try await QueueRun(60, to: sink, batchSize: 20)
        try await run.untilDelivered()
        #expect(try await run.dead().map(\.record.sequence.rawValue) == poison.sorted())
        #expect(run.harness.clock.now.offset < SyncStateMachine.pause.first, "nothing waits for a person")
    }

    @Test(arguments: recoveries)
    func `an outage costs no delivery beyond those that the back-off makes, and no record`(
        _ recovery: DeliveryError.Recovery
    ) async throws {
        let down = ScriptedSink(then: { _ in .fail(DeliveryError(recovery, "HTTP 502")) })
        let silent = try await QueueRun(100, to: down)
        try await silent.forTime(.seconds(7200))
        #expect(try await silent.dead() == [])
        let plain: DeliveryError.Recovery = recovery == .needsOperator ? .needsOperator : .retry()
        let refused = try await QueueRun(
            100, to: ScriptedSink(then: { _ in .fail(DeliveryError(plain, "no connection")) }))
        try await refused.forTime(.seconds(7200))
        // Two runs of the same clock may differ by the last delivery.
        #expect(silent.cost.requests <= refused.cost.requests + 1)
    }

    @Test func `the sixth delivery carries a control in place of the batch, and later ones come ever more rarely`() {
        var search = PoisonRecordSearch()
        var controls: [Int] = []
        for delivery in 1...60 {
            let portion = search.portion(of: 100)
            if case .control = portion { controls.append(delivery) }
            #expect(search.rejected(portion, .unanswered) == .backOff)
        }
        #expect(controls == [6, 11, 21, 41])
    }

    @Test func `after a control that was taken the whole portion is tried again before it is halved`() {
        var search = PoisonRecordSearch()
        for _ in 1...5 { #expect(search.rejected(.first(100), .unanswered) == .backOff) }
        #expect(search.portion(of: 100) == .control(accused: 100, tried: 0))
        #expect(search.taken(1) == .goOn)
        #expect(search.portion(of: 99) == .first(99))
        var mended = search
        #expect(mended.taken(100) == .goOn && mended.isCalm)
        #expect(search.rejected(.first(99), .unanswered) == .goOn)
        #expect(search.portion(of: 99) == .first(49))
    }

    @Test func `a client that is turned away during a search for another reason waits as in any pause`() {
        var search = PoisonRecordSearch()
        #expect(search.rejected(.first(16), .refused) == .goOn)
        #expect(search.rejected(.first(8), .paused) == .backOff)
        #expect(search.portion(of: 16) == .first(8))
    }
}
