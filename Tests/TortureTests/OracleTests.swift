import Testing
import TortureKit

@Suite struct OracleTests {
    private let ledger: [LedgerEntry] = [
        .intent(number: 7), .accepted(number: 7, sequence: 1), .intent(number: 8), .accepted(number: 8, sequence: 2),
        .delivered(sink: "a", through: 1), .settled(sink: "a", through: 1),
    ]

    /// The store that the ledger describes, with one sink.
    private var sound: StoreObservation {
        var seen = StoreObservation()
        seen.records = [1: 7, 2: 8]
        seen.waiting = ["a": [2]]
        seen.fresh = 3
        return seen
    }

    private func violations(
        after fault: StoreOracle.Fault = .process, _ change: (inout StoreObservation) -> Void
    ) -> [String] {
        var seen = sound
        change(&seen)
        return StoreOracle(ledger, sinks: ["a"], fault: fault).violations(in: seen)
    }

    @Test func `a store that kept its promise passes`() {
        #expect(violations { _ in } == [])
        #expect(violations { $0.records[1] = nil } == [], "a settled record may be pruned")
    }

    @Test func `a lost record is found, unless a drop is counted`() {
        func lose(_ seen: inout StoreObservation) {
            seen.records[2] = nil
            seen.waiting = [:]
        }
        #expect(violations(lose).count == 1)
        #expect(
            violations {
                lose(&$0)
                $0.dropped = 1
            } == [])
    }

    @Test func `a number that is used again is found`() {
        #expect(violations { $0.records[2] = 7 }.contains { $0.hasPrefix("(b)") })
        #expect(violations { $0.fresh = 2 }.contains { $0.hasPrefix("(b)") })
    }

    @Test func `a cursor ahead of the receiver is found`() {
        #expect(violations { $0.waiting = [:] }.contains { $0.hasPrefix("(c)") })
    }

    @Test func `a settlement may be undone by a power cut but not by a kill`() {
        #expect(violations(after: .powerCut) { $0.waiting = ["a": [1, 2]] } == [])
        #expect(violations(after: .process) { $0.waiting = ["a": [1, 2]] }.count == 1)
    }

    @Test func `an invented record and an invented letter are found`() {
        #expect(
            violations {
                $0.records[3] = 99
                $0.waiting["a"] = [2, 3]
                $0.fresh = 4
            }.count == 1)
        #expect(violations { $0.dead["a"] = [1] }.count == 1)
    }

    @Test(arguments: [
        LedgerEntry.phase("append"), .opened, .intent(number: 3), .accepted(number: 3, sequence: 4), .failed(number: 3),
        .delivered(sink: "a", through: 9), .settled(sink: "a", through: 9), .refusing(sink: "a", sequence: 2),
        .refused(sink: "a", sequence: 2), .error(code: "full"), .gaveUp, .ended,
    ])
    func `a line of the ledger is read as it was written`(_ entry: LedgerEntry) {
        #expect(LedgerEntry(line: Substring(entry.line)) == entry)
    }

    @Test func `half a line is no line`() {
        #expect(LedgerEntry.entries(of: "intent 3\naccep") == [.intent(number: 3)])
    }
}
