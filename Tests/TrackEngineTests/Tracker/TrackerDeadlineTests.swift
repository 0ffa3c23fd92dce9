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
}
