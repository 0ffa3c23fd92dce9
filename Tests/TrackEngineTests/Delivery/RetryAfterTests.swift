import Synchronization
import Testing
import TrackEngine
import TrackEngineTestKit

/// Receivers that name a time before which they want no other request.
@Suite("A receiver that says how long to wait", .serialized, .timeLimit(.minutes(30)))
struct RetryAfterTests {
    /// When a delivery came, and whether it was rejected with a time.
    private struct Visit: Sendable {
        let time: Duration
        let isRejected: Bool
    }

    /// The deliveries, once there is a clock to time them.
    private final class Visits: Sendable {
        private let state = Mutex<(clock: ManualClock?, visits: [Visit])>((nil, []))

        var all: [Visit] { state.withLock { $0.visits } }

        func time(with clock: ManualClock) { state.withLock { $0.clock = clock } }

        func note(isRejected: Bool) {
            state.withLock { state in
                state.visits.append(Visit(time: state.clock?.now.offset ?? .zero, isRejected: isRejected))
            }
        }

        /// How long the receiver was left alone after each rejection.
        var waits: [Duration] {
            zip(all, all.dropFirst()).filter(\.0.isRejected).map { $1.time - $0.time }
        }
    }

    /// Delivers sixty records to a receiver that fails over some of them and names a time.
    private static func delivered(
        _ recovery: DeliveryError.Recovery, poison: Set<Int64>, batchSize: Int
    ) async throws -> (QueueRun, Visits) {
        let visits = Visits()
        let sink = ScriptedSink(then: { batch in
            let isRejected = batch.records.contains { poison.contains($0.sequence.rawValue) }
            visits.note(isRejected: isRejected)
            return isRejected ? .fail(DeliveryError(recovery, "HTTP 500")) : .settle
        })
        let run = try await QueueRun(60, to: sink, batchSize: batchSize)
        visits.time(with: run.harness.clock)
        try await run.untilDelivered()
        return (run, visits)
    }

    static let recoveries: [DeliveryError.Recovery] = [
        .retry(after: .seconds(40), evidence: .failure), .retry(after: .seconds(40), evidence: .silence),
    ]

    @Test(arguments: recoveries, [1, 20])
    func `no step of a search comes before the time that the receiver named`(
        _ recovery: DeliveryError.Recovery, _ batchSize: Int
    ) async throws {
        let (run, visits) = try await Self.delivered(recovery, poison: [7, 40], batchSize: batchSize)
        #expect(try await run.dead().map(\.record.sequence.rawValue) == [7, 40])
        #expect(visits.waits.allSatisfy { $0 >= .seconds(40) }, "\(visits.waits)")
    }

    @Test func `the waits within a search do not grow: none is a failure in a row`() async throws {
        let (_, visits) = try await Self.delivered(
            .retry(after: .seconds(40), evidence: .failure), poison: [3], batchSize: 60)
        #expect(visits.waits.count > 6 && visits.waits.allSatisfy { $0 < .seconds(45) }, "\(visits.waits)")
    }

    @Test func `a time beyond the longest is cut to that`() async throws {
        let (_, visits) = try await Self.delivered(
            .retry(after: .seconds(1_000_000), evidence: .failure), poison: [3], batchSize: 4)
        let longest = SyncStateMachine.longestRetryAfter
        #expect(visits.waits.allSatisfy { $0 >= longest && $0 <= longest + .seconds(5) }, "\(visits.waits)")
    }

    @Test func `a sync by hand goes on by itself after the waits that the receiver asks for`() {
        var machine = SyncStateMachine(SyncConfiguration(autoSync: false, syncThreshold: 1))
        let begin = TrackInstant(nanoseconds: 0)
        machine.request()
        #expect(machine.next(queued: 1, at: begin) == .send)
        machine.postponed(by: .seconds(40), at: begin)
        let due = begin.advanced(by: .seconds(40))
        #expect(machine.next(queued: 1, at: begin) == .wait(until: due))
        #expect(machine.next(queued: 1, at: due) == .send)
    }

    @Test func `behind a dead letter the wait has a reason`() async throws {
        let sink = ScriptedSink(then: { batch in
            batch.records.contains { $0.sequence.rawValue == 3 }
                ? .fail(DeliveryError(.retry(after: .seconds(40), evidence: .failure), "HTTP 500")) : .settle
        })
        let run = try await QueueRun(60, to: sink, batchSize: 4)
        try await run.until("a wait behind the dead letter") {
            let state = await run.harness.sync(run.sink.id)
            guard state.refused == 1, state.activity == .backingOff else { return false }
            #expect(state.failure == "HTTP 500")
            return true
        }
    }

    @Test func `a wait that the receiver asks for is no failure in a row, and ends at once by hand`() {
        var machine = SyncStateMachine(SyncConfiguration(syncThreshold: 1))
        _ = machine.next(queued: 1, at: TrackInstant(nanoseconds: 0))
        machine.succeeded()
        machine.postponed(by: .seconds(40), at: TrackInstant(nanoseconds: 0))
        let due = TrackInstant(nanoseconds: 0).advanced(by: .seconds(40))
        #expect(machine.tried == 0)
        #expect(machine.next(queued: 1, at: TrackInstant(nanoseconds: 0)) == .wait(until: due))
        #expect(machine.next(queued: 1, at: due) == .send)
        machine.postponed(by: .seconds(40), at: due)
        machine.request()
        #expect(machine.next(queued: 1, at: due) == .send, "by hand at once")
    }
}
