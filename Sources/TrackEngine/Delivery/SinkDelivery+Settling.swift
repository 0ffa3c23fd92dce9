internal import Logging

/// Settling, in the store, records that the server has accepted or refused for good.
extension SinkDelivery {
    /// Makes the first `count` offered records dead letters, each with its own reason.
    func deadLetter(first count: Int) async {
        let reason = deliveries.failure ?? "refused by the receiver"
        deliveries.failure = nil
        await settle(delivery.settlement(deadLetters: count, otherwise: reason, at: wallClock()))
    }

    /// Settles the first records of the batch. Returns whether the store succeeded.
    @discardableResult
    func settle(_ settlement: Settlement?) async -> Bool {
        guard let settlement else { return true }
        let counts = queue.counts
        do {
            // A separate task, because a stop must not undo it: confirmed records are settled even while the delivery is
            // cancelled.
            try await Task { [store, sink] in try await store.settle(settlement, for: sink.id) }.value
        } catch {
            logger.warning("cannot settle", metadata: ["sink": "\(sink.id)", "error": "\(error)"])
            fail("local store: \(error)", retryAfter: nil)
            return false
        }
        delivery.settled(settlement.records)
        count(settlement)
        if queue.counts != counts { await countBacklog() }  // that count may have left these records out already
        onSettled()
        return true
    }

    private func count(_ settlement: Settlement) {
        let (records, refused) = (settlement.records, settlement.refused)
        let carried = records.count { sink.carries($0) }
        deliveries.passedOver += records.count - carried
        deliveries.delivered += carried - refused.count
        deliveries.refused += refused.count
        let oldest = delivery.records.first?.fix.time
        noteQueue { $0.settled(records.count, oldest: oldest) }
        guard let reason = records.last(where: { refused[$0.id] != nil }).flatMap({ refused[$0.id] }) else { return }
        deliveries.lastRefusal = reason
        lastRefusal = watch.now
        notice.add(refused.count, reason: reason)
        if let line = notice.line(at: watch.now) { log(line) }
    }

    func log(_ line: DeadLetterLog.Line) {
        logger.warning(
            "records refused for good",
            metadata: ["sink": "\(sink.id)", "count": "\(line.count)", "reason": "\(line.reason)"])
    }
}
