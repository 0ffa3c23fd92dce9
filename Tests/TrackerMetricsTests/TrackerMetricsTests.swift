import Logging
import MetricsTestKit
import ServiceLifecycle
import TestSupport
import Testing
import TrackEngine
import TrackEngineIntegrations
import TrackEngineTestKit

/// The reports of a tracker by the clock.
@Suite(.timeLimit(.minutes(30))) struct TrackerMetricsTests {
    private let backend = TestMetrics()
    private let clock = ManualClock()
    private let source = FedSource(id: "gpsd")

    private func makeTracker() throws -> Tracker {
        try Tracker.make(store: InMemoryFixStore(), sources: [source])
    }

    private var fixes: [Int64] {
        backend.counters(label: "trackengine_fixes").first?.values ?? []
    }

    @Test func `it reports at once and at every interval`() async throws {
        let metrics = TrackerMetrics(try makeTracker(), to: backend, every: .seconds(10), clock: clock)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await metrics.run() }
            for reports in 1...3 {
                await clock.sleepers(atLeast: 1)
                #expect(backend.recorders(label: "trackengine_store_records").first?.values.count == reports)
                #expect(clock.nextDeadline == .seconds(10))
                clock.advance(by: .seconds(10))
            }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.waitForAll() }
        }
    }

    @Test func `a graceful shutdown ends it with a report of what the tracker did last`() async throws {
        let tracker = try makeTracker()
        let group = ServiceGroup(
            services: [TrackerMetrics(tracker, to: backend, clock: clock), TrackerService(tracker)],
            logger: Logger(label: "test"))
        let running = Task { try await group.run() }  // the group runs beside the test, which ends it
        await clock.sleepers(atLeast: 1)
        try await source.feed(Self.fix)
        #expect(fixes.isEmpty)
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(fixes == [1])
    }

    @Test func `a second run goes on where the first has ended`() async throws {
        let tracker = try makeTracker()
        let metrics = TrackerMetrics(tracker, to: backend, clock: clock)
        let tracking = Task { try await tracker.run() }  // beside the test, which ends it
        try await source.feed(Self.fix)
        for _ in 1...2 {
            let running = Task { try await metrics.run() }  // as above
            await clock.sleepers(atLeast: 1)
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
        }
        #expect(fixes == [1])
        await tracker.stop()
        try await tracking.value
    }

    private static let fix = Fix(
        time: .now(), coordinate: Coordinate(latitude: 52.5, longitude: 13.4), horizontalAccuracy: 3, speed: 5)
}
