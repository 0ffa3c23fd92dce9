import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct TrackerDeliveryTests {
    /// Fixes of which each is recorded: a metre a second without a distance filter.
    static func feed(_ seconds: Range<Int>, to harness: TrackerHarness) async throws {
        for second in seconds { try await harness.source.feed(Road.fix(Double(second), metres: Double(second))) }
    }

    static func harness(
        _ sinks: [SinkBinding], store: any FixStore = InMemoryFixStore()
    ) throws -> TrackerHarness {
        try TrackerHarness(store: store, sinks: sinks) {
            $0.distanceFilter = 0
            $0.neverRest()
        }
    }

    @Test
    func `a motion change goes out at once, others wait for the threshold`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 5))])
        try await harness.run {
            try await Self.feed(0..<1, to: harness)
            await eventually("the first is settled") { await harness.sync("recording").delivered == 1 }
            try await Self.feed(1..<5, to: harness)
            #expect(await harness.sync("recording").queued == 4)
            try await Self.feed(5..<6, to: harness)
            await sink.records(atLeast: 6)
            #expect(sink.batches.map(\.records.count) == [1, 5])
        }
    }

    @Test
    func `a sink is shown the newest fix though it is undecided, and told so of a backlog only where there is one`()
        async throws
    {
        let sink = RecordingSink()
        let harness = try TrackerHarness(sinks: [SinkBinding(sink)]) {
            ($0.record, $0.maximumInterval) = (.deviation, .zero)
        }
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            await sink.records(atLeast: 1)
            let first = try #require(sink.batches.first)
            #expect(first.records.map(\.fix) == [Road.fix(0)])
            #expect(first.current?.fix == Road.fix(2, metres: 20))
            #expect(first.current?.cause == .requested)
            #expect(!first.isBacklog)
        }
        // The stop decided, so nothing is newer than the last record.
        #expect(sink.records.map(\.fix) == [Road.fix(0), Road.fix(2, metres: 20)])
        #expect(sink.batches.last?.current == nil)
    }

    @Test
    func `a sync decides what is undecided and sends it`() async throws {
        let sink = RecordingSink()
        let harness = try TrackerHarness(sinks: [SinkBinding(sink)]) {
            ($0.record, $0.maximumInterval) = (.deviation, .zero)
        }
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            await harness.tracker.sync()
            #expect(sink.records.map(\.fix) == [Road.fix(0), Road.fix(2, metres: 20)])
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `whoever waits for a sync can give it up, while the sink hangs`() async throws {
        let sink = ScriptedSink([.hang])
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run {
            try await Self.feed(0..<1, to: harness)
            await sink.deliveries(atLeast: 1)
            let sync = Task { await harness.tracker.sync() }
            sync.cancel()
            await sync.value
            #expect(await harness.sync(sink.id).queued == 1)
        }
    }

    @Test
    func `stopping sends what is left, in order`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run { try await Self.feed(0..<8, to: harness) }
        #expect(sink.records.map(\.sequence.rawValue) == Array(1...8))
        #expect(try await harness.store.backlog(of: "recording").count == 0)
    }

    @Test
    func `a sink that hangs does not keep a stop longer than the flush may take`() async throws {
        let sink = ScriptedSink([.hang])
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run {
            try await Self.feed(0..<1, to: harness)
            await sink.deliveries(atLeast: 1)
        }
        #expect(harness.clock.now.offset < .seconds(60))
        #expect(try await harness.store.backlog(of: sink.id).count == 1)
    }

    @Test
    func `a retry falls due by itself and is the same batch, though records have come since`() async throws {
        let sink = ScriptedSink([
            .fail(DeliveryError(.retry(), "down")), .fail(DeliveryError(.retry(after: .seconds(40)), "busy")),
        ])
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run {
            try await Self.feed(0..<1, to: harness)
            await sink.deliveries(atLeast: 1)
            try await Self.feed(1..<20, to: harness)
            await eventually("backing off") { await harness.sync(sink.id).activity == .backingOff }
            #expect(await harness.sync(sink.id).tried == 1)
            #expect(await harness.sync(sink.id).nextDue == Road.start.advanced(by: .seconds(1)))
            try await harness.letTimePass(until: "the second attempt") { sink.deliveries.count >= 2 }
            await eventually("backing off") { await harness.sync(sink.id).tried == 2 }
            let failed = try #require(await harness.sync(sink.id).lastFailure)
            await eventually("a due time") {
                await harness.sync(sink.id).nextDue == failed.advanced(by: .seconds(40))
            }
            try await harness.letTimePass(until: "all delivered") { await harness.sync(sink.id).queued == 0 }
        }
        #expect(sink.deliveries[0] == sink.deliveries[1])
        #expect(sink.deliveries[1] == sink.deliveries[2])
        #expect(sink.deliveries[3].records.map(\.sequence.rawValue) == Array(2...20))
    }

    @Test
    func `two sinks have cursors of their own`() async throws {
        let good = RecordingSink(id: "good")
        let bad = ScriptedSink(
            id: "bad", Array(repeating: .fail(DeliveryError(.needsOperator, "401: not this token")), count: 100))
        let sync = SyncConfiguration(syncThreshold: 1)
        let harness = try Self.harness([SinkBinding(good, sync: sync), SinkBinding(bad, sync: sync)])
        try await harness.run {
            try await Self.feed(0..<13, to: harness)
            await eventually("the good one has all") { await harness.sync("good").queued == 0 }
            await eventually("the bad one pauses") { await harness.sync("bad").activity == .paused }
            #expect(await harness.sync("bad").failure == "401: not this token")
        }
        #expect(good.records.count == 13)
        #expect(try await harness.store.backlog(of: "bad").count == 13)
    }

    @Test
    func `the record that a receiver refuses becomes a dead letter, and the rest goes on in order`() async throws {
        let poison = RecordID(device: "van-7", source: "fed", fix: Road.fix(5, metres: 5), cause: .distance)
        let sink = ScriptedSink(then: { batch in
            batch.records.contains { $0.id == poison }
                ? .fail(DeliveryError(.rejected, "422: no such place")) : .settle
        })
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 1))])
        try await harness.run {
            try await Self.feed(0..<16, to: harness)
            // A record that is refused alone, before others have gone through, is tried again later.
            try await harness.letTimePass(until: "all settled") { await harness.sync(sink.id).queued == 0 }
            #expect(await harness.sync(sink.id).refused == 1)
        }
        let letters = try await harness.tracker.deadLetters()
        #expect(letters.map(\.record.id) == [poison])
        #expect(letters.first?.reason == "422: no such place")
        #expect(try await harness.tracker.requeueDeadLetters(DeadLetterSelection()) == 1)
        #expect(try await harness.store.backlog(of: sink.id).count == 1)
    }

    @Test
    func `more than a batch in the queue carries the newest record along`() async throws {
        let sink = RecordingSink()
        let store = InMemoryFixStore()
        let offline = try Self.harness([], store: store)
        try await offline.run { try await Self.feed(0..<10, to: offline) }
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(maxBatchSize: 4))], store: store)
        try await harness.run { await sink.records(atLeast: 10) }
        #expect(sink.batches.map { $0.current?.sequence.rawValue } == [10, 10, nil])
    }

    @Test
    func `without autoSync nothing is sent until somebody asks`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(autoSync: false))])
        try await harness.run {
            try await Self.feed(0..<20, to: harness)
            #expect(sink.batches.isEmpty)
            await harness.tracker.sync()
            #expect(sink.records.count == 20)
            try await Self.feed(20..<21, to: harness)
        }
        #expect(sink.records.count == 20)
    }

    @Test
    func `a settlement that the store cannot keep is tried again with the same batch`() async throws {
        let store = FailingStore()
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink)], store: store)
        try await harness.run {
            try await Self.feed(0..<1, to: harness)
            await eventually("delivered") { await harness.sync(sink.id).delivered == 1 }
            try await Self.feed(1..<12, to: harness)
            store.fail(with: StoreError(.inputOutput, "disk gone"))
            async let synced: Void = harness.tracker.sync()
            await sink.records(atLeast: 12)
            await eventually("the failure shows") { await harness.sync(sink.id).failure != nil }
            store.fail(with: nil)
            await synced
            try await harness.letTimePass(until: "settled") { await harness.sync(sink.id).queued == 0 }
        }
        #expect(sink.batches.count == 3)
        #expect(sink.batches[1] == sink.batches[2])
    }

    @Test
    func `a new configuration is applied without losing a record`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 100))])
        try await harness.run {
            try await Self.feed(0..<5, to: harness)
            var wider = RecordingConfiguration.calmGeo
            wider.distanceFilter = 10
            try await harness.tracker.reconfigure(wider, sync: [sink.id: SyncConfiguration(syncThreshold: 1)])
            try await Self.feed(5..<16, to: harness)
            await sink.records(atLeast: 6)
            var impossible = wider
            impossible.stationaryRadius = -1
            await #expect(throws: ConfigurationError.self) { try await harness.tracker.reconfigure(impossible) }
        }
        #expect(try await harness.stored().suffix(2) == ["4: distance, moves", "15: distance, moves"])
        #expect(sink.records.count == 6)
    }

    @Test
    func `the service's other calls: current fix, stored records, clear`() async throws {
        let harness = try Self.harness([])
        try await harness.run {
            #expect(try await harness.tracker.currentFix() == nil)
            try await Self.feed(0..<3, to: harness)
            #expect(try await harness.tracker.currentFix() == Road.fix(2, metres: 2))
            #expect(try await harness.tracker.currentFix(recording: true) == Road.fix(2, metres: 2))
            #expect(try await harness.tracker.storedCount() == 4)
            let page = try await harness.tracker.storedRecords(after: RecordSequence(rawValue: 2), limit: 2)
            #expect(page.map(\.cause) == [.distance, .requested])
            try await harness.tracker.clear()
            #expect(try await harness.tracker.storedCount() == 0)
        }
    }
}
