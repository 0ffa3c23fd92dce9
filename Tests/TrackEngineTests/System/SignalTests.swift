import Testing
import TrackEngine
import TrackEngineTestKit

@Suite struct WakeSignalTests {
    @Test
    func `raised often before a wait, it wakes once`() async {
        let signal = WakeSignal()
        for _ in 0..<5 { signal.raise() }
        await signal.wait()
        let clock = ManualClock()
        let second = Task { await signal.wait(for: .seconds(1), on: clock) }
        await clock.sleepers(atLeast: 1)  // the second wait was not satisfied by an old raise
        clock.advance(by: .seconds(1))
        await second.value
    }

    @Test
    func `a raise ends a wait with a deadline, and nothing sleeps on`() async {
        let (signal, clock) = (WakeSignal(), ManualClock())
        let wait = Task { await signal.wait(for: .seconds(3600), on: clock) }
        await clock.sleepers(atLeast: 1)
        signal.raise()
        await wait.value
        #expect(clock.nextDeadline == nil)
    }

    @Test
    func `cancellation ends a wait, also one that has not begun`() async {
        let signal = WakeSignal()
        let wait = Task { await signal.wait() }
        wait.cancel()
        await wait.value
    }
}

@Suite struct DemandSignalTests {
    @Test
    func `a change wakes who waits for it; what is known already does not`() async {
        let signal = DemandSignal()
        #expect(await signal.value(otherThan: .occasional(every: .seconds(1))) == .continuous)
        let wait = Task { await signal.value(otherThan: .continuous) }
        signal.set(.continuous)
        signal.set(.occasional(every: .seconds(30)))
        #expect(await wait.value == .occasional(every: .seconds(30)))
    }

    @Test
    func `cancellation answers what was known`() async {
        let signal = DemandSignal()
        let wait = Task { await signal.value(otherThan: .continuous) }
        wait.cancel()
        #expect(await wait.value == .continuous)
    }
}
