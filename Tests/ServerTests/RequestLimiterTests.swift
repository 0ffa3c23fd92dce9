import Testing
import TrackEngine
import TrackEngineServer

/// What is let in at a time, in numbers.
@Suite struct RequestLimiterTests {
    private let admission = RequestLimiter()

    private func hold(_ mebibytes: Int, of owner: RequestLimiter.Owner) -> Bool {
        admission.hold(mebibytes << 20, of: owner, atMost: 52 << 20)
    }

    @Test func `all bodies have 72 MiB together, of which 16 are for those alone who hold little`() {
        #expect(hold(50, of: .sender("one")) && hold(6, of: .sender("two")))
        #expect(!hold(2, of: .sender("three")))
        for number in 0..<16 { #expect(hold(1, of: .sender(DeviceID(rawValue: "\(number)")))) }
        #expect(!hold(1, of: .sender("late")))
        admission.release(50 << 20, of: .sender("one"))
        #expect(hold(1, of: .sender("late")) && hold(33, of: .sender("three")))
    }

    @Test func `a sender has what it may have, and what is let go of is free again`() {
        #expect(hold(52, of: .sender("one")) && !hold(1, of: .sender("one")))
        #expect(hold(1, of: .sender("two")))
        admission.release(1 << 20, of: .sender("one"))
        #expect(hold(1, of: .sender("one")))
    }

    @Test func `those who show no token have 4 MiB together`() {
        for _ in 0..<4 { #expect(hold(1, of: .anybody)) }
        #expect(!hold(1, of: .anybody))
        #expect(hold(1, of: .sender("phone")) && hold(1, of: .editor))
    }

    @Test func `a sender has two requests at a time, and others have theirs`() {
        let admission = RequestLimiter()
        #expect(admission.begin("phone") && admission.begin("phone") && !admission.begin("phone"))
        #expect(admission.begin("van"))
        admission.end("phone")
        #expect(admission.begin("phone") && !admission.begin("phone"))
    }
}
