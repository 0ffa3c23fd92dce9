internal import Logging

/// Delivering: what is offered, and what follows from the receiver's reply.
extension SinkDrain {
    /// Delivers the next portion.
    func send() async {
        do {
            guard let held = try await heldBatch() else {
                state.queued = 0
                state.oldest = nil
                return
            }
            let offered = held.offered(ahead)
            guard !offered.isEmpty else {
                await settle(held.records, refused: [:])
                return
            }
            let portion = search.portion(of: offered.count)
            guard let batch = try await batch(portion, of: offered, held) else {
                return await follow(search.noControl(), DeliveryError(.retry(), state.failure ?? "nothing is taken"))
            }
            state.activity = .sending
            state.lastAttempt = wallClock()
            await deliver(batch, portion: portion)
        } catch {
            logger.warning("cannot read the queue", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
            fail("local store: \(error)", retryAfter: nil)
        }
    }

    // MARK: What is offered

    private func heldBatch() async throws(StoreError) -> HeldBatch? {
        if let held { return held }
        let size = min(machine.configuration.maxBatchSize, search.limit)
        guard let batch = try await store.nextBatch(for: sink.id, limit: size) else { return nil }
        state.oldest = batch.records.first?.fix.time
        held = outlook(beyond: batch)
        return held
    }

    private func outlook(beyond batch: PendingBatch) -> HeldBatch {
        let isBacklog = state.queued > batch.records.count
        let newest = isBacklog ? newest : nil
        guard let last = newest ?? batch.records.last, let draft = undecided(), draft.fix.time > last.fix.time else {
            return HeldBatch(batch, newest: newest, isBacklog: isBacklog)
        }
        return HeldBatch(batch, newest: TrackRecord(sequence: last.sequence, draft: draft), isBacklog: isBacklog)
    }

    /// What to deliver as the portion; `nil` when a control is wanted and there is none.
    private func batch(
        _ portion: PoisonRecordSearch.Portion, of offered: [TrackRecord], _ held: HeldBatch
    ) async throws(StoreError) -> RecordBatch? {
        switch portion {
        case .first(let count):
            return RecordBatch(
                records: Array(offered.prefix(count)), current: search.isCalm ? held.newest : nil,
                isBacklog: held.isBacklog)
        case .control(let accused, let tried):
            let newest = try await store.backlog(of: sink.id).newest
            let others = Array(offered.dropFirst(accused))
            guard
                let control = try await control(beside: offered[..<min(accused, offered.count)], others, newest, tried)
            else { return nil }
            let isNewest = control.sequence == newest?.sequence
            // Alone: a newest record beside it could be what is rejected.
            return RecordBatch(records: [control], isBacklog: !isNewest)
        }
    }

    /// A record that neither is accused nor has been rejected; one that the receiver has taken only as the last resort.
    private func control(
        beside accused: ArraySlice<TrackRecord>, _ others: [TrackRecord], _ newest: TrackRecord?, _ tried: Int
    ) async throws(StoreError) -> TrackRecord? {
        guard let suspect = accused.last else { return nil }
        func isUsable(_ record: TrackRecord) -> Bool {
            !evidence.contains(record) && !accused.contains { $0.sequence == record.sequence }
                && !ahead.contains(record.sequence)
        }
        if tried == 0, let newest, isUsable(newest) { return newest }
        if tried + 1 == PoisonRecordSearch.maximumControls, let again = ahead.first(after: suspect.sequence) {
            return try await record(at: again)  // sent twice, but known to be good: all others may be poison
        }
        if let newest, held?.origin == .queue {
            for _ in 0..<8 {
                let place = places.next(after: suspect.sequence, newest: newest.sequence)
                if let record = try await record(at: place), isUsable(record) { return record }
            }
        }
        if let other = others.last(where: isUsable) { return other }
        if let again = ahead.first(after: suspect.sequence) { return try await record(at: again) }
        return search.isChecking ? oneOf(accused) : nil
    }

    /// One of several records of which most are good: nothing else waits.
    private func oneOf(_ records: ArraySlice<TrackRecord>) -> TrackRecord? {
        guard records.count > 1, let first = records.first, let last = records.last else { return nil }
        let place = places.next(after: first.sequence, newest: last.sequence)
        return records.first { $0.sequence >= place } ?? last
    }

    /// The record with a sequence number, or the next one after it.
    private func record(at place: RecordSequence) async throws(StoreError) -> TrackRecord? {
        let before = RecordSequence(rawValue: max(0, place.rawValue - 1))
        return try await store.records(after: before, limit: 1).first
    }

    // MARK: The receiver's reply

    private func deliver(_ batch: RecordBatch, portion: PoisonRecordSearch.Portion) async {
        switch await outcome(of: batch, portion) {
        case .success(let receipt): await accept(receipt, of: batch, portion)
        case .failure(let error):
            guard !Task.isCancelled else { return }
            guard case .first(let count) = portion, settledDuringDelivery > 0 else {
                return await reject(error, of: batch.records[...], portion)
            }
            succeeded()
            _ = search.taken(settledDuringDelivery)  // only a rejection condemns
            // Everything was confirmed before the failure: no record is to blame.
            guard settledDuringDelivery < count else { return fail(error.reason, retryAfter: error.recovery.wait) }
            await reject(
                error, of: batch.records.dropFirst(settledDuringDelivery), .first(count - settledDuringDelivery))
        }
    }

    private func accept(_ receipt: Receipt, of batch: RecordBatch, _ portion: PoisonRecordSearch.Portion) async {
        let settled = batch.records.prefix(max(settledDuringDelivery, receipt.settled))
        guard !settled.isEmpty else { return fail("the sink settled nothing", retryAfter: nil) }
        let refused = Self.refusals(of: settled, receipt)
        guard settled.contains(where: { refused[$0.id] == nil }) else {
            return await refuseEach(settled, refused, portion)
        }
        succeeded()
        switch portion {
        case .first: await settle(settled, refused)
        case .control:
            for record in settled { ahead.insert(record.sequence) }
            await follow(search.taken(settled.count), nil)
        }
    }

    /// Settles a receipt of which some was taken. A record that it refuses is kept and offered again, beside others,
    /// as often as a proof has rounds: only repeated refusals prove anything. A receipt that takes what was refused
    /// before proves nothing at all.
    private func settle(_ records: ArraySlice<TrackRecord>, _ refused: [RecordID: String]) async {
        let taken = records.filter { refused[$0.id] == nil }
        let isContradiction = taken.contains(where: evidence.contains)
        if isContradiction { search.contradicted() }
        let rounds = isContradiction ? Int.max : search.trust.rounds(for: .refused)
        // Also where there is no room to remember it, or what was taken after it: then these are sent again.
        let kept = records.firstIndex { refused[$0.id] != nil && evidence.times($0) < rounds } ?? records.endIndex
        for record in records {
            if let reason = refused[record.id] { evidence.add(record, reason, isVerdict: true) }
        }
        for record in records[kept...] where refused[record.id] == nil { ahead.insert(record.sequence) }
        // Only a rejection condemns: what the search says to what was taken is always to go on.
        if kept > records.startIndex { _ = search.taken(kept) } else { search.tookOthers() }
        let rest = kept - settledDuringDelivery
        let dead = Set(records[..<kept].map(\.id))
        if rest > 0 {
            await settle(held?.prefix(covering: rest, ahead) ?? [], refused: refused.filter { dead.contains($0.key) })
        }
    }

    /// What of the settled records the receipt refuses, with reasons fit to be kept.
    private static func refusals(of settled: ArraySlice<TrackRecord>, _ receipt: Receipt) -> [RecordID: String] {
        guard !receipt.refused.isEmpty else { return [:] }
        let ids = Set(settled.map(\.id))
        return receipt.refused.filter { ids.contains($0.key) }.mapValues(ReceiverText.bounded)
    }

    /// The receiver took something.
    private func succeeded() {
        machine.succeeded()
        state.tried = 0
        state.lastSuccess = wallClock()
        state.failure = nil
        if let lastRefusal, watch.now >= lastRefusal.advanced(by: Self.refusalIsNews) { state.lastRefusal = nil }
    }

    /// For how long the reason of a refusal is shown while records are taken.
    static let refusalIsNews = Duration.seconds(600)

    /// The receiver refused all records of a receipt, each by itself.
    private func refuseEach(
        _ records: ArraySlice<TrackRecord>, _ refused: [RecordID: String], _ portion: PoisonRecordSearch.Portion
    ) async {
        let reason = records.last.flatMap { refused[$0.id] } ?? "refused by the receiver"
        let error = DeliveryError(.refused, reason)
        note(error)
        for record in records { evidence.add(record, refused[record.id] ?? reason, isVerdict: true) }
        await follow(search.refusedEach(records.count, of: portion), error)
    }

    /// The receiver took none of the records.
    private func reject(
        _ error: DeliveryError, of records: ArraySlice<TrackRecord>, _ portion: PoisonRecordSearch.Portion
    ) async {
        let error = DeliveryError(error.recovery, ReceiverText.bounded(error.reason))
        note(error)
        func hold(isVerdict: Bool) {
            if records.count == 1, let record = records.first {
                evidence.add(record, error.reason, isVerdict: isVerdict)
            }
        }
        func follow(_ rejection: PoisonRecordSearch.Rejection) async {
            hold(isVerdict: rejection < .unanswered)
            await self.follow(search.rejected(portion, rejection), error)
        }
        switch error.recovery {
        case .retry:
            search.unreachable()
            await self.follow(.backOff, error)
        case .retrySmaller:
            hold(isVerdict: false)
            await self.follow(search.wasTooSlow(portion), error)
        case .retryUnanswered: await follow(.unanswered)
        case .retrySuspectingRecord: await follow(.failed)
        case .tooLarge: await follow(.tooLarge)
        case .refused: await follow(.refused)
        case .pause: await follow(isKnown(records) ? .refused : .paused)
        }
    }

    /// Whether the receiver turns away nothing but records that it has rejected by themselves before: that is about the
    /// records, not about this client.
    private func isKnown(_ records: ArraySlice<TrackRecord>) -> Bool {
        !records.isEmpty && records.allSatisfy(evidence.isVerdict)
    }

    /// Does what the search says.
    private func follow(_ verdict: PoisonRecordSearch.Verdict, _ error: DeliveryError?) async {
        switch verdict {
        case .goOn:
            if let error { goOn(after: error) }
        case .backOff:
            if search.isSuspecting == false { endSuspicion() }
            let reason = error?.reason ?? "nothing is taken"
            if error?.recovery == .pause { pause(reason) } else { fail(reason, retryAfter: error?.recovery.wait) }
        case .pause:
            endSuspicion()
            pause("the receiver takes no record: \(error?.reason ?? "it refuses each")")
        case .dead(let count):
            await deadLetter(first: count)
            if let error, error.recovery.wait != nil { goOn(after: error) }
        }
    }

    /// A rejection that is a step of a search is no failure in a row, but the next step waits as the receiver asks.
    private func goOn(after error: DeliveryError) {
        failed(error.reason)
        if let wait = error.recovery.wait { machine.postponed(by: wait, at: watch.now) }
    }

    /// The accused are forgotten: they are dead, or nothing is known about them.
    func endSuspicion() {
        evidence.removeAll()
    }

    // MARK: Failures

    private func note(_ error: DeliveryError) {
        logger.notice("delivery failed", metadata: ["sink": "\(sink.id)", "reason": "\(error.reason)"])
    }

    private func failed(_ reason: String) {
        state.lastFailure = wallClock()
        state.failure = reason
    }

    private func fail(_ reason: String, retryAfter: Duration?) {
        failed(reason)
        machine.failed(at: watch.now, retryAfter: retryAfter, using: &generator)
        state.tried = machine.tried
    }

    private func pause(_ reason: String) {
        failed(reason)
        machine.paused(at: watch.now)
        state.tried = machine.tried
    }

    // MARK: Settling

    /// Makes the first so many of the offered records dead letters, each with its own reason.
    private func deadLetter(first count: Int) async {
        guard let held else { return }
        let poison = held.offered(ahead).prefix(count)
        let unnamed = state.failure ?? "refused by the receiver"
        let refused = Dictionary(poison.map { ($0.id, evidence.reason(for: $0) ?? unnamed) }) { first, _ in first }
        state.failure = nil
        await settle(held.prefix(covering: poison.count, ahead), refused: refused)
    }

    /// Settles the first records of the batch; whether the store did.
    @discardableResult
    func settle(_ records: [TrackRecord], refused: [RecordID: String]) async -> Bool {
        guard let held, !records.isEmpty else { return true }
        let settlement = Settlement(origin: held.origin, records: records, refused: refused, time: wallClock())
        let counted = counts
        do {
            // Not to be undone by a stop: what the receiver has confirmed is settled even while the drain is cancelled.
            try await Task { [store, sink] in try await store.settle(settlement, for: sink.id) }.value
        } catch {
            logger.warning("cannot settle", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
            fail("local store: \(error)", retryAfter: nil)
            return false
        }
        self.held?.settled(records.count)
        if self.held?.records.isEmpty == true { self.held = nil }
        ahead.settled(records, from: held.origin)
        evidence.remove(records)
        count(records, refused)
        if counts != counted { await countBacklog() }  // that count may have left these records out already
        onSettled()
        return true
    }

    private func count(_ records: [TrackRecord], _ refused: [RecordID: String]) {
        state.delivered += records.count - refused.count
        state.refused += refused.count
        state.queued = max(0, state.queued - records.count)
        news += 1  // a count of the backlog that began before does not know of this
        state.oldest = held?.records.first?.fix.time
        guard let reason = records.last(where: { refused[$0.id] != nil }).flatMap({ refused[$0.id] }) else { return }
        state.lastRefusal = reason
        lastRefusal = watch.now
        notice.add(refused.count, reason: reason)
        if let line = notice.line(at: watch.now) { log(line) }
    }

    func log(_ line: DeadLetterNotice.Line) {
        logger.warning(
            "records refused for good",
            metadata: ["sink": "\(sink.id)", "count": "\(line.count)", "reason": "\(line.reason)"])
    }
}

extension DeliveryError.Recovery {
    /// How long the receiver asks to be left alone.
    fileprivate var wait: Duration? {
        switch self {
        case .retry(let after), .retryUnanswered(let after), .retrySuspectingRecord(let after): after
        case .retrySmaller, .tooLarge, .refused, .pause: nil
        }
    }
}
