import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated
import TrackEngineTestKit

/// Receivers that dislike some records or all of them, from the store through the delivery.
@Suite("Records that a receiver does not take")
struct PoisonTests {
    private static func harness(
        _ sink: ScriptedSink, _ sync: SyncConfiguration = SyncConfiguration()
    ) throws -> TrackerHarness {
        try TrackerHarness(sinks: [SinkBinding(sink, sync: sync)]) {
            $0.distanceFilter = 0
            $0.neverRest()
        }
    }

    /// Feeds a fix each second, all at once: the first, with which motion begins, would be sent alone otherwise, and the
    /// others might stay below the threshold.
    private static func feed(_ seconds: Range<Int>, to harness: TrackerHarness) async throws {
        let fixes = seconds.map { Road.fix(Double($0), metres: Double($0)) }
        try await harness.source.output().emit(contentsOf: fixes)
    }

    /// A receiver that fails in one way on all deliveries with a poison record.
    private static func sink(
        _ recovery: DeliveryError.Recovery, poison: Set<Int64>
    ) -> ScriptedSink {
        ScriptedSink(then: { batch in
            batch.records.contains { poison.contains($0.sequence.rawValue) }
                ? .fail(DeliveryError(recovery, "HTTP 599: no such place")) : .settle
        })
    }

    @Test func `a newest record that is rejected beside others, as what is current, makes none of them dead`()
        async throws
    {
        let poison: Int64 = 60
        let sink = ScriptedSink(then: { batch in
            let all = batch.records + [batch.current].compactMap(\.self)
            return all.contains { $0.sequence.rawValue == poison }
                ? .fail(DeliveryError(.rejected, "HTTP 400: bad record")) : .settle
        })
        let harness = try Self.harness(sink, SyncConfiguration(syncThreshold: 60, maxBatchSize: 5))
        try await harness.run {
            try await Self.feed(0..<60, to: harness)
            try await harness.letTimePass(until: "the good ones are settled") {
                await harness.sync(sink.id).delivered == 59
            }
            try await Self.feed(60..<61, to: harness)
            await eventually("nothing waits") {
                await harness.tracker.sync()
                return await harness.sync(sink.id).queued == 0
            }
        }
        #expect(try await harness.tracker.deadLetters().map(\.record.sequence.rawValue) == [poison])
    }

    /// A sink of events, which are rare among the records.
    private struct EventSink: FixSink {
        let inner: ScriptedSink
        let kinds = RecordKinds.transition
        var id: SinkID { inner.id }

        func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt { try await inner.deliver(batch) }
    }

    @Test func `an event that is rejected holds no other one up, though most records are none of the sink's business`()
        async throws
    {
        let poison: Int64 = 33
        let sink = Self.sink(.rejected, poison: [poison])
        let harness = try TrackerHarness(
            sinks: [
                SinkBinding(EventSink(inner: sink), sync: SyncConfiguration(syncThreshold: 1000, maxBatchSize: 60))
            ],
            detector: RestingDetector()
        ) {
            $0.distanceFilter = 0
            $0.neverRest()
        }
        try await harness.run {
            try await Self.feed(0..<300, to: harness)
            try await harness.letTimePass(until: "the good ones are settled") {
                await harness.sync(sink.id).delivered == 29
            }
        }
        #expect(try await harness.tracker.deadLetters().map(\.record.sequence.rawValue) == [poison])
        let tries = sink.deliveries.count { $0.records.contains { $0.sequence.rawValue == poison } }
        #expect(tries <= 8, "\(tries)")
    }

    static let recoveries: [DeliveryError.Recovery] = [.rejected, .smaller, .retry(evidence: .failure)]

    @Test(arguments: recoveries)
    func `the first record alone in its batch is found, and all others are delivered`(
        _ recovery: DeliveryError.Recovery
    ) async throws {
        let sink = Self.sink(recovery, poison: [1])
        let harness = try Self.harness(sink)
        try await harness.run {
            try await Self.feed(0..<1, to: harness)
            await sink.deliveries(atLeast: 1)
            try await Self.feed(1..<81, to: harness)
            try await harness.letTimePass(until: "nothing waits") { await harness.sync(sink.id).queued == 0 }
            #expect(await harness.sync(sink.id).delivered == 80)
        }
        let letters = try await harness.tracker.deadLetters()
        #expect(letters.map(\.record.sequence.rawValue) == [1])
        #expect(letters.first?.reason == "HTTP 599: no such place")
    }

    @Test(arguments: recoveries, [1, 4])
    func `where only the newest records are taken, they serve as controls again and again`(
        _ recovery: DeliveryError.Recovery, _ good: Int64
    ) async throws {
        let sink = Self.sink(recovery, poison: Set(1...60 - good))
        let run = try await QueueRun(60, to: sink, batchSize: 20)
        try await run.untilDelivered()
        #expect(try await run.dead().map(\.record.sequence.rawValue) == Array(1...60 - good))
        #expect(await run.harness.sync(sink.id).delivered == Int(good))
    }

    @Test(arguments: recoveries, [1, 2, 250])
    func `poison records beside each other, at both ends and the newest are found, and nothing else is dead`(
        _ recovery: DeliveryError.Recovery, _ batchSize: Int
    ) async throws {
        let poison: Set<Int64> = [1, 2, 57, 58, 59, 99, 100]
        let sink = Self.sink(recovery, poison: poison)
        let harness = try Self.harness(sink, SyncConfiguration(syncThreshold: 100, maxBatchSize: batchSize))
        try await harness.run {
            try await Self.feed(0..<100, to: harness)
            try await harness.letTimePass(until: "the good ones are settled") {
                let state = await harness.sync(sink.id)
                return state.delivered >= 93 && (state.queued == 0 || state.tried > 2)
            }
            // The last poison records may have no good one left beside them: the next one shows what is wrong.
            try await Self.feed(100..<101, to: harness)
            await eventually("nothing waits") {
                await harness.tracker.sync()
                return await harness.sync(sink.id).queued == 0
            }
        }
        let dead = try await harness.tracker.deadLetters().map(\.record.sequence.rawValue)
        #expect(Set(dead) == poison)
        var seen: Set<Int64> = []
        for batch in sink.deliveries where batch.records.allSatisfy({ !poison.contains($0.sequence.rawValue) }) {
            for record in batch.records { seen.insert(record.sequence.rawValue) }
        }
        #expect(seen == Set(1...101).subtracting(poison))
    }

    @Test(arguments: recoveries)
    func `a receiver that takes nothing costs no record, and few deliveries`(
        _ recovery: DeliveryError.Recovery
    ) async throws {
        let sink = ScriptedSink(then: { _ in .fail(DeliveryError(recovery, "HTTP 599: no such host")) })
        let harness = try Self.harness(sink)
        try await harness.run {
            try await Self.feed(0..<120, to: harness)
            let start = harness.clock.now
            await eventually("an hour is over") {
                harness.clock.advance(by: .seconds(30))
                return harness.clock.now.offset - start.offset > .seconds(3600)
            }
            let state = await harness.sync(sink.id)
            #expect(state.queued == 120 && state.refused == 0 && state.delivered == 0)
            #expect(state.failure?.contains("HTTP 599: no such host") == true)
            #expect(state.lastSuccess == nil)
        }
        #expect(try await harness.tracker.deadLetters() == [])
        #expect(sink.deliveries.count < 100)
    }

    @Test
    func `a refusal of everything is a pause that says so, and a sync by hand ends it at once`() async throws {
        let sink = ScriptedSink(
            Array(repeating: .fail(DeliveryError(.rejected, "HTTP 400: no such host")), count: 30))
        let harness = try Self.harness(sink)
        try await harness.run {
            try await Self.feed(0..<40, to: harness)
            await eventually("a pause") { await harness.sync(sink.id).activity == .paused }
            expectMessage(await harness.sync(sink.id).failure)
            #expect(await harness.sync(sink.id).tried == 1)
            #expect(sink.deliveries.count < 15)
            await eventually("delivered by hand, without any time that passes") {
                await harness.tracker.sync()
                return await harness.sync(sink.id).queued == 0
            }
        }
        #expect(try await harness.tracker.deadLetters() == [])
    }

    @Test
    func `a receiver that refuses each record of a receipt kills none until it takes one`() async throws {
        let sink = ScriptedSink(then: { batch in
            .refuse(Dictionary(uniqueKeysWithValues: batch.records.map { ($0.id, "0x95: packet too large") }))
        })
        let harness = try Self.harness(sink)
        try await harness.run {
            try await Self.feed(0..<100, to: harness)
            await eventually("a pause") { await harness.sync(sink.id).activity == .paused }
            #expect(await harness.sync(sink.id).refused == 0)
            #expect(await harness.sync(sink.id).lastSuccess == nil)
            #expect(sink.deliveries.reduce(0) { $0 + $1.records.count } < 110)
        }
        #expect(try await harness.tracker.deadLetters() == [])
        #expect(try await harness.store.backlog(of: sink.id).count == 100)
    }

    @Test
    func `records that a receipt refuses alone are dead once the receiver takes another`() async throws {
        let sink = ScriptedSink(then: { batch in
            let poison = batch.records.filter { $0.sequence.rawValue <= 4 }
            return .refuse(Dictionary(uniqueKeysWithValues: poison.map { ($0.id, "0x99 for \($0.sequence)") }))
        })
        let harness = try Self.harness(sink, SyncConfiguration(syncThreshold: 20, maxBatchSize: 4))
        try await harness.run {
            try await Self.feed(0..<20, to: harness)
            await eventually("nothing waits") { await harness.sync(sink.id).queued == 0 }
        }
        let letters = try await harness.tracker.deadLetters()
        #expect(letters.map(\.record.sequence.rawValue) == [1, 2, 3, 4])
        #expect(letters.map(\.reason) == (1...4).map { "0x99 for \($0)" })
        #expect(await harness.sync(sink.id).lastRefusal == "0x99 for 4")
    }

    /// What a receiver has done in a random run.
    private struct Journal {
        var random: SplitMix64
        var taken: Set<Int64> = []
        var lost = 0
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random poison, statuses and lost replies: nothing good is dead, nothing is lost, within the bound`(
        _ seed: UInt64
    ) async throws {
        var random = SplitMix64(seed: seed)
        let count = Int64.random(in: 1...60, using: &random)
        let size = [1, 2, 7, 40, 250].randomElement(using: &random) ?? 1
        let share = Int.random(in: 0...30, using: &random)
        var chosen: [Int64: DeliveryError.Recovery] = [:]
        for sequence in 1...count where Int.random(in: 0..<100, using: &random) < share {
            chosen[sequence] = Self.recoveries.randomElement(using: &random) ?? .rejected
        }
        let poison = chosen
        let journal = Mutex(Journal(random: random))
        let sink = ScriptedSink(then: { batch in
            let sequences = batch.records.map(\.sequence.rawValue)
            if let bad = sequences.lazy.compactMap({ poison[$0] }).first { return .fail(DeliveryError(bad, "no")) }
            return journal.withLock { journal in
                journal.taken.formUnion(sequences)
                guard Int.random(in: 0..<20, using: &journal.random) == 0 else { return .settle }
                journal.lost += 1
                return .fail(DeliveryError(.retry(), "the reply is lost"))
            }
        })
        let store = InMemoryFixStore()
        _ = try await store.append(
            SampleRecords.records(count: Int(count)).map(\.draft), checkpoint: nil)
        let harness = try TrackerHarness(
            store: store, sinks: [SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1, maxBatchSize: size))])
        try await harness.run {
            try await eventually("nothing good waits") {
                harness.clock.advance(by: .seconds(20))
                let waiting = try await store.nextBatch(for: sink.id, limit: Int(count))?.records ?? []
                let isOnlyPoison = waiting.allSatisfy { poison[$0.sequence.rawValue] != nil }
                return waiting.isEmpty
                    || (isOnlyPoison && journal.withLock { $0.taken.count } == Int(count) - poison.count)
            }
        }
        let dead = try await store.deadLetters(of: sink.id).map(\.record.sequence.rawValue)
        #expect(dead.allSatisfy { poison[$0] != nil })
        #expect(journal.withLock { $0.taken } == Set(1...count).subtracting(poison.keys))
        let waiting = try await store.nextBatch(for: sink.id, limit: Int(count))?.records ?? []
        #expect(Set(dead).union(waiting.map(\.sequence.rawValue)) == Set(poison.keys))
        var (power, logarithm) = (1, 0)
        while power < min(size, Int(count)) { (power, logarithm) = (power * 2, logarithm + 1) }
        let batches = (Int(count) + size - 1) / size
        // Each costs its proof; a failure without a refusal is tried three times first and proven twice; a lost reply costs
        // what it interrupted.
        let failing = poison.values.count { $0 == .retry(evidence: .failure) }
        let lost = journal.withLock { $0.lost }
        #expect(
            sink.deliveries.count <= batches + poison.count * (logarithm + 5) + failing * 4 + (lost + 1)
                * (logarithm + 8),
            "\(poison.count) of \(count), \(size) a batch, \(lost) replies lost")
    }

    @Test
    func `a record taken ahead of its turn is settled in its turn and not sent again`() async throws {
        let sink = Self.sink(.rejected, poison: [1])
        let harness = try Self.harness(sink, SyncConfiguration(syncThreshold: 10, maxBatchSize: 3))
        try await harness.run {
            try await Self.feed(0..<10, to: harness)
            await eventually("nothing waits") { await harness.sync(sink.id).queued == 0 }
        }
        let taken = sink.deliveries.map { $0.records.map(\.sequence.rawValue) }.filter { !$0.contains(1) }.flatMap {
            $0
        }
        #expect(Set(taken) == Set(2...10))
        #expect(taken.count == 9)
    }

    @Test
    func `the reason of a refusal is shown no longer once the receiver has taken records for ten minutes`() async throws
    {
        let sink = Self.sink(.rejected, poison: [1])
        let harness = try Self.harness(sink, SyncConfiguration(syncThreshold: 1))
        try await harness.run {
            try await Self.feed(0..<10, to: harness)
            await eventually("one is dead") { await harness.sync(sink.id).refused == 1 }
            #expect(await harness.sync(sink.id).lastRefusal == "HTTP 599: no such place")
            harness.clock.advance(by: .seconds(601))
            try await Self.feed(700..<701, to: harness)
            await eventually("the reason is old") { await harness.sync(sink.id).lastRefusal == nil }
            #expect(await harness.sync(sink.id).refused == 1)
        }
    }
}
