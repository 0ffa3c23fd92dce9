import Testing
import TrackEngine
import TrackEngineSimulated

/// A receiver that dislikes some records, played against the search; counts what that costs.
private struct Play {
    let rejection: PoisonRecordSearch.Rejection
    let bad: Set<Int>
    /// Rejects everything.
    var isDown = false
    /// The most records that it takes at once.
    var capacity = Int.max
    /// Records behind the batch, from which controls may come, too.
    var others: [Int] = []

    var search = PoisonRecordSearch()
    var taken: [Int] = []
    var dead: [Int] = []
    var controls: [Int] = []
    var deliveries = 0
    var uploads = 0
    var backOffs = 0
    var pauses = 0
    /// Deliveries from the one that began a search to the dead letter that ended it, the most of all searches.
    var costliestSearch = 0
    /// Records that were rejected by themselves.
    private var rejectedAlone: Set<Int> = []

    init(_ rejection: PoisonRecordSearch.Rejection, bad: Set<Int>) {
        self.rejection = rejection
        self.bad = bad
    }

    /// Delivers the batch until none is left, or the receiver is given up `patience` times.
    mutating func run(_ batch: [Int], patience: Int = 10) {
        var batch = batch
        var searched = 0
        while !batch.isEmpty, backOffs + pauses < patience {
            let portion = search.portion(of: batch.count)
            guard let records = records(of: portion, in: batch) else {
                follow(search.noControl(), &batch)
                continue
            }
            deliveries += 1
            uploads += records.count
            let wasSuspecting = search.isSuspecting
            let fails = isDown || records.count > capacity || !bad.isDisjoint(with: records)
            if fails || wasSuspecting { searched += 1 }
            let reason = records.count > capacity ? .tooLarge : rejection
            let deadBefore = dead.count
            if fails {
                if case .control = portion { controls.append(records[0]) }
                if records.count == 1 { rejectedAlone.insert(records[0]) }
                follow(search.rejected(portion, reason), &batch)
            } else {
                if case .control = portion { controls.append(records[0]) } else { settle(records.count, &batch) }
                follow(search.taken(records.count), &batch)
            }
            if dead.count > deadBefore { costliestSearch = max(costliestSearch, searched) }
            if !search.isSuspecting { searched = 0 }
        }
    }

    private func records(of portion: RecordIsolation.Portion, in batch: [Int]) -> [Int]? {
        switch portion {
        case .first(let count): return Array(batch.prefix(count))
        case .control(let accused, _):
            return (batch.dropFirst(accused) + others).last { !rejectedAlone.contains($0) }.map { [$0] }
        }
    }

    private mutating func settle(_ count: Int, _ batch: inout [Int]) {
        taken += batch.prefix(count)
        batch.removeFirst(count)
    }

    private mutating func follow(_ verdict: RecordIsolation.Decision, _ batch: inout [Int]) {
        switch verdict {
        case .goOn: break
        case .backOff: backOffs += 1
        case .pause: pauses += 1
        case .dead(let count):
            dead += batch.prefix(count)
            batch.removeFirst(count)
        }
    }
}

@Suite("The search for the record to blame")
struct PoisonRecordSearchTests {
    /// ⌈log2(n)⌉
    static func logarithm(_ count: Int) -> Int {
        var (power, exponent) = (1, 0)
        while power < count { (power, exponent) = (power * 2, exponent + 1) }
        return exponent
    }

    static let sizes = [1, 2, 3, 4, 5, 7, 8, 16, 33, 100, 250, 256]

    /// Deliveries that prove a poison record: two controls, the suspect, a control, and the suspect again.
    static let proof = 5

    @Test(arguments: [.refused, .tooLarge, .failed] as [PoisonRecordSearch.Rejection], sizes)
    func `one poison record among n is found anywhere, in log2(n) + 2 deliveries and its proof, the rest in order`(
        _ rejection: PoisonRecordSearch.Rejection, _ count: Int
    ) {
        for poison in 0..<count {
            var play = Play(rejection, bad: [poison])
            play.others = [1000]
            play.run(Array(0..<count))
            #expect(play.dead == [poison])
            #expect(play.taken == (0..<count).filter { $0 != poison })
            // A vague failure is tried three times before the search; the third begins it.
            let first = rejection == .failed ? 2 : 0
            #expect(play.backOffs == first && play.pauses == 0)
            let bound = Self.logarithm(count) + 2 + Self.proof
            #expect(play.costliestSearch - first <= bound, "\(poison) of \(count)")
            #expect(play.uploads <= (4 + first) * count + 2 + Self.proof)
        }
    }

    @Test(arguments: [.refused, .tooLarge, .failed] as [PoisonRecordSearch.Rejection])
    func `a poison record at the end waits for a record after it`(_ rejection: PoisonRecordSearch.Rejection) {
        var play = Play(rejection, bad: [15])
        play.run(Array(0..<16))
        #expect(play.dead == [] && play.taken == Array(0..<15) && play.pauses == 0)
    }

    @Test(arguments: [.refused, .tooLarge, .failed] as [PoisonRecordSearch.Rejection])
    func `a record alone in its batch is not poison without a control`(_ rejection: PoisonRecordSearch.Rejection) {
        var alone = Play(rejection, bad: [0])
        alone.run([0])
        #expect(alone.dead == [])
        var accompanied = Play(rejection, bad: [0])
        accompanied.others = [1]
        accompanied.run([0])
        #expect(accompanied.dead == [0] && Set(accompanied.controls) == [1])
    }

    @Test(arguments: [.refused, .tooLarge] as [PoisonRecordSearch.Rejection])
    func `a receiver that refuses everything is a pause, costs no record, and a look costs four deliveries`(
        _ rejection: PoisonRecordSearch.Rejection
    ) {
        var play = Play(rejection, bad: [])
        play.isDown = true
        play.run(Array(0..<250), patience: 1)
        #expect(play.dead == [] && play.taken == [] && play.pauses == 1 && play.backOffs == 0)
        #expect(play.deliveries == 8 + PoisonRecordSearch.maximumControls)
        #expect(play.uploads < 2 * 250 + PoisonRecordSearch.maximumControls)
        let before = play.deliveries
        play.run(Array(0..<250), patience: 2)
        #expect(play.deliveries - before == 1 + PoisonRecordSearch.maximumControls)
        play.isDown = false
        play.run(Array(0..<250), patience: 3)
        #expect(play.taken == Array(0..<250) && play.search.limit == .max)
    }

    @Test func `after a refusal of everything a suspect is tried again behind the first control that is taken`() {
        var search = PoisonRecordSearch()
        #expect(search.rejected(.first(1), .refused) == .goOn)
        for tried in 0..<2 { #expect(search.rejected(.control(accused: 1, tried: tried), .refused) == .goOn) }
        #expect(search.rejected(.control(accused: 1, tried: 2), .refused) == .pause)
        #expect(search.rejected(.first(1), .refused) == .goOn)
        for _ in 1...2 { #expect(search.taken(1) == .goOn) }
        #expect(search.portion(of: 5) == .first(1))
        var mended = search
        #expect(mended.taken(1) == .goOn && !mended.isSuspecting)
        #expect(search.rejected(.first(1), .refused) == .goOn)
        #expect(search.portion(of: 5) == .control(accused: 1, tried: 0))
        #expect(search.taken(1) == .goOn)
        #expect(search.rejected(.first(1), .refused) == .dead(1))
    }

    @Test func `a record alone in the queue is no refusal of everything: the next one is its control`() {
        var search = PoisonRecordSearch()
        #expect(search.rejected(.first(1), .refused) == .goOn)
        #expect(search.noControl() == .backOff)
        #expect(search.portion(of: 1) == .first(1), "the receiver may have been mended meanwhile")
        #expect(search.rejected(.first(1), .refused) == .goOn)
        #expect(search.portion(of: 1) == .control(accused: 1, tried: 0))
        for _ in 1...2 { #expect(search.taken(1) == .goOn) }
        #expect(search.portion(of: 1) == .first(1))
        #expect(search.rejected(.first(1), .refused) == .goOn)
        #expect(search.taken(1) == .goOn)
        #expect(search.rejected(.first(1), .refused) == .dead(1))
    }

    @Test func `a receiver that is too slow gets half as many, and twice as many after each success`() {
        var search = PoisonRecordSearch()
        #expect(search.wasTooSlow(.first(200)) == .backOff)
        #expect(search.portion(of: 200) == .first(100))
        #expect(search.wasTooSlow(.first(100)) == .backOff)
        #expect(search.portion(of: 200) == .first(50))
        #expect(search.taken(50) == .goOn)
        #expect(search.portion(of: 150) == .first(100))
        #expect(!search.isSuspecting && search.isCalm)
    }

    @Test func `a receiver that is down is searched ever more rarely`() {
        var play = Play(.failed, bad: [])
        play.isDown = true
        play.run(Array(0..<64), patience: 400)
        #expect(play.dead == [] && play.taken == [])
        #expect(play.deliveries < 400 + 9 * 10)
    }

    @Test func `a limit is found by halving and remembered, and a poison record does not lower it`() {
        var play = Play(.tooLarge, bad: [])
        play.capacity = 100
        play.run(Array(0..<250))
        #expect(play.taken == Array(0..<250) && play.search.limit == 62)
        #expect(play.search.portion(of: 250) == .first(62))
        var spoilt = Play(.tooLarge, bad: [3])
        spoilt.run(Array(0..<250))
        #expect(spoilt.dead == [3] && spoilt.search.limit == .max)
    }

    @Test func `what was taken before the receiver was unreachable proves nothing afterwards`() {
        var search = PoisonRecordSearch()
        #expect(search.rejected(.first(2), .refused) == .goOn)
        #expect(search.taken(1) == .goOn)
        search.unreachable()
        #expect(search.rejected(.first(1), .refused) == .goOn)
        for _ in 1...2 { #expect(search.taken(1) == .goOn) }
        #expect(search.portion(of: 1) == .first(1))
        search.unreachable()
        #expect(search.portion(of: 1) == .control(accused: 1, tried: 0))
    }

    @Test func `a delivery of which a part was taken leaves the suspicion with the rest`() {
        var search = PoisonRecordSearch()
        #expect(search.rejected(.first(16), .refused) == .goOn)
        #expect(search.portion(of: 16) == .first(8))
        #expect(search.taken(3) == .goOn)
        #expect(search.portion(of: 13) == .first(6))
    }

    @Test func `records that are refused one by one are poison together once another is taken`() {
        var search = PoisonRecordSearch()
        #expect(search.refusedEach(4, of: .first(4)) == .goOn)
        #expect(search.portion(of: 9) == .control(accused: 4, tried: 0))
        #expect(search.refusedEach(1, of: .control(accused: 4, tried: 0)) == .goOn)
        #expect(search.portion(of: 9) == .control(accused: 4, tried: 1))
        for _ in 1...2 { #expect(search.taken(1) == .goOn) }
        #expect(search.portion(of: 9) == .first(4))
        #expect(search.refusedEach(4, of: .first(4)) == .goOn)
        #expect(search.taken(1) == .goOn)
        #expect(search.refusedEach(4, of: .first(4)) == .dead(4))
    }

    @Test(arguments: [.refused, .tooLarge, .failed] as [PoisonRecordSearch.Rejection])
    func `random sets of poison records: nothing good is dead, everything bad is dead, within the bound`(
        _ rejection: PoisonRecordSearch.Rejection
    ) {
        for seed in 1...400 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            let count = Int.random(in: 1...250, using: &random)
            let share = Int.random(in: 1...4, using: &random)
            let bad = Set((0..<count).filter { _ in Int.random(in: 0..<100, using: &random) < share * share * 5 })
            var play = Play(rejection, bad: bad)
            play.others = [1000]
            play.run(Array(0..<count), patience: 10_000)
            #expect(play.dead == bad.sorted() && play.taken == (0..<count).filter { !bad.contains($0) }, "seed \(seed)")
            let retries = rejection == .failed ? 3 : 0
            #expect(
                play.deliveries <= 1 + bad.count * (Self.logarithm(count) + 2 + retries + Self.proof),
                "seed \(seed): \(play.deliveries) for \(bad.count) of \(count)")
        }
    }
}
