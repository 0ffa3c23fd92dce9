import Logging
import ServiceLifecycle
import TestSupport
import Testing
import TrackEngine
import TrackEngineIntegrations
import TrackEngineTestKit

/// The engine in a service group, as an embedder runs it.
@Suite struct TrackerServiceTests {
    @Test func `a graceful shutdown stops the tracker, and the group's run returns`() async throws {
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [IdleSource()])
        let group = group(of: tracker)
        let running = Task { try await group.run() }  // the group runs beside the test, which ends it
        await eventually("the tracker runs") { await tracker.state == .running }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(await tracker.state == .stopped)
    }

    @Test func `a shutdown before the tracker has begun does not hang`() async throws {
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [IdleSource()])
        let group = group(of: tracker)
        let running = Task { try await group.run() }  // as above
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(await tracker.state == .stopped)
    }

    @Test func `a service in front that listens to the records lets the group end in order`() async throws {
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [IdleSource()])
        let group = ServiceGroup(
            services: [RecordPrinter(tracker), TrackerService(tracker)], logger: Logger(label: "test"))
        let running = Task { try await group.run() }  // as above
        await eventually("the tracker runs") { await tracker.state == .running }
        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test func `a store that cannot be used ends the group with its error`() async throws {
        let store = InMemoryFixStore()
        await store.close()
        let tracker = try Tracker.make(store: store, sources: [IdleSource()])
        await #expect(throws: StoreError.self) { try await group(of: tracker).run() }
    }

    private func group(of tracker: Tracker) -> ServiceGroup {
        ServiceGroup(services: [TrackerService(tracker)], logger: Logger(label: "test"))
    }
}

/// A source that never has a fix.
private struct IdleSource: FixSource {
    let id: SourceID = "idle"

    func run(_ output: FixOutput) async throws {
        output.status(.receiving)
        let demand = output.demand
        while !Task.isCancelled { _ = await output.demand(otherThan: demand) }
    }
}
