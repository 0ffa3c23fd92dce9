import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A tracker on a manual clock, with a source that the test feeds; the machine's time of day follows the clock.
struct TrackerHarness {
    let clock = ManualClock()
    let source: FedSource
    let store: any FixStore
    let tracker: Tracker

    init(
        store: any FixStore = InMemoryFixStore(), sinks: [SinkBinding] = [], source: FedSource = FedSource(),
        retention: RetentionConfiguration = RetentionConfiguration(keepSyncedDays: 1),
        detector: (any EventDetector)? = nil, cover: (any PrivacyFilter)? = nil,
        authority: (any PositionOverride)? = nil, ownEvents: RecordKinds = [],
        battery: SystemMutex<HostStatus.BatteryState>? = nil, wifi: WifiNetwork? = nil,
        _ change: (inout RecordingConfiguration) -> Void = { _ in }
    ) throws {
        self.store = store
        self.source = source
        let clock = clock
        tracker = try Tracker.make(store: store, sources: [source], sinks: sinks) {
            change(&$0.recording)
            ($0.retention, $0.detector, $0.ownEvents) = (retention, detector, ownEvents)
            ($0.privacyFilter, $0.positionOverride) = (cover, authority)
            $0.hostStatus = {
                guard battery != nil || wifi != nil else { return nil }
                let state = battery?.withLock { $0 }
                return HostStatus(
                    batteryLevel: state.map { _ in 0.5 }, batteryState: state ?? .unknown, wifi: wifi)
            }
            ($0.clock, $0.wallClock) = (clock, { Road.start.advanced(by: clock.now.offset) })
        }
    }

    /// Runs the tracker while `body` does, then stops it.
    func run(_ body: @Sendable @escaping () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            try await body()
            try await letTimePass(untilDone: { await tracker.stop() })
            try await group.waitForAll()
        }
    }

    /// Runs the tracker while `body` does, then cancels it, as a crash would end it.
    func crash(after body: @Sendable @escaping () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Moves the clock, second by second, until a condition holds.
    func letTimePass(until description: String, _ condition: @Sendable () async throws -> Bool) async throws {
        try await eventually(description) {
            if try await condition() { return true }
            clock.advance(by: .seconds(1))
            return false
        }
    }

    private func letTimePass(untilDone work: @Sendable @escaping () async -> Void) async throws {
        let done = Flag()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await work()
                done.raise()
            }
            await eventually("the tracker stops") {
                if done.isRaised { return true }
                clock.advance(by: .milliseconds(100))
                return false
            }
        }
    }

    /// The records in the store, in words as ``Decision/inWords(at:)`` has them.
    func stored() async throws -> [String] {
        try await store.records(after: .zero, limit: 10_000).map { record in
            let second = record.fix.time.duration(since: Road.start).components.seconds
            return "\(second): \(record.cause.name), \(record.isMoving ? "moves" : "rests")"
        }
    }

    func sync(_ sink: SinkID) async -> SyncState {
        await tracker.syncState(of: sink) ?? SyncState()
    }
}

/// Something that has happened or not.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock { $0 } }

    func raise() { state.withLock { $0 = true } }
}

extension RecordingConfiguration {
    /// Makes no records of coming to rest, however far the clock has run ahead of the engine.
    mutating func neverRest() {
        stillAfter = .zero
        standbyAfter = .zero
    }
}

extension SourceReport {
    /// How many fixes were rejected for a reason.
    func rejections(_ reason: RejectionReason) -> Int { rejected[reason] ?? 0 }
}
