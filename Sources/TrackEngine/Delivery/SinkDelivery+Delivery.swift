internal import Logging

/// Deliveries: the records offered, and the effects of the server's reply.
extension SinkDelivery {
    /// Delivers the next portion.
    func send() async {
        do {
            guard try await holdBatch() else { return }
            let offered = delivery.offered
            guard !offered.isEmpty else {
                await settle(delivery.settlementWithoutDelivery(at: wallClock()))
                return
            }
            let portion = delivery.isolation.portion(of: offered.count)
            guard let batch = try await batch(portion, of: offered) else {
                return await follow(
                    delivery.isolation.next(after: .noControl, of: portion),
                    DeliveryError(.retry(), deliveries.failure ?? "no record is accepted"))
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
        let size = min(machine.configuration.maxBatchSize, delivery.isolation.limit)
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

    // MARK: The server's reply

    private func deliver(_ batch: RecordBatch, portion: RecordIsolation.Portion) async {
        switch await outcome(of: batch, portion) {
        case nil: return
        case .success(let receipt): await accept(receipt, of: batch, portion)
        case .failure(let error):
            guard !Task.isCancelled else { return }
            guard case .first(let count) = portion, delivery.settledDuringDelivery > 0 else {
                return await reject(error, of: batch.records[...], portion)
            }
            succeeded()
            // Only a rejection produces dead letters.
            _ = delivery.isolation.next(after: .accepted(delivery.settledDuringDelivery), of: portion)
            // All records were confirmed before the failure: no record is the reason.
            guard delivery.settledDuringDelivery < count else {
                return fail(error.reason, retryAfter: error.recovery.wait)
            }
            await reject(
                error, of: batch.records.dropFirst(delivery.settledDuringDelivery),
                .first(count - delivery.settledDuringDelivery))
        }
    }

    private func accept(_ receipt: Receipt, of batch: RecordBatch, _ portion: RecordIsolation.Portion) async {
        let settled = batch.records.prefix(max(delivery.settledDuringDelivery, receipt.settled))
        guard !settled.isEmpty else { return fail("the sink settled no record", retryAfter: nil) }
        let refused = Self.refusals(of: settled, receipt)
        guard settled.contains(where: { refused[$0.id] == nil }) else {
            return await refuseEach(settled, refused, portion)
        }
        succeeded()
        switch portion {
        case .first: await settle(delivery.receive(settled, refused: refused, at: wallClock()))
        case .control:
            delivery.tookAhead(settled)
            await follow(delivery.isolation.next(after: .accepted(settled.count), of: portion), nil)
        }
    }

    /// Returns the settled records that the receipt refuses, with reasons bounded for storage.
    private static func refusals(of settled: ArraySlice<TrackRecord>, _ receipt: Receipt) -> [RecordID: String] {
        guard !receipt.refused.isEmpty else { return [:] }
        let ids = Set(settled.map(\.id))
        return receipt.refused.filter { ids.contains($0.key) }.mapValues(ReceiverText.bounded)
    }

    /// Notes that the server accepted records.
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
        _ records: ArraySlice<TrackRecord>, _ refused: [RecordID: String], _ portion: RecordIsolation.Portion
    ) async {
        let reason = records.last.flatMap { refused[$0.id] } ?? "refused by the receiver"
        let error = DeliveryError(.rejected, reason)
        note(error)
        await follow(delivery.isolation.next(after: .refusedEach(records, refused), of: portion), error)
    }

    /// Handles a delivery of which the server accepted no record.
    private func reject(
        _ error: DeliveryError, of records: ArraySlice<TrackRecord>, _ portion: RecordIsolation.Portion
    ) async {
        let error = DeliveryError(error.recovery, ReceiverText.bounded(error.reason))
        note(error)
        await follow(delivery.isolation.next(after: .failed(records, error), of: portion), error)
    }

    /// Carries out the decision about the records.
    private func follow(_ decision: RecordIsolation.Decision, _ error: DeliveryError?) async {
        switch decision {
        case .goOn:
            if let error { goOn(after: error) }
        case .backOff:
            let reason = error?.reason ?? "no record is accepted"
            if error?.recovery == .needsOperator {
                pause(reason)
            } else {
                fail(reason, retryAfter: error?.recovery.wait)
            }
        case .pause: pause("the receiver takes no record: \(error?.reason ?? "it refuses each")")
        case .dead(let count):
            await deadLetter(first: count)
            if let error, error.recovery.wait != nil { goOn(after: error) }
        }
    }

    /// Continues a search: its rejections are not consecutive failures, but the next step waits as the server asks.
    private func goOn(after error: DeliveryError) {
        failed(error.reason)
        if let wait = error.recovery.wait { machine.postponed(by: wait, at: watch.now) }
    }
}

extension DeliveryError.Recovery {
    /// The wait that the server asks for.
    fileprivate var wait: Duration? {
        switch self {
        case .retry(let after, _): after
        case .smaller, .rejected, .needsOperator: nil
        }
    }
}
