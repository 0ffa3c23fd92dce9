import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTestKit

/// What happens when an agent that was told to end does not; on the real clock.
@Suite struct EndDeadlineTests {
    @Test func `an end that takes too long is given up, and what it waits for is named`() async {
        let (givenUp, continuation) = AsyncStream<EndDeadline.Phase>.makeStream()
        let watchdog = EndDeadline { stage, _ in continuation.yield(stage) }
        watchdog.wait(for: .tracker, atMost: .seconds(2))
        watchdog.wait(for: .store, atMost: .seconds(600))
        var stages = givenUp.makeAsyncIterator()
        #expect(await stages.next() == .store)
    }

    /// The second watchdog begins later with the same limit, so the first one's has passed when it speaks.
    @Test func `an end in time is not given up`() async {
        let (givenUp, continuation) = AsyncStream<Int>.makeStream()
        let limit = Duration.milliseconds(50)
        let first = EndDeadline { _, _ in continuation.yield(1) }
        first.ended()
        first.wait(for: .store, atMost: limit)
        let second = EndDeadline { _, _ in continuation.yield(2) }
        second.wait(for: .tracker, atMost: limit)
        var numbers = givenUp.makeAsyncIterator()
        #expect(await numbers.next() == 2)
    }
}
