extension StoreLaws.Law {
    /// What a store must have for the law to be about it.
    var needs: Set<StoreLaws.Capability> {
        switch self {
        case .keepsCheckpoints, .remembersCheckpoints: [.checkpoints]
        case .listsTheRefused, .deadLettersOutliveTheirRecords, .requeuedComeFirst, .refusesAgain,
            .selectsDeadLetters, .boundsDeadLetters, .remembersDeadLetters:
            [.deadLetters]
        case .dropsAgedDeadLetters, .dropsDeadLettersBeforeRecords, .keepsTheAgedUnderAnUnconfirmedClock:
            [.deadLetters, .retention]
        case .keepsSyncedDays, .keepsSyncedDaysWhateverTheClock, .dropsTheAged, .doubtsAClockFarAhead,
            .holdsAtMostMaxRecords, .withoutSinksOnlyLimitsRemove, .remembersDrops:
            [.retention]
        case .agreesWithTheModel: Set(StoreLaws.Capability.allCases)
        case .keepsWhatItAcknowledged, .givesEachNumberOnce, .readsPageByPage, .keepsConcurrentAppends,
            .refusesEverythingOnceClosed, .deliversInOrder, .repeatsUntilSettled, .settlesNoMoreThanAsked,
            .settlesOnlyOnce, .keepsCursorsApart, .countsTheBacklog, .pruningSparesWhatASinkNeeds,
            .pruningRemovesTheSettled, .clearsEverything, .remembersRecords, .remembersCursors,
            .continuesNumbersAfterReopening:
            []
        }
    }

    /// Whether the law closes the store and opens it again.
    var isAboutReopening: Bool {
        switch self {
        case .remembersRecords, .remembersCursors, .remembersDeadLetters, .remembersCheckpoints,
            .continuesNumbersAfterReopening, .remembersDrops:
            true
        case .keepsWhatItAcknowledged, .givesEachNumberOnce, .readsPageByPage, .keepsConcurrentAppends,
            .keepsCheckpoints, .refusesEverythingOnceClosed, .deliversInOrder, .repeatsUntilSettled,
            .settlesNoMoreThanAsked, .settlesOnlyOnce, .keepsCursorsApart, .countsTheBacklog, .listsTheRefused,
            .deadLettersOutliveTheirRecords, .requeuedComeFirst, .refusesAgain, .selectsDeadLetters,
            .pruningSparesWhatASinkNeeds, .pruningRemovesTheSettled, .keepsSyncedDays,
            .keepsSyncedDaysWhateverTheClock, .dropsTheAged, .doubtsAClockFarAhead,
            .keepsTheAgedUnderAnUnconfirmedClock, .dropsAgedDeadLetters, .boundsDeadLetters,
            .dropsDeadLettersBeforeRecords, .holdsAtMostMaxRecords, .withoutSinksOnlyLimitsRemove,
            .clearsEverything, .agreesWithTheModel:
            false
        }
    }
}
