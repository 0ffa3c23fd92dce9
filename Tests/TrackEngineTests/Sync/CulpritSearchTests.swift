import Testing
import TrackEngine

/// Plays a receiver against the search and counts what it costs.
@Suite struct CulpritSearchTests {
    enum Receiver: Sendable {
        /// Says clearly that it refuses a batch with a bad record.
        case explicit
        /// Fails with status 500 on a batch with a bad record.
        case vague
        /// Is down.
        case down
    }

    struct Outcome: Equatable {
        var taken: [Int] = []
        var dead: [Int] = []
        var deliveries = 0
        var backOffs = 0
    }

    /// Delivers `count` records, some of them bad, until none is left or `limit` deliveries were made.
    static func play(_ receiver: Receiver, count: Int, bad: Set<Int>, limit: Int = 200) -> Outcome {
        var search = CulpritSearch()
        var outcome = Outcome()
        var batch = Array(0..<count)
        while !batch.isEmpty, outcome.deliveries < limit {
            let portion = search.portion(of: batch.count)
            let records = portion.of(batch)
            outcome.deliveries += 1
            let fails = receiver == .down || !bad.isDisjoint(with: records)
            let verdict =
                fails
                ? (receiver == .explicit
                    ? search.refused(portion) : search.failedSuspiciously(portion, hasSecond: batch.count > 1))
                : search.taken(portion)
            switch verdict {
            case .backOff: outcome.backOffs += 1
            case .firstIsDead: outcome.dead.append(batch.removeFirst())
            case .firstIsDeadSecondTaken:
                outcome.dead.append(batch.removeFirst())
                outcome.taken.append(batch.removeFirst())
            case .goOn where !fails:
                outcome.taken += records
                batch.removeFirst(records.count)
            case .goOn: break
            }
        }
        return outcome
    }

    @Test(
        "an explicit refusal finds each culprit wherever it is, in order, with log2(n) + 1 extra deliveries",
        arguments: 0..<16)
    func explicit(_ culprit: Int) {
        let outcome = Self.play(.explicit, count: 16, bad: [culprit])
        #expect(outcome.dead == [culprit])
        #expect(outcome.taken == (0..<16).filter { $0 != culprit })
        #expect(outcome.backOffs == 0)
        #expect(outcome.deliveries <= 2 + 4 + 1)
    }

    @Test("a receiver that only fails is tried three times, then searched and probed", arguments: 0..<15)
    func vague(_ culprit: Int) {
        let outcome = Self.play(.vague, count: 16, bad: [culprit])
        #expect(outcome.dead == [culprit])
        #expect(outcome.taken == (0..<16).filter { $0 != culprit })
        #expect(outcome.backOffs == 2)
    }

    @Test("the last record of all cannot be proven guilty and is kept")
    func lastOne() {
        let outcome = Self.play(.vague, count: 16, bad: [15], limit: 60)
        #expect(outcome.dead == [])
        #expect(outcome.taken == Array(0..<15))
    }

    @Test("several culprits are all found")
    func several() {
        let outcome = Self.play(.explicit, count: 100, bad: [0, 17, 18, 99])
        #expect(outcome.dead == [0, 17, 18, 99])
        #expect(outcome.taken.count == 96)
        #expect(Self.play(.vague, count: 100, bad: [3, 50], limit: 2000).dead == [3, 50])
    }

    @Test("a receiver that is down costs nobody's life, and is searched ever more rarely")
    func down() {
        let outcome = Self.play(.down, count: 64, bad: [], limit: 400)
        #expect(outcome.dead == [])
        #expect(outcome.taken == [])
        #expect(outcome.backOffs > 300)
    }

    @Test("too large a batch is halved, and the size is remembered")
    func tooLarge() {
        var search = CulpritSearch()
        #expect(search.portion(of: 250) == .first(250))
        #expect(search.tooLarge(.first(250)) == .goOn)
        #expect(search.portion(of: 250) == .first(125))
        #expect(search.tooLarge(.first(125)) == .goOn)
        #expect(search.taken(.first(62)) == .goOn)
        #expect(search.portion(of: 188) == .first(62))
        #expect(search.limit == 62)
        #expect(search.tooLarge(.first(1)) == .firstIsDead)
    }
}

extension CulpritSearch.Portion {
    fileprivate func of(_ batch: [Int]) -> [Int] {
        switch self {
        case .first(let count): Array(batch.prefix(count))
        case .second: [batch[1]]
        }
    }
}
