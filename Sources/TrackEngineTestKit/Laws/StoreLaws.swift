public import TrackEngine

/// The laws that every ``/TrackEngine/FixStore`` keeps, as checks that any test can run on any store.
///
/// ```swift
/// let report = try await StoreLaws { InMemoryFixStore() }.report()
/// #expect(report.violations == [], "\(report)")
/// ```
///
/// What a store does not have (``Capability``, or files to open again) is not examined, and the report says so.
/// ``violations(of:)`` takes one law at a time, for tests with a case for each.
public struct StoreLaws: Laws {
    /// The laws by name.
    public enum Law: String, Sendable, CaseIterable {
        // Records
        /// What an append answers is what can be read.
        case keepsWhatItAcknowledged
        /// Sequence numbers rise and are never given twice.
        case givesEachNumberOnce
        /// Pages that follow each other show every record once.
        case readsPageByPage
        /// Appends at the same time all take effect, each in one piece.
        case keepsConcurrentAppends
        /// The last checkpoint of each source can be read until it is forgotten.
        case keepsCheckpoints
        /// After `close()` every call throws ``/TrackEngine/StoreError/Code/closed``.
        case refusesEverythingOnceClosed
        // Delivery
        /// A sink gets the oldest records first.
        case deliversInOrder
        /// A batch comes again until it is settled.
        case repeatsUntilSettled
        /// Settling a part leaves the rest.
        case settlesNoMoreThanAsked
        /// Settling once more changes nothing.
        case settlesOnlyOnce
        /// What one sink settles is still there for the others.
        case keepsCursorsApart
        /// The backlog is what the sink has not settled.
        case countsTheBacklog
        // Dead letters
        /// What a receiver refuses is listed with its reason.
        case listsTheRefused
        /// A dead letter is still there when its record has been pruned.
        case deadLettersOutliveTheirRecords
        /// What somebody puts back comes before the queue, in a batch of its own.
        case requeuedComeFirst
        /// What was put back and is refused again is a dead letter again.
        case refusesAgain
        /// Putting back and dropping touch what was selected, and nothing else.
        case selectsDeadLetters
        // Retention
        /// Pruning leaves what a sink has not settled.
        case pruningSparesWhatASinkNeeds
        /// Pruning removes what every sink has settled.
        case pruningRemovesTheSettled
        /// What is settled stays for `keepSyncedDays`.
        case keepsSyncedDays
        /// A clock that goes back and forth, or that nothing confirms, shortens no `keepSyncedDays`.
        case keepsSyncedDaysWhateverTheClock
        /// What is older than `maxDaysToPersist` goes, and is counted as dropped.
        case dropsTheAged
        /// A clock that has jumped ahead does not empty the store.
        case doubtsAClockFarAhead
        /// An age that only an unconfirmed clock claims removes nothing.
        case keepsTheAgedUnderAnUnconfirmedClock
        /// Dead letters older than `maxDaysToPersist` go, and are counted as dropped.
        case dropsAgedDeadLetters
        /// Dead letters have a bound where records have none.
        case boundsDeadLetters
        /// Under a quota of bytes dead letters go before what a sink has not had.
        case dropsDeadLettersBeforeRecords
        /// Beyond `maxRecords` the oldest go first.
        case holdsAtMostMaxRecords
        /// With no sink, only limits remove records.
        case withoutSinksOnlyLimitsRemove
        /// Clearing leaves nothing, and numbers go on.
        case clearsEverything
        // Durability; not examined when there is no `reopen`
        /// Records are there after reopening.
        case remembersRecords
        /// What was settled stays settled after reopening.
        case remembersCursors
        /// Dead letters are there after reopening.
        case remembersDeadLetters
        /// Checkpoints are there after reopening.
        case remembersCheckpoints
        /// No number is given again after reopening.
        case continuesNumbersAfterReopening
        /// The count of drops goes on after reopening.
        case remembersDrops
        // All at once
        /// Random calls have the answers that a simple model gives.
        case agreesWithTheModel
    }

    /// Makes an empty store.
    public typealias Make = @Sendable () async throws -> any FixStore
    /// Ends a store, in order or not, and opens what it has kept.
    public typealias Reopen = @Sendable (any FixStore) async throws -> any FixStore

    /// What not every store has: one that only keeps and delivers has none of it.
    public enum Capability: Sendable, Hashable, CaseIterable {
        /// It keeps checkpoints.
        case checkpoints
        /// It keeps dead letters.
        case deadLetters
        /// It applies the limits of a ``/TrackEngine/RetentionConfiguration``.
        case retention
    }

    let capabilities: Set<Capability>
    let make: Make
    let reopen: Reopen?
    let seeds: Range<UInt64>

    /// Prepares the laws for a kind of store.
    ///
    /// - Parameters:
    ///   - capabilities: what the store has; by default everything.
    ///   - make: makes an empty store.
    ///   - reopen: `nil` for a store that lives as long as its process.
    ///   - seeds: the random sequences that ``Law/agreesWithTheModel`` tries; a violation names its seed.
    public init(
        capabilities: Set<Capability> = Set(Capability.allCases), make: @escaping Make, reopen: Reopen? = nil,
        seeds: Range<UInt64> = 0..<20
    ) {
        self.capabilities = capabilities
        self.make = make
        self.reopen = reopen
        self.seeds = seeds
    }

    /// What an examination by all laws sees.
    ///
    /// - Throws: what making a store throws; the store's own errors are judged, not thrown.
    public func report() async throws -> LawReport {
        var findings: [LawReport.Finding] = []
        for law in Law.allCases {
            if let missing = missing(for: law) {
                findings.append(.init(law: law.rawValue, verdict: .notExamined, seen: missing))
                continue
            }
            let violations = try await violations(of: law)
            findings += violations.map { .init(law: $0.law, verdict: .violated, seen: $0.seen) }
            if violations.isEmpty { findings.append(.init(law: law.rawValue, verdict: .kept, seen: "")) }
        }
        return LawReport(findings: findings)
    }

    /// What a law needs that the store does not have, in words; `nil` if it can be examined.
    private func missing(for law: Law) -> String? {
        if reopen == nil, law.isAboutReopening { return "the store is not opened again" }
        let missing = law.needs.subtracting(capabilities).map { "\($0)" }.sorted()
        return missing.isEmpty ? nil : "the store has no \(missing.joined(separator: ", "))"
    }

    /// Checks one law; a law that needs what the store does not have finds nothing.
    ///
    /// - Throws: what making a store throws; the store's own errors are judged, not thrown.
    public func violations(of law: Law) async throws -> [LawViolation] {
        guard missing(for: law) == nil else { return [] }
        if law == .agreesWithTheModel { return try await modelViolations() }
        let store = try await make()
        var witness = LawWitness(law)
        do {
            try await check(law, store, &witness)
        } catch let error as StoreError {
            witness.expect(false, "the store threw \(error)")
        }
        await store.close()
        return witness.violations
    }

    private func check(_ law: Law, _ store: any FixStore, _ witness: inout LawWitness) async throws {
        switch law {
        case .keepsWhatItAcknowledged: try await keepsWhatItAcknowledged(store, &witness)
        case .givesEachNumberOnce: try await givesEachNumberOnce(store, &witness)
        case .readsPageByPage: try await readsPageByPage(store, &witness)
        case .keepsConcurrentAppends: try await keepsConcurrentAppends(store, &witness)
        case .keepsCheckpoints: try await keepsCheckpoints(store, &witness)
        case .refusesEverythingOnceClosed: try await refusesEverythingOnceClosed(store, &witness)
        case .deliversInOrder: try await deliversInOrder(store, &witness)
        case .repeatsUntilSettled: try await repeatsUntilSettled(store, &witness)
        case .settlesNoMoreThanAsked: try await settlesNoMoreThanAsked(store, &witness)
        case .settlesOnlyOnce: try await settlesOnlyOnce(store, &witness)
        case .keepsCursorsApart: try await keepsCursorsApart(store, &witness)
        case .countsTheBacklog: try await countsTheBacklog(store, &witness)
        case .listsTheRefused: try await listsTheRefused(store, &witness)
        case .deadLettersOutliveTheirRecords: try await deadLettersOutliveTheirRecords(store, &witness)
        case .requeuedComeFirst: try await requeuedComeFirst(store, &witness)
        case .refusesAgain: try await refusesAgain(store, &witness)
        case .selectsDeadLetters: try await selectsDeadLetters(store, &witness)
        case .pruningSparesWhatASinkNeeds: try await pruningSparesWhatASinkNeeds(store, &witness)
        case .pruningRemovesTheSettled: try await pruningRemovesTheSettled(store, &witness)
        case .keepsSyncedDays: try await keepsSyncedDays(store, &witness)
        case .keepsSyncedDaysWhateverTheClock: try await keepsSyncedDaysWhateverTheClock(store, &witness)
        case .dropsTheAged: try await dropsTheAged(store, &witness)
        case .doubtsAClockFarAhead: try await doubtsAClockFarAhead(store, &witness)
        case .keepsTheAgedUnderAnUnconfirmedClock:
            try await keepsTheAgedUnderAnUnconfirmedClock(store, &witness)
        case .dropsAgedDeadLetters: try await dropsAgedDeadLetters(store, &witness)
        case .boundsDeadLetters: try await boundsDeadLetters(store, &witness)
        case .dropsDeadLettersBeforeRecords: try await dropsDeadLettersBeforeRecords(store, &witness)
        case .holdsAtMostMaxRecords: try await holdsAtMostMaxRecords(store, &witness)
        case .withoutSinksOnlyLimitsRemove: try await withoutSinksOnlyLimitsRemove(store, &witness)
        case .clearsEverything: try await clearsEverything(store, &witness)
        case .remembersRecords: try await remembersRecords(store, &witness)
        case .remembersCursors: try await remembersCursors(store, &witness)
        case .remembersDeadLetters: try await remembersDeadLetters(store, &witness)
        case .remembersCheckpoints: try await remembersCheckpoints(store, &witness)
        case .continuesNumbersAfterReopening: try await continuesNumbersAfterReopening(store, &witness)
        case .remembersDrops: try await remembersDrops(store, &witness)
        case .agreesWithTheModel: break
        }
    }
}
