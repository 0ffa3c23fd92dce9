import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A sink whose receiver confirms records when the test says so; a delivery ends when all are confirmed.
private final class SlowSink: ProgressReporting {
    private struct State {
        var batches: [RecordBatch] = []
        var report: (@Sendable (Int) -> Void)?
        var news: AsyncStream<Int>.Continuation?
    }

    let id: SinkID = "slow"
    /// Fails a delivery of which so many records are confirmed.
    let failsAt: Int?
    private let state = Mutex(State())

    init(failsAt: Int? = nil) { self.failsAt = failsAt }

    var batches: [RecordBatch] { state.withLock { $0.batches } }

    func confirm(_ count: Int) {
        let (report, news) = state.withLock { ($0.report, $0.news) }
        report?(count)
        news?.yield(count)
    }

    func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        let (stream, news) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.batches.append(batch)
            (state.report, state.news) = (progress, news)
        }
        for await confirmed in stream {
            if confirmed == failsAt { throw DeliveryError(.retry(), "the connection is lost") }
            if confirmed >= batch.records.count { return .all(of: batch) }
        }
        throw DeliveryError(.retry(), "cancelled")
    }
}

/// A sink whose receiver confirms one record a delivery and then breaks the connection, so many times; then it is silent.
private final class BreakingSink: ProgressReporting {
    let id: SinkID = "breaking"
    private let breaks: Int
    private let begun = Mutex(0)

    init(breaks: Int) { self.breaks = breaks }

    var deliveries: Int { begun.withLock { $0 } }

    func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        let number = begun.withLock { begun in
            begun += 1
            return begun
        }
        if number <= breaks {
            progress(1)
        } else {
            try? await run()  // returns on cancellation, its only end
        }
        throw DeliveryError(.retry(), "the connection is lost")
    }
}

/// A sink whose receiver takes records one by one and refuses one of them.
private struct PickySink: ProgressReporting {
    let id: SinkID = "picky"
    let poison: Int64

    func deliver(
        _ batch: RecordBatch, reporting progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeliveryError) -> Receipt {
        for (index, record) in batch.records.enumerated() {
            guard record.sequence.rawValue != poison else { throw DeliveryError(.rejected, "code 7: bad record") }
            progress(index + 1)
        }
        return .all(of: batch)
    }
}

@Suite("Progress within a delivery", .timeLimit(.minutes(30)))
struct ProgressTests {
    private static func harness(_ sink: SlowSink, _ store: any FixStore) async throws -> TrackerHarness {
        _ = try await store.append(SampleRecords.records(count: 10).map(\.draft), checkpoint: nil)
        return try TrackerHarness(store: store, sinks: [SinkBinding(sink)])
    }

    @Test
    func `what is confirmed is settled while the delivery goes on, once a second, and not sent again after a crash`()
        async throws
    {
        let store = InMemoryFixStore()
        let sink = SlowSink()
        let harness = try await Self.harness(sink, store)
        try await harness.crash {
            await eventually("a delivery") { sink.batches.count == 1 }
            await harness.clock.sleepers(atLeast: 1)
            sink.confirm(4)
            #expect(try await store.backlog(of: sink.id).count == 10)
            try await harness.letTimePass(until: "the first four are settled") {
                try await store.backlog(of: sink.id).count == 6
            }
            await eventually("the state says so") { await harness.sync(sink.id).delivered == 4 }
        }
        #expect(try await store.nextBatch(for: sink.id, limit: 10)?.records.map(\.sequence.rawValue) == Array(5...10))
        let rest = RecordingSink(id: sink.id)
        let restarted = try TrackerHarness(store: store, sinks: [SinkBinding(rest)])
        try await restarted.run { await rest.records(atLeast: 6) }
        #expect(rest.records.map(\.sequence.rawValue) == Array(5...10))
    }

    @Test func `the rest is settled at the end of the delivery, each record once`() async throws {
        let store = InMemoryFixStore()
        let sink = SlowSink()
        let harness = try await Self.harness(sink, store)
        try await harness.run {
            await eventually("a delivery") { sink.batches.count == 1 }
            sink.confirm(3)
            try await harness.letTimePass(until: "three are settled") { await harness.sync(sink.id).delivered == 3 }
            sink.confirm(10)
            await eventually("nothing waits") { await harness.sync(sink.id).queued == 0 }
            #expect(await harness.sync(sink.id).delivered == 10)
        }
        #expect(sink.batches.count == 1)
    }

    @Test func `a delivery that fails on the way goes on behind what was confirmed`() async throws {
        let store = InMemoryFixStore()
        let sink = SlowSink(failsAt: 5)
        let harness = try await Self.harness(sink, store)
        try await harness.run {
            await eventually("a delivery") { sink.batches.count == 1 }
            sink.confirm(2)
            try await harness.letTimePass(until: "two are settled") { await harness.sync(sink.id).delivered == 2 }
            sink.confirm(5)
            try await harness.letTimePass(until: "another delivery") { sink.batches.count == 2 }
            sink.confirm(8)
            await eventually("nothing waits") {
                sink.confirm(10)
                return await harness.sync(sink.id).queued == 0
            }
        }
        // The last three confirmed may or may not have been settled when the delivery failed.
        let again = sink.batches[1].records.map(\.sequence.rawValue)
        #expect([Array(3...10), Array(6...10)].contains(again))
    }

    @Test func `a settlement that overtakes a count of the backlog is not lost to it`() async throws {
        let store = FailingStore()
        let sink = SlowSink()
        let harness = try await Self.harness(sink, store)
        try await harness.run {
            await eventually("a delivery") { sink.batches.count == 1 }
            store.hold(.backlog)
            let counting = Task { try await harness.tracker.requeueDeadLetters(DeadLetterSelection()) }
            await eventually("ten are counted") { store.heldCalls(.backlog) == 1 }
            sink.confirm(4)
            try await harness.letTimePass(until: "four are settled") { await harness.sync(sink.id).delivered == 4 }
            store.release(.backlog)
            _ = try await counting.value
            #expect(await harness.sync(sink.id).queued == 6)
            sink.confirm(10)
        }
    }

    @Test func `a count of the backlog that overtakes a settlement is not counted down again`() async throws {
        let store = FailingStore()
        let sink = SlowSink()
        let harness = try await Self.harness(sink, store)
        try await harness.run {
            await eventually("a delivery") { sink.batches.count == 1 }
            store.hold(.settle)
            sink.confirm(4)
            try await harness.letTimePass(until: "four are settled") { store.heldCalls(.settle) == 1 }
            _ = try await harness.tracker.requeueDeadLetters(DeadLetterSelection())
            #expect(await harness.sync(sink.id).queued == 6)
            store.release(.settle)
            await eventually("the state says so") { await harness.sync(sink.id).delivered == 4 }
            await eventually("six wait") { await harness.sync(sink.id).queued == 6 }
            sink.confirm(10)
        }
    }

    @Test func `on the system's clock, too, what is confirmed is settled before the delivery ends`() async throws {
        let store = InMemoryFixStore()
        _ = try await store.append(SampleRecords.records(count: 10).map(\.draft), checkpoint: nil)
        let sink = SlowSink()
        let tracker = try Tracker.make(store: store, sources: [], sinks: [SinkBinding(sink)]) {
            $0.wallClock = { SampleRecords.record(10).fix.time }
        }
        let run = Task { try await tracker.run() }
        await eventually("a delivery") { sink.batches.count == 1 }
        sink.confirm(4)
        try await eventually("four are settled") {
            try await store.backlog(of: sink.id).count == 6
        }
        run.cancel()
        _ = try? await run.value  // cancelled
        #expect(sink.batches.count == 1)
    }

    @Test func `a delivery that fails behind what it confirmed at once repeats none of it, and begins a new back-off`()
        async throws
    {
        let store = InMemoryFixStore()
        _ = try await store.append(SampleRecords.records(count: 10).map(\.draft), checkpoint: nil)
        let sink = BreakingSink(breaks: 5)
        let harness = try TrackerHarness(store: store, sinks: [SinkBinding(sink)])
        try await harness.crash {
            try await harness.letTimePass(until: "the sixth delivery") { sink.deliveries == 6 }
            #expect(await harness.sync(sink.id).delivered == 5)
            #expect(await harness.sync(sink.id).tried == 1, "not five in a row")
        }
    }

    @Test func `the last record of a portion, refused behind confirmed ones, is dead with the receiver's reason`()
        async throws
    {
        let store = InMemoryFixStore()
        _ = try await store.append(SampleRecords.records(count: 20).map(\.draft), checkpoint: nil)
        let sink = PickySink(poison: 5)
        let harness = try TrackerHarness(
            store: store, sinks: [SinkBinding(sink, sync: SyncConfiguration(maxBatchSize: 5))])
        try await harness.run {
            try await harness.letTimePass(until: "nothing waits") { await harness.sync(sink.id).queued == 0 }
        }
        #expect(try await store.deadLetters(of: sink.id).map(\.reason) == ["code 7: bad record"])
    }
}
