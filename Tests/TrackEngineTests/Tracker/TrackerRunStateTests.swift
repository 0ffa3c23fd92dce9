import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// How runs begin and end, and who is told.
@Suite(.timeLimit(.minutes(30))) struct TrackerRunStateTests {
    /// A recorded track of one fix.
    private struct OneFix: FixSource {
        let id: SourceID = "one"
        var timeBase: TimeBase { .fixTime }

        func run(_ output: FixOutput) async throws { try await output.emit(Road.fix(0)) }
    }

    private static func tracker(
        _ store: any FixStore = InMemoryFixStore(), _ sources: [any FixSource] = [OneFix()]
    ) throws -> Tracker {
        try Tracker.make(store: store, sources: sources) { $0.wallClock = { Road.start } }
    }

    // MARK: Stops

    @Test
    func `a stop before the first run ends that run at once`() async throws {
        let tracker = try Self.tracker(InMemoryFixStore(), [FedSource()])
        await tracker.stop()
        try await tracker.run()
        #expect(await tracker.state == .stopped)
    }

    @Test
    func `whoever waits for the sources and then stops needs not know whether the run has begun`() async throws {
        for _ in 0..<50 {
            let store = InMemoryFixStore()
            let tracker = try Self.tracker(store)
            let run = Task { try await tracker.run() }  // begins beside the test, earlier or later
            await tracker.sourcesFinished()
            await tracker.stop()
            try await run.value
            #expect(try await store.status().count == 1)
        }
    }

    @Test
    func `a second stop ends the same run, and the next run goes on until its own`() async throws {
        let (source, sink) = (FedSource(), ScriptedSink([.hang, .hang]))
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [source], sinks: [SinkBinding(sink)]) {
            $0.recording.flushTimeout = .milliseconds(500)
            $0.wallClock = { Road.start }
        }
        for second in 1...2 {
            let run = Task { try await tracker.run() }  // ended by the stops below
            try await source.feed(Road.fix(Double(second), metres: Double(100 * second)))
            let stop = Task { await tracker.stop() }  // the second one finds the last sync under way
            await eventually("stopping") { await tracker.state != .running }
            await tracker.stop()
            await stop.value
            try await run.value
            await tracker.stop()
        }
        #expect(try await tracker.storedCount() == 2)
    }

    @Test
    func `a run until the sources have finished ends by itself, everything delivered`() async throws {
        let sink = RecordingSink()
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [OneFix()], sinks: [SinkBinding(sink)]) {
            $0.wallClock = { Road.start }
        }
        try await tracker.run(until: .sourcesFinished)
        #expect(sink.records.map(\.fix) == [Road.fix(0)])
        let empty = try Self.tracker(InMemoryFixStore(), [])
        try await empty.run(until: .sourcesFinished)
    }

    @Test
    func `who waits for the sources of a run that cannot begin is told`() async throws {
        let store = InMemoryFixStore()
        await store.close()
        let tracker = try Self.tracker(store)
        async let finished: Void = tracker.sourcesFinished()
        await eventually("it waits") { await tracker.isAwaited }
        await #expect(throws: StoreError.self) { try await tracker.run() }
        await finished
        await tracker.sourcesFinished()
    }

    @Test
    func `who waits for sources that never run can give up`() async throws {
        let tracker = try Self.tracker()
        let waiting = Task { await tracker.sourcesFinished() }  // cancelled below
        waiting.cancel()
        await waiting.value
    }

    // MARK: Streams

    @Test
    func `records and decisions end with their run, and begin anew with the next`() async throws {
        let store = InMemoryFixStore()
        for count in 1...2 {
            let tracker = try Self.tracker(store)
            async let records = tracker.records().reduce(into: 0) { count, _ in count += 1 }
            async let decisions = tracker.decisions().reduce(into: 0) { count, _ in count += 1 }
            await eventually("both listen") { await tracker.hasListeners }
            try await tracker.run(until: .sourcesFinished)
            #expect(await (records, decisions) == (1, 1))
            #expect(try await store.status().count == count)
        }
    }

    @Test
    func `a stream ends with a run that cannot begin, and with one that a stop forestalled`() async throws {
        let store = InMemoryFixStore()
        await store.close()
        let failing = try Self.tracker(store)
        let records = failing.records()
        await #expect(throws: StoreError.self) { try await failing.run() }
        for await _ in records { Issue.record("no record was stored") }
        let stopped = try Self.tracker()
        let decisions = stopped.decisions()
        await stopped.stop()
        try await stopped.run()
        for await _ in decisions { Issue.record("nothing was decided") }
    }
}
