import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A stop ends within the flush time-out, whatever the store does.
@Suite(.timeLimit(.minutes(30))) struct StoppingTests {
    /// A tracker whose rule leaves fixes undecided.
    private static func harness(_ store: FailingStore, _ sinks: [SinkBinding] = []) throws -> TrackerHarness {
        try TrackerHarness(store: store, sinks: sinks) {
            ($0.record, $0.maximumInterval) = (.deviation, .zero)
            $0.flushTimeout = .seconds(10)
            $0.neverRest()
        }
    }

    private static let broken = StoreError(.full, "disk full")

    @Test
    func `though what is undecided cannot be stored`() async throws {
        let store = FailingStore()
        let harness = try Self.harness(store)
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            store.fail(with: Self.broken)
        }
        #expect(harness.clock.now.offset <= .seconds(12))
        #expect(try await harness.stored() == ["0: first, moves"])
    }

    @Test
    func `and what is undecided is stored when the store recovers in time`() async throws {
        let store = FailingStore()
        let harness = try Self.harness(store)
        try await harness.run {
            try await harness.source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
            store.fail(with: Self.broken, times: 3)
        }
        #expect(store.failures == 3)
        #expect(try await harness.stored() == ["0: first, moves", "2: deviation, moves"])
    }

    @Test(arguments: [false, true])
    func `though a source, a new configuration and a request wait for it`(_ isCrash: Bool) async throws {
        let store = FailingStore()
        let harness = try Self.harness(store)
        let tracker = harness.tracker
        // They wait beside the run, as a reload and a caller do; the test ends when the run does, not when they do.
        let run = Task { try await tracker.run() }
        let output = await harness.source.output()
        try await output.emit(contentsOf: [Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20)])
        store.fail(with: Self.broken)
        let reload = Task { try await tracker.reconfigure(.calmGeo) }
        await eventually("the new configuration tries to store") { store.failures > 0 }
        let request = Task { try await tracker.currentFix(recording: true) }
        let source = Task { try await output.emit(Road.fix(3, metres: 500)) }
        let stop: Task<Void, Never>? = isCrash ? nil : Task { await tracker.stop() }
        if isCrash { run.cancel() }
        await eventually("the run has ended") {
            if harness.clock.now.offset < .seconds(12) { harness.clock.advance(by: .milliseconds(100)) }
            return await tracker.state == .stopped
        }
        store.fail(with: nil)
        harness.clock.advance(by: .seconds(60))
        try await run.value
        await stop?.value
        try await reload.value
        _ = await (request.result, source.result)
    }

    @Test
    func `also on the clock of the system, and though the store does not take the news of the stop`() async throws {
        let store = FailingStore()
        var configuration = RecordingConfiguration.calmGeo
        (configuration.record, configuration.maximumInterval) = (.deviation, .zero)
        configuration.flushTimeout = .milliseconds(300)
        let source = FedSource()
        let tracker = try Tracker.make(store: store, sources: [source]) {
            ($0.recording, $0.wallClock) = (configuration, { Road.start })
        }
        let run = Task { try await tracker.run() }  // ended by the stop below
        try await source.feed(Road.fix(0), Road.fix(1, metres: 10), Road.fix(2, metres: 20))
        store.fail(with: Self.broken)
        await tracker.stop()
        try await run.value
        #expect(await tracker.status().storeFailure != nil)
    }

    // MARK: A store that does not return

    /// A source of one fix.
    private struct OneFix: FixSource {
        let id: SourceID = "one"
        var timeBase: TimeBase { .fixTime }

        func run(_ output: FixOutput) async throws { try await output.emit(Road.fix(0)) }
    }

    /// A tracker that runs, and whose store has kept the first fix and does not return.
    private static func hanging(
        _ store: FailingStore, flushTimeout: Duration, clock: any Clock<Duration>
    ) async throws -> (Tracker, run: Task<Void, any Error>) {
        let tracker = try Tracker.make(store: store, sources: [OneFix()]) {
            $0.recording.flushTimeout = flushTimeout
            ($0.clock, $0.wallClock) = (clock, { Road.start })
        }
        store.hold(.append)
        let run = Task { try await tracker.run() }  // ended by the caller
        await eventually("the store has the fix") { store.heldCalls(.append) == 1 }
        return (tracker, run)
    }

    @Test(
        arguments: [false, true])
    func `also when a call of the store does not return, and no run begins before it has returned`(_ isCrash: Bool)
        async throws
    {
        let (store, clock) = (FailingStore(), ManualClock())
        let (tracker, run) = try await Self.hanging(store, flushTimeout: .seconds(10), clock: clock)
        let stop: Task<Void, Never>? = isCrash ? nil : Task { await tracker.stop() }
        if isCrash { run.cancel() }
        await eventually("the run has ended") {
            clock.advance(by: .seconds(1))
            return await tracker.state == .stopped
        }
        #expect(clock.now.offset >= .seconds(20))
        try await run.value
        await stop?.value
        await #expect(throws: TrackerError.alreadyRunning) { try await tracker.run() }
        store.release(.append)
        try await eventually("another run may begin") {
            do { try await tracker.run(until: .sourcesFinished) } catch TrackerError.alreadyRunning { return false }
            return true
        }
        #expect(try await store.status().count == 1)
    }

    @Test
    func `and on the clock of the system`() async throws {
        let store = FailingStore()
        let (tracker, run) = try await Self.hanging(
            store, flushTimeout: .milliseconds(100), clock: ContinuousClock())
        await tracker.stop()
        try await run.value
        #expect(await tracker.state == .stopped)
        store.release(.append)
    }
}
