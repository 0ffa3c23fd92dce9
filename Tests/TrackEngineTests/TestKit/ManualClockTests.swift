import Synchronization
import Testing
import TrackEngineTestKit

@Suite struct ManualClockTests {
    @Test
    func `a sleeper wakes when its deadline is reached, not before`() async throws {
        let clock = ManualClock()
        let sleeper = Task {
            try await clock.sleep(until: clock.now.advanced(by: .seconds(10)))
            return clock.now.offset
        }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(9))
        #expect(clock.nextDeadline == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(try await sleeper.value == .seconds(10))
        #expect(clock.nextDeadline == nil)
    }

    @Test
    func `every sleeper's deadline can be seen, the next one first`() async throws {
        let clock = ManualClock()
        let sleepers = [7, 3].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
        await clock.sleepers(atLeast: 2)
        #expect(clock.deadlines == [.seconds(3), .seconds(7)])
        clock.advance(by: .seconds(4))
        #expect(clock.deadlines == [.seconds(3)])
        clock.advance(by: .seconds(3))
        for sleeper in sleepers { try await sleeper.value }
    }

    @Test
    func `a deadline in the past does not sleep`() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(5)))
        #expect(clock.now.offset == .seconds(5))
    }

    private final class Tally: Sendable { let count = Mutex(0) }

    /// Which of the two comes first is chance: of so many tries, each does.
    @Test
    func `whoever waits for sleepers that never come goes on when it is cancelled, before it waits or while it does`()
        async
    {
        let clock = ManualClock()
        let goneOn = Tally()
        for _ in 0..<1000 {
            let waiting = Task {
                await clock.sleepers(atLeast: 1)
                goneOn.count.withLock { $0 += 1 }
            }
            await Task.yield()
            waiting.cancel()
        }
        await eventually("all go on") { goneOn.count.withLock { $0 == 1000 } }
    }

    @Test
    func `cancellation wakes a sleeper with an error`() async {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
        await clock.sleepers(atLeast: 1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.nextDeadline == nil)
    }
}

@Suite struct FedSourceTests {
    @Test
    func `what is fed is emitted, and the run ends as it is told`() async throws {
        struct Unplugged: Error {}
        let source = FedSource()
        let collected = CollectedFixes()
        let run = Task { try await source.run(collected.output) }
        try await source.feed(Road.fix(0), Road.fix(1))
        #expect(collected.fixes == [Road.fix(0), Road.fix(1)])
        source.fail(Unplugged())
        await #expect(throws: Unplugged.self) { try await run.value }
        let again = Task { try await source.run(collected.output) }
        try await source.feed(Road.fix(2))
        source.finish()
        try await again.value
        #expect(collected.fixes.count == 3)
    }
}
