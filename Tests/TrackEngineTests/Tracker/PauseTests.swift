import TestSupport
import Testing
import TrackEngine
import TrackEngineSimulated
import TrackEngineTestKit

/// Nothing is tracked and nothing is sent in a pause.
@Suite struct PauseTests {
    private static func harness(
        _ sinks: [SinkBinding] = [], store: any FixStore = InMemoryFixStore(), source: FedSource = FedSource(),
        _ change: (inout RecordingConfiguration) -> Void = { _ in }
    ) throws -> TrackerHarness {
        try TrackerHarness(store: store, sinks: sinks, source: source) {
            $0.distanceFilter = 0
            $0.neverRest()
            change(&$0)
        }
    }

    @Test
    func `fixes are dropped and counted, and shown to nobody`() async throws {
        let harness = try Self.harness()
        let decisions = harness.tracker.decisions()
        try await harness.run {
            try await TrackerDeliveryTests.feed(0..<3, to: harness)
            let pause = await harness.tracker.pause()
            #expect(pause.end == nil)
            try await TrackerDeliveryTests.feed(3..<8, to: harness)
            let status = await harness.tracker.status()
            #expect(status.pause == pause)
            #expect(status.sources.first?.rejections(.paused) == 5)
            #expect(status.sources.first?.fixes == 8)
            #expect(status.sources.first?.latest == nil, "nobody is told where the object is")
        }
        var shown = 0
        for await _ in decisions { shown += 1 }
        #expect(shown == 3)
        #expect(try await harness.stored().count == 3)
    }

    @Test
    func `the first fix afterwards begins a leg, and the way in between is in no odometer`() async throws {
        let harness = try Self.harness()
        try await harness.run {
            for second in 0...10 {
                try await harness.source.feed(Road.fix(Double(second), metres: Double(second) * 20))
            }
            let before = await harness.tracker.status().sources.first?.odometer ?? 0
            #expect(before > 150)
            await harness.tracker.pause()
            try await harness.source.feed(Road.fix(11, metres: 5000))
            await harness.tracker.resume()
            try await harness.source.feed(Road.fix(12, metres: 10_000))
            #expect(await harness.tracker.status().sources.first?.odometer == before)
            try await harness.source.feed(Road.fix(13, metres: 10_020))
            let after = await harness.tracker.status().sources.first?.odometer ?? 0
            #expect((15...25).contains(after - before))
        }
        #expect(try await harness.stored()[11] == "12: resumed, moves")
    }

    @Test
    func `an object that was parked before the pause and is elsewhere afterwards has driven nothing`() async throws {
        let harness = try TrackerHarness { $0.standbyAfter = .zero }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            for second in [20, 40, 59] {
                harness.clock.advance(by: .seconds(20))
                try await harness.source.feed(Road.fix(Double(second)))
            }
            try await harness.letTimePass(until: "it rests") { try await harness.stored().count == 2 }
            await harness.tracker.pause()
            await harness.tracker.resume()
            try await harness.source.feed(Road.fix(7200, metres: 50_000))
            #expect(await harness.tracker.status().sources.first?.odometer == 0)
        }
        #expect(try await harness.stored().contains("7200: resumed, moves"))
    }

    @Test
    func `what is undecided is recorded when the pause begins`() async throws {
        let harness = try TrackerHarness { ($0.record, $0.maximumInterval) = (.deviation, .zero) }
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            await harness.tracker.pause()
            #expect(try await harness.stored() == ["0: first, moves", "2: deviation, moves"])
        }
    }

    @Test
    func `no timer makes a record`() async throws {
        let harness = try TrackerHarness()
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            for second in [20, 40, 59] {
                harness.clock.advance(by: .seconds(second == 59 ? 19 : 20))
                try await harness.source.feed(Road.fix(Double(second)))
            }
            await harness.tracker.pause(for: .seconds(3600))
            for _ in 0..<59 { harness.clock.advance(by: .seconds(60)) }
            #expect(harness.tracker.isPaused)
            #expect(try await harness.stored() == ["0: first, moves"])
        }
    }

    @Test
    func `it ends by itself at its time`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run {
            let pause = await harness.tracker.pause(for: .seconds(7200))
            #expect(pause.end == pause.since.advanced(by: .seconds(7200)))
            try await harness.source.feed(Road.fix(0))
            for _ in 0..<119 { harness.clock.advance(by: .seconds(60)) }
            #expect(harness.tracker.isPaused)
            harness.clock.advance(by: .seconds(60))
            #expect(!harness.tracker.isPaused)
            try await harness.source.feed(Road.fix(7300))
            await sink.records(atLeast: 1)
        }
        #expect(sink.records.map(\.fix) == [Road.fix(7300)])
    }

    @Test(.timeLimit(.minutes(30)))
    func `on the real clock, too`() async throws {
        let source = FedSource()
        let store = InMemoryFixStore()
        let tracker = try Tracker.make(store: store, sources: [source])
        async let run: Void = tracker.run()
        let output = await source.output()
        await tracker.pause(for: .milliseconds(200))
        try await output.emit(Road.fix(0))
        await eventually("the pause ends") { !tracker.isPaused }
        try await output.emit(Road.fix(1))
        await tracker.stop()
        try await run
        #expect(try await store.records(after: .zero, limit: 9).map(\.cause) == [.resumed])
    }

    @Test
    func `what was accepted before waits, and comes in order afterwards`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 100))])
        try await harness.run {
            try await TrackerDeliveryTests.feed(0..<1, to: harness)
            await eventually("the first is settled") { await harness.sync("recording").delivered == 1 }
            try await TrackerDeliveryTests.feed(1..<6, to: harness)
            await harness.tracker.pause()
            await harness.tracker.sync()
            #expect(sink.records.count == 1)
            #expect(await harness.sync("recording").queued == 5)
            await harness.tracker.resume()
            await harness.tracker.sync()
        }
        let accepted = (0..<6).map { Road.fix(Double($0), metres: Double($0)) }
        #expect(sink.records.map(\.fix) == accepted)
    }

    @Test
    func `a delivery under way is ended, is no failure, and is made again`() async throws {
        let sink = ScriptedSink([.hang])
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run {
            try await TrackerDeliveryTests.feed(0..<1, to: harness)
            await sink.deliveries(atLeast: 1)
            await harness.tracker.pause()
            let state = await harness.sync(sink.id)
            #expect(state.tried == 0 && state.failure == nil && state.queued == 1)
            await harness.tracker.resume()
            await sink.deliveries(atLeast: 2)
            await eventually("it is settled") { await harness.sync(sink.id).delivered == 1 }
        }
    }

    @Test
    func `a wait after a failure goes on where it was`() async throws {
        let sink = ScriptedSink([.fail(DeliveryError(.retry(after: .seconds(600)), "busy"))])
        let harness = try Self.harness([SinkBinding(sink)])
        try await harness.run {
            try await TrackerDeliveryTests.feed(0..<1, to: harness)
            await eventually("it backs off") { await harness.sync(sink.id).activity == .backingOff }
            await harness.tracker.pause()
            await harness.tracker.resume()
            await eventually("it waits again") { await harness.sync(sink.id).nextDue != nil }
            #expect(await harness.sync(sink.id).tried == 1)
            #expect(sink.deliveries.count == 1)
        }
    }

    @Test
    func `asking where the object is, is refused`() async throws {
        let harness = try Self.harness()
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.pause()
            for recording in [false, true] {
                await #expect(throws: TrackerError.paused) {
                    _ = try await harness.tracker.currentFix(recording: recording)
                }
            }
        }
        #expect(try await harness.stored().count == 1)
    }

    @Test
    func `a stop in a pause sends nothing and does not wait`() async throws {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 100))])
        try await harness.run {
            try await TrackerDeliveryTests.feed(0..<1, to: harness)
            await eventually("the first is settled") { await harness.sync("recording").delivered == 1 }
            try await TrackerDeliveryTests.feed(1..<3, to: harness)
            await harness.tracker.pause()
        }
        #expect(sink.records.count == 1)
    }

    @Test
    func `after a crash in a pause the next run begins a new leg, and the odometer goes on`() async throws {
        let store = InMemoryFixStore()
        let first = try Self.harness(store: store)
        try await first.crash {
            for second in 0...10 {
                try await first.source.feed(Road.fix(Double(second), metres: Double(second) * 20))
            }
            await first.tracker.pause()
        }
        let odometer = try await store.records(after: .zero, limit: 99).last?.odometer
        let second = try Self.harness(store: store)
        await second.tracker.pause()
        try await second.run {
            await second.tracker.resume()
            try await second.source.feed(Road.fix(100, metres: 50_000))
        }
        let last = try await store.records(after: .zero, limit: 99).last
        #expect(last?.cause == .resumed)
        #expect(last?.odometer == odometer)
    }

    @Test
    func `a recording waits and loses nothing`() async throws {
        let harness = try Self.harness(source: FedSource(timeBase: .fixTime))
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            await harness.tracker.pause()
            async let fed: Void = harness.source.feed(Road.fix(1, metres: 20), Road.fix(2, metres: 40))
            await harness.tracker.resume()
            try await fed
        }
        #expect(try await harness.stored().count == 3)
    }

    @Test(arguments: 1...20)
    func `with random pauses no record lies in one, and what was accepted arrives in order`(_ seed: UInt64) async throws
    {
        let sink = RecordingSink()
        let harness = try Self.harness([SinkBinding(sink, sync: SyncConfiguration(syncThreshold: 3))]) {
            configuration in
            var random = SplitMix64(seed: seed)
            configuration.record = RecordingRule.allCases.randomElement(using: &random) ?? .distance
        }
        var inside: Set<Int> = []
        var random = SplitMix64(seed: seed)
        var steps: [(second: Int, isPaused: Bool)] = []
        var isPaused = false
        for second in 0..<120 {
            if Int.random(in: 0..<8, using: &random) == 0 { isPaused.toggle() }
            steps.append((second, isPaused))
            if isPaused { inside.insert(second) }
        }
        let plan = steps
        try await harness.run {
            for (second, isPaused) in plan {
                if isPaused != harness.tracker.isPaused {
                    if isPaused { await harness.tracker.pause() } else { await harness.tracker.resume() }
                }
                try await harness.source.feed(Road.fix(Double(second), metres: Double(second) * 7))
            }
            await harness.tracker.resume()
            await harness.tracker.sync()
        }
        let records = try await harness.store.records(after: .zero, limit: 1000)
        let seconds = records.map { Int($0.fix.time.duration(since: Road.start).components.seconds) }
        #expect(inside.isDisjoint(with: seconds))
        #expect(sink.records.map(\.sequence) == records.map(\.sequence))
        #expect(seconds == seconds.sorted())
    }
}
