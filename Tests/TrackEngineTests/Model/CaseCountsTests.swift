import Testing
import TrackEngine

@Suite struct CaseCountsTests {
    @Test func `cases without a count are not in the dictionary`() {
        var counts = CaseCounts<RejectionReason>()
        #expect(counts.dictionary.isEmpty)
        counts.add(of: .tooNear)
        counts.add(2, of: .stale)
        counts.add(of: .tooNear)
        #expect(counts.dictionary == [.tooNear: 2, .stale: 2])
    }

    @Test func `every case is counted for itself`() {
        var counts = CaseCounts<RecordCause>()
        for (number, cause) in RecordCause.allCases.enumerated() { counts.add(number + 1, of: cause) }
        for (number, cause) in RecordCause.allCases.enumerated() { #expect(counts.dictionary[cause] == number + 1) }
        #expect(CaseCounts(counts.dictionary) == counts)
    }

    @Test(arguments: [
        ([RejectionReason.invalidCoordinate], [RejectionReason.tooNear]), ([.tooNear], [.stale]), ([], [.stale]),
    ])
    func `the order of adding makes no difference`(first: [RejectionReason], second: [RejectionReason]) {
        var (forward, backward) = (CaseCounts<RejectionReason>(), CaseCounts<RejectionReason>())
        var (left, right) = (CaseCounts<RejectionReason>(), CaseCounts<RejectionReason>())
        for reason in first { left.add(3, of: reason) }
        for reason in second { right.add(5, of: reason) }
        forward.add(left)
        forward.add(right)
        backward.add(right)
        backward.add(left)
        #expect(forward == backward)
        #expect(forward.dictionary.values.reduce(0, +) == 3 * first.count + 5 * second.count)
    }

    @Test func `counts of nothing are equal to none`() {
        #expect(CaseCounts<RecordCause>([.first: 0]) == CaseCounts())
    }
}
