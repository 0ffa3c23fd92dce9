import Testing
import TrackEngine

@Suite("Which failures begin a search for a poison record, and when")
struct RecordIsolationTests {
    private static let batch = [record(1), record(2), record(3), record(4)]

    private static func record(_ sequence: Int64) -> TrackRecord {
        let fix = Road.fix(Double(sequence))
        let id = RecordID(device: "d", source: "s", fix: fix, cause: .distance)
        return TrackRecord(
            sequence: RecordSequence(rawValue: sequence),
            draft: RecordDraft(id: id, fix: fix, isMoving: true, cause: .distance, source: "s"))
    }

    /// Fails deliveries of the batch until the next one differs from the first, at most twenty times.
    private func failures(
        until isolation: inout RecordIsolation, changesAfter recovery: DeliveryError.Recovery
    ) -> (count: Int, last: RecordIsolation.Decision?) {
        var last: RecordIsolation.Decision?
        for count in 0..<20 {
            let portion = isolation.portion(of: Self.batch.count)
            guard portion == .first(4) else { return (count, last) }
            last = isolation.next(after: .failed(Self.batch[...], DeliveryError(recovery, "no")), of: portion)
        }
        return (20, last)
    }

    @Test(
        arguments: [
            (.rejected, 1, .goOn, .first(2)), (.smaller, 1, .goOn, .first(2)),
            (.retry(evidence: .failure), 3, .goOn, .first(2)),
            (.retry(evidence: .timeout), 1, .backOff, .first(2)),
            (.retry(evidence: .silence), 5, .backOff, .control(accused: 4, tried: 0)),
            (.needsOperator, 5, .backOff, .control(accused: 4, tried: 0)),
        ] as [(DeliveryError.Recovery, Int, RecordIsolation.Decision, RecordIsolation.Portion)])
    func `what happened decides after how many failures the next delivery is another one`(
        _ recovery: DeliveryError.Recovery, _ count: Int, _ decision: RecordIsolation.Decision,
        _ next: RecordIsolation.Portion
    ) {
        var isolation = RecordIsolation()
        let failures = failures(until: &isolation, changesAfter: recovery)
        #expect(failures.count == count)
        #expect(failures.last == decision)
        #expect(isolation.portion(of: 4) == next)
    }

    @Test func `a failure without evidence never begins a search`() {
        var isolation = RecordIsolation()
        let failures = failures(until: &isolation, changesAfter: .retry())
        #expect(failures.count == 20)
        #expect(failures.last == .backOff)
    }

    @Test func `a single rejection is forgotten when the receiver is given up, and kept while it is searched`() {
        var isolation = RecordIsolation()
        let record = Self.batch[0]
        let silence = DeliveryError(.retry(evidence: .silence), "closed")
        #expect(isolation.next(after: .failed([record], silence), of: .first(1)) == .backOff)
        #expect(!isolation.hasRejected(record))
        let refusal = DeliveryError(.rejected, "bad time")
        #expect(isolation.next(after: .failed([record], refusal), of: .first(1)) == .goOn)
        #expect(isolation.reason(for: record) == "bad time")
        #expect(isolation.portion(of: 4) == .control(accused: 1, tried: 0))
    }

    @Test func `a receipt is done up to the first refused record until that is proven`() {
        var isolation = RecordIsolation()
        let refused = [Self.batch[1].id: "no"]
        #expect(isolation.receive(Self.batch[...], refused: refused) == 1)
        #expect(isolation.receive(Self.batch[1...1], refused: refused) == 0)
        #expect(isolation.receive(Self.batch[1...1], refused: refused) == 1)
    }
}
