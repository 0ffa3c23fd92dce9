import Testing
import TrackEngine

@Suite("What is written about dead letters")
struct DeadLetterLogTests {
    @Test func `the first dead letter is told at once, those of the next minute in one line`() {
        var notice = DeadLetterLog()
        #expect(notice.line(at: Self.second(0)) == nil)
        notice.add(1, reason: "first")
        #expect(notice.line(at: Self.second(10)) == DeadLetterLog.Line(count: 1, reason: "first"))
        notice.add(2, reason: "second")
        notice.add(3, reason: "third")
        #expect(notice.line(at: Self.second(69)) == nil)
        #expect(notice.line(at: Self.second(70)) == DeadLetterLog.Line(count: 5, reason: "third"))
        #expect(notice.line(at: Self.second(700)) == nil)
    }

    @Test func `what is left is told at the end`() {
        var notice = DeadLetterLog()
        notice.add(1, reason: "first")
        _ = notice.line(at: Self.second(0))
        notice.add(2, reason: "second")
        #expect(notice.last() == DeadLetterLog.Line(count: 2, reason: "second"))
        #expect(notice.last() == nil)
    }

    private static func second(_ second: Int64) -> TrackInstant { TrackInstant(nanoseconds: second * 1_000_000_000) }
}

@Suite("Where controls are looked for")
struct ControlSamplerTests {
    @Test func `places lie behind the suspect, at most at the newest, and spread over all between`() {
        var places = ControlSampler()
        let suspect = RecordSequence(rawValue: 1000)
        let newest = RecordSequence(rawValue: 2000)
        let seen = (0..<10).map { _ in places.next(after: suspect, newest: newest).rawValue }
        #expect(seen.allSatisfy { (1001...2000).contains($0) })
        // Ten places of the golden ratio leave no gap of more than a fifth.
        let sorted = ([1000, 2000] + seen).sorted()
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 <= 200 })
    }

    @Test(arguments: [(5, 5), (5, 4), (5, 6), (0, .max), (.min, .max), (.max, .max)] as [(Int64, Int64)])
    func `no pair of numbers is too much`(_ suspect: Int64, _ newest: Int64) {
        var places = ControlSampler()
        for _ in 0..<10 {
            let newest = RecordSequence(rawValue: newest)
            #expect(places.next(after: RecordSequence(rawValue: suspect), newest: newest) <= newest)
        }
    }
}
