/// The records that wait for one sink, as known without a query of the store. A pure value.
///
/// It is updated by source processors, with records that they have stored, and by the delivery, with records that it
/// has settled or counted in the store. A count takes time, so a count during which there was another update is
/// discarded.
package struct SinkBacklog: Sendable {
    /// The number of waiting records.
    package private(set) var count = 0
    /// The time of the oldest of them.
    package private(set) var oldest: Timestamp?
    /// The newest of them.
    package private(set) var newest: TrackRecord?
    /// The number of updates other than counts: a count that began before the last update is out of date.
    package private(set) var changes = 0
    /// The number of counts of the store, to notice a count that ends during a settlement.
    package private(set) var counts = 0
    /// Whether a record came since the last check that must not wait for the threshold.
    private var bypassesThreshold = false

    package init() {}

    /// Adds records that were stored, oldest first.
    ///
    /// - Parameter kinds: the kinds that the sink can carry: events of other kinds do not hurry it.
    package mutating func stored(_ records: [TrackRecord], kinds: RecordKinds = .all) {
        guard let first = records.first, let last = records.last else { return }
        if count == 0 { oldest = first.fix.time }
        count += records.count
        // Two processors may report their records in another order than the store's. An event does not show the object's
        // present position, so it is used only while there is no position.
        if let position = records.last(where: { $0.kind == .location }) ?? (newest == nil ? last : nil),
            newest.map({ $0.sequence < position.sequence || $0.kind != .location }) ?? true
        {
            newest = position
        }
        changes += 1
        if records.contains(where: { $0.isUrgent && kinds.contains($0.kind) }) { bypassesThreshold = true }
    }

    /// Removes settled records. `oldest` is the time of the oldest one left, if known.
    package mutating func settled(_ settled: Int, oldest: Timestamp?) {
        count = max(0, count - settled)
        self.oldest = oldest
        changes += 1
    }

    /// Takes over a count of the store.
    ///
    /// - Parameter changes: the value of ``changes`` when the count began.
    /// - Returns: whether the count is valid; if not, the state has changed meanwhile, and the store must be counted
    ///   again.
    package mutating func counted(_ backlog: Backlog, since changes: Int) -> Bool {
        counts += 1
        guard changes == self.changes else { return false }
        (count, oldest, newest) = (backlog.count, backlog.oldest, backlog.newest)
        return true
    }

    /// Notes that the store had no record for the sink, in a query made when ``changes`` had this value.
    package mutating func foundEmpty(since changes: Int) {
        guard changes == self.changes else { return }
        (count, oldest) = (0, nil)
    }

    /// Notes that the next batch begins with a record of this time.
    package mutating func begins(at oldest: Timestamp?) { self.oldest = oldest }

    /// Returns whether a record came, since the last call, that must not wait for the threshold.
    package mutating func takeBypass() -> Bool {
        defer { bypassesThreshold = false }
        return bypassesThreshold
    }
}

extension TrackRecord {
    /// Whether the record is more urgent than a position.
    fileprivate var isUrgent: Bool { event != nil || kind != .location && kind != .heartbeat }
}
