internal import Logging

/// Deliveries: the records offered, and the effects of the receiver's reply.
extension SinkDelivery {
    /// Delivers the next portion.
    func send() async {
        do {
            guard try await holdBatch() else { return }
            let offered = delivery.offered
            guard !offered.isEmpty else {
                await settle(PendingDelivery.Part(records: delivery.records))
                return
            }
            let portion = search.portion(of: offered.count)
            guard let batch = try await batch(portion, of: offered) else {
                return await follow(
                    search.noControl(), DeliveryError(.retry(), deliveries.failure ?? "no record is accepted"))
            }
            deliveries.activity = .sending
            deliveries.lastAttempt = wallClock()
            await deliver(batch, portion: portion)
        } catch {
            logger.warning("cannot read the queue", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
            fail("local store: \(error)", retryAfter: nil)
        }
    }

    // MARK: Offered records

    /// Reads the next batch if none is held. Returns whether a batch is held.
    private func holdBatch() async throws(StoreError) -> Bool {
        guard !delivery.isHolding else { return true }
        let size = min(machine.configuration.maxBatchSize, search.limit)
        let changes = queue.changes
        guard let batch = try await store.nextBatch(for: sink.id, limit: size) else {
            noteQueue { $0.foundEmpty(since: changes) }
            return false
        }
        noteQueue { $0.begins(at: batch.records.first?.fix.time) }
        hold(batch)
        return true
    }

    private func hold(_ batch: PendingBatch) {
        let queue = queue
        let isBacklog = queue.count > batch.records.count
        var newest = isBacklog ? queue.newest : nil
        if let last = newest ?? batch.records.last, let draft = undecided(), draft.fix.time > last.fix.time {
            newest = TrackRecord(sequence: last.sequence, draft: draft)
        }
        delivery.hold(batch, newest: newest, isBacklog: isBacklog)
    }

    // MARK: The receiver's reply

    private func deliver(_ batch: RecordBatch, portion: PoisonRecordSearch.Part) async {
        switch await outcome(of: batch, portion) {
        case nil: return
        case .success(let receipt): await accept(receipt, of: batch, portion)
        case .failure(let error):
            guard !Task.isCancelled else { return }
            guard case .first(let count) = portion, delivery.settledDuringDelivery > 0 else {
                return await reject(error, of: batch.records[...], portion)
            }
            succeeded()
            _ = search.taken(delivery.settledDuringDelivery)  // only a rejection produces dead letters
            // All records were confirmed before the failure: no record is the reason.
            guard delivery.settledDuringDelivery < count else {
                return fail(error.reason, retryAfter: error.recovery.wait)
            }
            await reject(
                error, of: batch.records.dropFirst(delivery.settledDuringDelivery),
                .first(count - delivery.settledDuringDelivery))
        }
    }

    private func accept(_ receipt: Receipt, of batch: RecordBatch, _ portion: PoisonRecordSearch.Part) async {
        let settled = batch.records.prefix(max(delivery.settledDuringDelivery, receipt.settled))
        guard !settled.isEmpty else { return fail("the sink settled no record", retryAfter: nil) }
        let refused = Self.refusals(of: settled, receipt)
        guard settled.contains(where: { refused[$0.id] == nil }) else {
            return await refuseEach(settled, refused, portion)
        }
        succeeded()
        switch portion {
        case .first: await settle(settled, refused)
        case .control:
            delivery.tookAhead(settled)
            await follow(search.taken(settled.count), nil)
        }
    }

    /// Settles a receipt that accepts some records. A refused record is held and offered again with others, for as many
    /// rounds as a proof needs: only repeated refusals are a proof. A receipt that accepts a record refused before
    /// proves no fault of any record.
    private func settle(_ records: ArraySlice<TrackRecord>, _ refused: [RecordID: String]) async {
        let taken = records.filter { refused[$0.id] == nil }
        let isContradiction = delivery.isContradicted(by: taken)
        if isContradiction { search.contradicted() }
        let rounds = isContradiction ? Int.max : search.trust.rounds(for: .refused)
        let (done, part) = delivery.receive(records, refused: refused, rounds: rounds)
        // Only a rejection produces dead letters: the verdict after accepted records is always to continue.
        if done > records.startIndex { _ = search.taken(done) } else { search.tookOthers() }
        await settle(part)
    }

    /// Returns the settled records that the receipt refuses, with reasons bounded for storage.
    private static func refusals(of settled: ArraySlice<TrackRecord>, _ receipt: Receipt) -> [RecordID: String] {
        guard !receipt.refused.isEmpty else { return [:] }
        let ids = Set(settled.map(\.id))
        return receipt.refused.filter { ids.contains($0.key) }.mapValues(ReceiverText.bounded)
    }

    /// Notes that the receiver accepted records.
    private func succeeded() {
        machine.succeeded()
        deliveries.tried = 0
        deliveries.lastSuccess = wallClock()
        deliveries.failure = nil
        if let lastRefusal, watch.now >= lastRefusal.advanced(by: Self.refusalIsNews) { deliveries.lastRefusal = nil }
    }

    /// The time for which the reason of a refusal is shown while records are accepted.
    static let refusalIsNews = Duration.seconds(600)

    /// Handles a receipt that refuses all records, each individually.
    private func refuseEach(
        _ records: ArraySlice<TrackRecord>, _ refused: [RecordID: String], _ portion: PoisonRecordSearch.Part
    ) async {
        let reason = records.last.flatMap { refused[$0.id] } ?? "refused by the receiver"
        let error = DeliveryError(.refused, reason)
        note(error)
        for record in records { delivery.accuse(record, refused[record.id] ?? reason, isVerdict: true) }
        await follow(search.refusedEach(records.count, of: portion), error)
    }

    /// Handles a delivery of which the receiver accepted no record.
    private func reject(
        _ error: DeliveryError, of records: ArraySlice<TrackRecord>, _ portion: PoisonRecordSearch.Part
    ) async {
        let error = DeliveryError(error.recovery, ReceiverText.bounded(error.reason))
        note(error)
        func hold(isVerdict: Bool) {
            if records.count == 1, let record = records.first {
                delivery.accuse(record, error.reason, isVerdict: isVerdict)
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
        case .pause: await follow(delivery.isKnown(records) ? .refused : .paused)
        }
    }

    /// Carries out the verdict of the search.
    private func follow(_ verdict: PoisonRecordSearch.Decision, _ error: DeliveryError?) async {
        switch verdict {
        case .goOn:
            if let error { goOn(after: error) }
        case .backOff:
            if search.isSuspecting == false { delivery.endSuspicion() }
            let reason = error?.reason ?? "no record is accepted"
            if error?.recovery == .pause { pause(reason) } else { fail(reason, retryAfter: error?.recovery.wait) }
        case .pause:
            delivery.endSuspicion()
            pause("the receiver takes no record: \(error?.reason ?? "it refuses each")")
        case .dead(let count):
            await deadLetter(first: count)
            if let error, error.recovery.wait != nil { goOn(after: error) }
        }
    }

    /// Continues a search: its rejections are not consecutive failures, but the next step waits as the receiver asks.
    private func goOn(after error: DeliveryError) {
        failed(error.reason)
        if let wait = error.recovery.wait { machine.postponed(by: wait, at: watch.now) }
    }
}

extension DeliveryError.Recovery {
    /// The wait that the receiver asks for.
    fileprivate var wait: Duration? {
        switch self {
        case .retry(let after), .retryUnanswered(let after), .retrySuspectingRecord(let after): after
        case .retrySmaller, .tooLarge, .refused, .pause: nil
        }
    }
}
