import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct TrackerIntakeTests {
    @Test
    func `emit returns when the record is stored`() async throws {
        let harness = try TrackerHarness()
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            #expect(try await harness.stored() == ["0: first, moves"])
        }
    }

    @Test
    func `rejected fixes are counted by reason and reported`() async throws {
        let harness = try TrackerHarness()
        try await harness.run {
            var decisions = harness.tracker.decisions().makeAsyncIterator()
            let island = Fix(time: Road.fix(3).time, coordinate: Coordinate(latitude: 0, longitude: 0))
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 5), island, Road.fix(1, metres: 100))
            let report = try #require(await harness.tracker.status().sources.first)
            #expect(report.fixes == 4)
            #expect(report.recorded == 1)
            #expect(report.rejections(.tooNear) == 1)
            #expect(report.rejections(.nullIsland) == 1)
            #expect(report.rejections(.duplicateTime) == 1)
            guard case .recorded? = await decisions.next() else {
                Issue.record("first a record")
                return
            }
            #expect(await decisions.next() == .rejected(fix: Road.fix(1, metres: 5), source: "fed", reason: .tooNear))
        }
    }

    @Test
    func `still and standby fall due on the clock though no further fix comes, and the source is asked for less`()
        async throws
    {
        let harness = try TrackerHarness()
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            harness.clock.advance(by: .seconds(40))
            try await harness.source.feed(Road.fix(40))
            try await harness.letTimePass(until: "still") { try await harness.stored().count == 2 }
            #expect(try await harness.stored() == ["0: first, moves", "40: still, rests"])
            let demand = await harness.source.output()
            #expect(demand.demand == .continuous)
            try await harness.letTimePass(until: "standby") { demand.demand == .occasional(every: .seconds(30)) }
            await eventually("the status says so") {
                await harness.tracker.status().sources.first?.isStandby == true
            }
            try await harness.source.feed(Road.fix(500, metres: 100))
            #expect(try await harness.stored().last == "500: departed, moves")
            #expect(demand.demand == .continuous)
        }
    }

    @Test func `the status says which rest comes next and when, and nothing in standby`() async throws {
        let harness = try TrackerHarness { ($0.stillAfter, $0.standbyAfter) = (.seconds(60), .seconds(300)) }
        @Sendable func next() async -> PendingRest? { await harness.tracker.status().sources.first?.nextRest }
        try await harness.run {
            #expect(await next() == nil)
            try await harness.source.feed(Road.fix(0))
            #expect(await next() == PendingRest(.still, due: Road.start.advanced(by: .seconds(60))))
            try await harness.source.feed(Road.fix(0.5, speed: 14))
            #expect(await next() == nil, "no rest follows a vehicle's speed")
            harness.clock.advance(by: .seconds(40))
            try await harness.source.feed(Road.fix(40))
            #expect(await next() == PendingRest(.still, due: Road.start.advanced(by: .seconds(60))))
            try await harness.letTimePass(until: "still") { try await harness.stored().count == 2 }
            await eventually("standby is next") {
                await next() == PendingRest(.standby, due: Road.start.advanced(by: .seconds(300)))
            }
            try await harness.letTimePass(until: "standby") { await next() == nil }
            #expect(await harness.tracker.status().sources.first?.isStandby == true)
        }
    }

    @Test
    func `a store that cannot write holds the fix back, and the reference stays until it can`() async throws {
        let store = FailingStore()
        let harness = try TrackerHarness(store: store) { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            store.fail(with: StoreError(.full, "disk full"))
            async let fed: Void = harness.source.feed(Road.fix(1, metres: 100))
            try await harness.letTimePass(until: "three attempts") { store.failures >= 3 }
            #expect(try await harness.stored().count == 1)
            await eventually("the failure shows") { await harness.tracker.status().storeFailure != nil }
            store.fail(with: nil)
            try await harness.letTimePass(until: "stored") { try await harness.stored().count == 2 }
            try await fed
            try await harness.source.feed(Road.fix(2, metres: 110))
            #expect(try await harness.stored() == ["0: first, moves", "1: distance, moves"])
        }
    }

    @Test
    func `who begins to listen while a record waits for the store is told of it`() async throws {
        let store = FailingStore()
        let harness = try TrackerHarness(store: store) { $0.neverRest() }
        try await harness.run {
            store.fail(with: StoreError(.full, "disk full"))
            async let fed: Void = harness.source.feed(Road.fix(0))
            try await harness.letTimePass(until: "an attempt") { store.failures >= 1 }
            var decisions = harness.tracker.decisions().makeAsyncIterator()
            store.fail(with: nil)
            try await harness.letTimePass(until: "stored") { try await harness.stored().count == 1 }
            try await fed
            try await harness.source.feed(Road.fix(1, metres: 5))
            guard case .recorded(let record)? = await decisions.next() else {
                Issue.record("the record comes first")
                return
            }
            #expect(record.fix == Road.fix(0))
            #expect(await decisions.next() == .rejected(fix: Road.fix(1, metres: 5), source: "fed", reason: .tooNear))
        }
    }

    @Test
    func `after a crash the same fixes add nothing; after a stop they begin afresh`() async throws {
        let store = InMemoryFixStore()
        let drive = (0...30).map { Road.fix(Double($0), metres: Double($0) * 10, speed: 10) }
        for _ in 1...2 {
            let harness = try TrackerHarness(store: store, source: FedSource(timeBase: .fixTime))
            try await harness.crash { try await harness.source.output().emit(contentsOf: drive) }
        }
        #expect(try await store.status().count == 4)
        let stopped = try TrackerHarness(store: store, source: FedSource(timeBase: .fixTime))
        try await stopped.run { try await stopped.source.output().emit(contentsOf: drive) }
        #expect(try await store.status().count == 4)
        let fresh = try TrackerHarness(store: store, source: FedSource(timeBase: .fixTime))
        try await fresh.run { try await fresh.source.output().emit(contentsOf: drive) }
        #expect(try await store.status().count == 8)
    }

    @Test
    func `two sources have pipelines of their own`() async throws {
        let (one, two) = (FedSource(id: "one"), FedSource(id: "two"))
        let store = InMemoryFixStore()
        let tracker = try Tracker.make(store: store, sources: [one, two]) {
            ($0.clock, $0.wallClock) = (ManualClock(), { Road.start })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            try await one.feed(Road.fix(0))
            try await two.feed(Road.fix(0, metres: 5))
            await tracker.stop()
            try await group.waitForAll()
        }
        #expect(try await store.records(after: .zero, limit: 9).map(\.source) == ["one", "two"])
    }

    @Test
    func `an old recording is kept by its own time, however late it is`() async throws {
        let store = InMemoryFixStore()
        let source = FedSource(timeBase: .fixTime)
        let tracker = try Tracker.make(store: store, sources: [source]) {
            $0.clock = ManualClock()
            $0.wallClock = { Road.start.advanced(by: .seconds(100 * 86_400)) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            try await source.feed(Road.fix(0), Road.fix(8 * 86_400, metres: 100))
            await tracker.stop()
            try await group.waitForAll()
        }
        #expect(try await store.records(after: .zero, limit: 9).map(\.cause) == [.distance])
    }

    @Test
    func `a source that fails is started again, one that ends is finished`() async throws {
        struct Unplugged: Error {}
        let harness = try TrackerHarness { $0.neverRest() }
        try await harness.run {
            try await harness.source.feed(Road.fix(0))
            harness.source.fail(Unplugged())
            try await harness.letTimePass(until: "a second run") {
                if case .unavailable? = await harness.tracker.status().sources.first?.status { true } else { false }
            }
            async let fed: Void = harness.source.feed(Road.fix(9, metres: 100))
            try await harness.letTimePass(until: "stored") { try await harness.stored().count == 2 }
            try await fed
            harness.source.finish()
            await harness.tracker.sourcesFinished()
            #expect(await harness.tracker.status().sources.first?.status == .finished)
        }
    }

    @Test
    func `a listener that does not keep up loses the oldest records, not the engine its memory`() async throws {
        let harness = try TrackerHarness { $0.distanceFilter = 0 }
        try await harness.run {
            let records = harness.tracker.records(bufferingNewest: 3)
            for second in 0..<10 { try await harness.source.feed(Road.fix(Double(second), metres: Double(second))) }
            var seconds: [Int64] = []
            for await record in records {
                seconds.append(record.fix.time.duration(since: Road.start).components.seconds)
                if seconds.count == 3 { break }
            }
            #expect(seconds == [7, 8, 9])
        }
    }

    @Test
    func `impossible configurations and names are refused before anything runs`() {
        let sink = SinkBinding(RecordingSink(), sync: SyncConfiguration(syncThreshold: -1))
        let error = #expect(throws: ConfigurationError.self) {
            try Tracker.make(
                device: "", store: InMemoryFixStore(), sources: [FedSource(), FedSource()], sinks: [sink, sink]
            ) {
                $0.recording.distanceFilter = -5
                $0.retention.maxDaysToPersist = -1
            }
        }
        #expect(
            error?.problems.map(\.key) == [
                "distanceFilter", "maxDaysToPersist", "sources", "sinks", "device", "syncThreshold", "syncThreshold",
            ])
    }

    @Test
    func `a second run at the same time is refused`() async throws {
        let harness = try TrackerHarness()
        try await harness.run {
            _ = await harness.source.output()
            await #expect(throws: TrackerError.alreadyRunning) { try await harness.tracker.run() }
        }
    }

    @Test
    func `a stop records where an undecided track ends`() async throws {
        let harness = try TrackerHarness { ($0.record, $0.maximumInterval) = (.deviation, .zero) }
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            #expect(try await harness.stored() == ["0: first, moves"])
        }
        #expect(try await harness.stored() == ["0: first, moves", "2: deviation, moves"])
        let report = try #require(await harness.tracker.status().sources.first)
        #expect(report.causes == [.first: 1, .deviation: 1])
        #expect(report.rejections(.unneeded) == 1)
    }

    @Test
    func `a new rule decides what the old one had not`() async throws {
        let harness = try TrackerHarness { ($0.record, $0.maximumInterval) = (.deviation, .zero) }
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            try await harness.tracker.reconfigure(.calmGeo)
            #expect(try await harness.stored() == ["0: first, moves", "2: deviation, moves"])
        }
    }

    @Test
    func `the odometer goes on in the next run`() async throws {
        let store = InMemoryFixStore()
        for run in 1...2 {
            let harness = try TrackerHarness(store: store)
            try await harness.run {
                let fixes = (0...40).map { Road.fix(Double(100 * run + $0), metres: Double($0) * 10, speed: 10) }
                for fix in fixes { try await harness.source.feed(fix) }
                let metres = await harness.tracker.status().sources.first?.odometer ?? 0
                #expect(abs(metres - Double(run) * 400) <= 40)
            }
        }
    }
}
