import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// What the timers of a tracker cost whose configuration changes again and again: the runtime frees a cancelled sleep only when
/// its time is over.
@Suite(.timeLimit(.minutes(15))) struct TrackerDeadlineTests {
    /// A manual clock that counts the sleeps.
    private final class CountedClock: Clock {
        let manual = ManualClock()
        private let count = Mutex(0)

        var sleeps: Int { count.withLock { $0 } }
        var now: ManualClock.Instant { manual.now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
            count.withLock { $0 += 1 }
            try await manual.sleep(until: deadline)
        }
    }

    private static func recording(stillAfter seconds: Int) -> RecordingConfiguration {
        var recording = RecordingConfiguration.calmGeo
        (recording.stillAfter, recording.standbyAfter) = (.seconds(seconds), .seconds(600))
        return recording
    }

    @Test func `a change that makes no deadline earlier begins no sleep, and one that does is heard`() async throws {
        let (clock, source) = (CountedClock(), FedSource())
        let tracker = try Tracker.make(store: InMemoryFixStore(), sources: [source]) {
            $0.recording = Self.recording(stillAfter: 300)
            ($0.clock, $0.wallClock) = (clock, { Road.start.advanced(by: clock.now.offset) })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            try await source.feed(Road.fix(0))
            // The tracker's housekeeping, and the end of the motion.
            await clock.manual.sleepers(atLeast: 2)
            let before = clock.sleeps
            for round in 1...100 {
                var recording = Self.recording(stillAfter: 300)
                recording.distanceFilter = 16 + round
                try await tracker.reconfigure(recording)
            }
            try await tracker.reconfigure(Self.recording(stillAfter: 30))
            await eventually("it sleeps until the earlier deadline") { clock.sleeps > before }
            #expect(clock.sleeps - before <= 3)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Reports a heartbeat a minute after each fix and after each heartbeat.
    private struct MinuteDetector: EventDetector {
        private var last: Fix?
        private(set) var deadline: Timestamp?

        mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) {
            last = observed.fix
            deadline = observed.fix.time.advanced(by: .seconds(60))
        }

        mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
            guard let last, let deadline, time >= deadline else { return }
            self.deadline = time.advanced(by: .seconds(60))
            report(DetectorEvent(.heartbeat, at: last))
        }

        var state: [UInt8] { [] }

        mutating func resume(from state: [UInt8]) -> Bool { true }
    }

    @Test(arguments: [0, 30, 60])
    func `a deadline at the end of the times that can be represented does not come`(_ seconds: Int) async throws {
        let harness = try TrackerHarness(detector: MinuteDetector()) { $0.neverRest() }
        let end = Timestamp(nanosecondsSince1970: .max)
        try await harness.run {
            try await harness.source.feed(
                Fix(time: end.advanced(by: .seconds(-seconds)), coordinate: Coordinate(latitude: 53.5, longitude: 10)))
            harness.clock.advance(by: .seconds(61))
        }
        #expect(try await harness.store.records(after: .zero, limit: 9).map(\.kind) == [.location])
    }
}
