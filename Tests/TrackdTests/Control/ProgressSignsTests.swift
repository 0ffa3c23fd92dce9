import Synchronization
import Testing
import TrackEngineAgent
import TrackEngineTestKit

/// Work that takes long and says so.
@Suite struct ProgressSignsTests {
    @Test func `each interval gives a sign until the work is done`() async throws {
        let clock = ManualClock()
        let signs = Mutex(0)
        let (done, gate) = AsyncStream.makeStream(of: Void.self)
        async let work: Void = withProgressSigns(every: .seconds(10), clock: clock) {
            signs.withLock { $0 += 1 }
        } during: {
            for await _ in done {}
        }
        for count in 0..<3 {
            await clock.sleepers(atLeast: 1)
            #expect(signs.withLock { $0 } == count)
            clock.advance(by: .seconds(10))
            await eventually("sign \(count + 1) is given") { signs.withLock { $0 } == count + 1 }
        }
        await clock.sleepers(atLeast: 1)
        gate.finish()
        try await work
        #expect(signs.withLock { $0 } == 3)
    }

    @Test func `signs come on the real clock, and one that cannot be given ends the wait for the work`() async throws {
        struct Gone: Error {}
        let signs = Mutex(0)
        let isCancelled = Mutex(false)
        await #expect(throws: Gone.self) {
            try await withProgressSigns(every: .milliseconds(5)) {
                let count = signs.withLock { signs in
                    signs += 1
                    return signs
                }
                if count == 3 { throw Gone() }
            } during: {
                for await _ in AsyncStream<Void>.makeStream().stream {}  // ends when it is cancelled
                isCancelled.withLock { $0 = true }
            }
        }
        #expect(isCancelled.withLock { $0 })
    }

    @Test func `work that is done at once gives no sign`() async throws {
        try await withProgressSigns(every: .seconds(600)) {
            Issue.record("a sign was given")
        } during: {
        }
    }

    @Test func `the end of the task ends the wait`() async throws {
        let hasEnded = Mutex(false)
        let waiting = Task {
            try await withProgressSigns(every: .seconds(600)) {
            } during: {
                for await _ in AsyncStream<Void>.makeStream().stream {}
                hasEnded.withLock { $0 = true }
            }
        }
        waiting.cancel()
        _ = await waiting.result
        #expect(hasEnded.withLock { $0 })
    }
}
