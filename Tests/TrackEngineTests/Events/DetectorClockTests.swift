import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// Deadlines of detectors on the clock that runs by itself.
@Suite(.timeLimit(.minutes(30))) struct DetectorClockTests {
    /// Reports a heartbeat a tenth of a second after each fix, once.
    private struct QuickDetector: EventDetector {
        private var last: Fix?

        mutating func observe(_ observed: DetectorFix, report: (DetectorEvent) -> Void) { last = observed.fix }

        mutating func pass(to time: Timestamp, report: (DetectorEvent) -> Void) {
            guard let last, let deadline, time >= deadline else { return }
            self.last = nil
            report(DetectorEvent(.heartbeat, at: last))
        }

        var deadline: Timestamp? { last?.time.advanced(by: .milliseconds(100)) }
        var state: [UInt8] { [] }

        mutating func resume(from state: [UInt8]) -> Bool { true }
    }

    @Test func `what falls due without a fix does so on the real clock`() async throws {
        let (store, source) = (InMemoryFixStore(), FedSource())
        let tracker = try Tracker.make(store: store, sources: [source]) { $0.detector = QuickDetector() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await tracker.run() }
            let coordinate = Coordinate(latitude: 53.5, longitude: 10)
            let begin = ContinuousClock.now
            try await source.feed(Fix(time: .now(), coordinate: coordinate))
            await eventually("the heartbeat") { (try? await store.status().count) == 2 }
            #expect(ContinuousClock.now - begin >= .milliseconds(95))
            await tracker.stop()
            try await group.waitForAll()
        }
        #expect(try await store.records(after: .zero, limit: 9).map(\.kind) == [.location, .heartbeat])
    }
}
