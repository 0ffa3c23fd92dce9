/// What waits for one sink, as far as is known without asking the store. A pure value.
///
/// Two tell it: lanes, of records that they have stored, and the drain, of what it has settled or counted in the store. A
/// count takes time, so one that was overtaken by other news is not believed.
package struct WaitingRecords: Sendable {
    /// How many records wait.
    package private(set) var count = 0
    /// The time of the oldest of them.
    package private(set) var oldest: Timestamp?
    /// The newest of them.
    package private(set) var newest: TrackRecord?
    /// How often something else than a count has changed this: a count that began before the last change is out of date.
    package private(set) var changes = 0
    /// How often the store has been counted, to notice a count that ends during a settlement.
    package private(set) var counts = 0
    /// Whether a record came that is not to wait for the threshold, since this was last asked.
    private var bypassesThreshold = false

    package init() {}

    /// Records were stored, oldest first.
    ///
    /// - Parameter kinds: what the sink can carry: events of other kinds do not hurry it.
    package mutating func stored(_ records: [TrackRecord], kinds: RecordKinds = .all) {
        guard let first = records.first, let last = records.last else { return }
        if count == 0 { oldest = first.fix.time }
        count += records.count
        // Two lanes may tell of their records in another order than the store has given them. An event says nothing about where
        // the object is now, unless nothing else does.
        if let position = records.last(where: { $0.kind == .location }) ?? (newest == nil ? last : nil),
            newest.map({ $0.sequence < position.sequence || $0.kind != .location }) ?? true
        {
            newest = position
        }
        changes += 1
        if records.contains(where: { $0.isUrgent && kinds.contains($0.kind) }) { bypassesThreshold = true }
    }

    /// So many records were settled; the time is that of the oldest one left, where it is known.
    package mutating func settled(_ settled: Int, oldest: Timestamp?) {
        count = max(0, count - settled)
        self.oldest = oldest
        changes += 1
    }

    /// The store was counted.
    ///
    /// - Parameter changes: what ``changes`` said when the count began.
    /// - Returns: whether the count holds; if not, something has changed meanwhile, and the store is to be counted again.
    package mutating func counted(_ backlog: Backlog, since changes: Int) -> Bool {
        counts += 1
        guard changes == self.changes else { return false }
        (count, oldest, newest) = (backlog.count, backlog.oldest, backlog.newest)
        return true
    }

    /// The store had nothing for the sink, asked when ``changes`` said this.
    package mutating func foundEmpty(since changes: Int) {
        guard changes == self.changes else { return }
        (count, oldest) = (0, nil)
    }

    /// The next batch begins with a record of this time.
    package mutating func begins(at oldest: Timestamp?) { self.oldest = oldest }

    /// Whether a record came, since the last call, that is not to wait for the threshold.
    package mutating func takeBypass() -> Bool {
        defer { bypassesThreshold = false }
        return bypassesThreshold
    }
}

extension TrackRecord {
    /// Whether somebody waits for it more than for a position.
    fileprivate var isUrgent: Bool { event != nil || kind != .location && kind != .heartbeat }
}
