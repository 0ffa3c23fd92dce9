import Testing
import TrackEngine
import TrackEngineTestKit

/// The laws of stores, tested by stores that break them.
@Suite struct StoreLawsTests {
    /// Which law must notice which fault; others may notice it too.
    private static let noticedBy: [MutantStore.Fault: StoreLaws.Law] = [
        .forgetsARecord: .keepsWhatItAcknowledged,
        .acknowledgesBeforeKeeping: .keepsWhatItAcknowledged,
        .reordersARead: .readsPageByPage,
        .reusesNumbers: .givesEachNumberOnce,
        .repeatsNothing: .repeatsUntilSettled,
        .settlesMoreThanAsked: .settlesNoMoreThanAsked,
        .settlesForAllSinks: .keepsCursorsApart,
        .forgetsSettlements: .deliversInOrder,
        .losesDeadLetters: .listsTheRefused,
        .mixesRequeuedWithOthers: .requeuedComeFirst,
        .requeuesForEverySink: .selectsDeadLetters,
        .prunesAheadOfSlowSinks: .pruningSparesWhatASinkNeeds,
        .countsNoDrops: .holdsAtMostMaxRecords,
        .keepsStaleCheckpoints: .keepsCheckpoints,
        .answersOnceClosed: .refusesEverythingOnceClosed,
        .believesAnyClock: .doubtsAClockFarAhead,
        .ignoresMaxRecords: .holdsAtMostMaxRecords,
        .believesAnUnconfirmedClock: .keepsTheAgedUnderAnUnconfirmedClock,
        .forgetsAges: .dropsAgedDeadLetters,
        .boundsNoDeadLetters: .boundsDeadLetters,
        .keepsDeadLettersInsteadOfRecords: .dropsDeadLettersBeforeRecords,
    ]

    @Test(arguments: MutantStore.Fault.allCases)
    func `a law notices the fault`(_ fault: MutantStore.Fault) async throws {
        let law = try #require(Self.noticedBy[fault])
        let violations = try await StoreLaws(make: { MutantStore(fault: fault) }).violations(of: law)
        #expect(violations.contains { $0.law == law.rawValue })
    }

    /// The comparison with the model never closes, turns the clock far ahead, or fills a store.
    private static let unseenByTheModel: Set<MutantStore.Fault> = [
        .answersOnceClosed, .believesAnyClock, .boundsNoDeadLetters, .keepsDeadLettersInsteadOfRecords,
    ]

    @Test(arguments: MutantStore.Fault.allCases.filter { !unseenByTheModel.contains($0) })
    func `the comparison with the model notices it too`(_ fault: MutantStore.Fault) async throws {
        let laws = StoreLaws(make: { MutantStore(fault: fault) }, seeds: 0..<50)
        let violations = try await laws.violations(of: .agreesWithTheModel)
        #expect(violations.first?.seen.hasPrefix("seed ") == true, "nothing was noticed")
    }

    @Test func `all laws together name those that are broken`() async throws {
        let laws = StoreLaws(make: { MutantStore(fault: .losesDeadLetters) }, seeds: 0..<5)
        let broken = Set(try await laws.violations().map(\.law))
        #expect(broken.contains("listsTheRefused"))
        #expect(!broken.contains("keepsWhatItAcknowledged"))
    }
}
