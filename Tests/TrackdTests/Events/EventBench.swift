import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEnginePlaces
import TrackEngineTestKit

/// A tracker on a manual clock with a live source and the section `events` of a configuration. Several one after the other on one
/// store are restarts. All lies on one meridian.
struct EventBench: Sendable {
    static let start = Timestamp(secondsSince1970: 1_772_384_400)

    /// How a run ends.
    enum End: CaseIterable { case stop, kill }

    let clock = ManualClock()
    let source = FedSource()
    let store: any FixStore
    let tracker: Tracker
    private let keeper: ProfileController
    private let begin: Timestamp

    /// - Parameter second: when the run begins, in seconds after the start of all.
    init(_ yaml: String, on store: any FixStore, at second: Int64 = 0) throws {
        let configuration = try Given.configuration(yaml)
        self.store = store
        begin = Self.start.advanced(by: .seconds(second))
        let now: @Sendable () -> Timestamp = { [clock, begin] in begin.advanced(by: clock.now.offset) }
        tracker = try Tracker.make(store: store, sources: [source]) { [clock] in
            ($0.recording, $0.privacyFilter) = (configuration.tracking, try configuration.events.privacyZones)
            $0.detector = try configuration.events.makeDetector(of: "van-7")
            $0.ownEvents = configuration.events.told
            ($0.clock, $0.wallClock) = (clock, now)
        }
        keeper = ProfileController(
            configuration, tracker, BatteryReader(directory: "/nonexistent"), logger: CollectedLog().logger,
            clock: clock, now: now)
    }

    /// Runs the tracker while `body` does, and ends it.
    func run(_ end: End, _ body: @Sendable @escaping () async throws -> Void) async throws {
        await keeper.begin()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            group.addTask { await keeper.run() }
            _ = await source.output()
            try await body()
            if end == .stop {
                let isStopped = SystemMutex(false)
                group.addTask {
                    await tracker.stop()
                    isStopped.withLock { $0 = true }
                }
                await eventually("it stops") {
                    clock.advance(by: .milliseconds(100))
                    return isStopped.withLock { $0 }
                }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    static func coordinate(_ metres: Double) -> Coordinate {
        Coordinate(latitude: 0.5 + metres / 110_574.4, longitude: 10)
    }

    /// Feeds fixes from now on, one each ten seconds, from so many metres up the meridian on at a speed.
    func feed(_ count: Int, from metres: Double, speed: Double = 0, accuracy: Double = 5) async throws {
        for step in 0..<count {
            let fix = Fix(
                time: begin.advanced(by: clock.now.offset),
                coordinate: Self.coordinate(metres + Double(step) * 10 * speed), horizontalAccuracy: accuracy,
                speed: abs(speed))
            try await source.feed(fix)
            clock.advance(by: .seconds(10))
        }
    }

    func events() async throws -> [RecordContent] {
        try await store.records(after: .zero, limit: 10_000).map(\.content).filter { $0 != .location }
    }

    func visits() async throws -> [Visit] {
        try await events().compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
    }

    func trips() async throws -> [Trip] {
        try await events().compactMap { if case .trip(let trip) = $0 { trip } else { nil } }
    }
}
