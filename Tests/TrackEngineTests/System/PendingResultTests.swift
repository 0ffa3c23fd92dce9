import TestSupport
import Testing
import TrackEngine

@Suite struct PendingResultTests {
    @Test func `There is no result before the end, and only the first one counts`() async {
        let pending = PendingResult<Int>()
        #expect(pending.value == nil)
        pending.end(1)
        pending.end(2)
        #expect(pending.value == 1)
        #expect(await pending.wait() == 1)
    }

    @Test func `A task that waits already gets the result of a thread`() async throws {
        let pending = PendingResult<Int>()
        async let result = pending.wait()
        try SystemThread.start { pending.end(3) }
        #expect(await result == 3)
    }
}
