/// The state of the delivery to one sink: the batch that is held until it is settled, the records that the server has
/// accepted of it and ahead of their turn, and the rejections of its records. A pure value.
package struct PendingDelivery: Sendable {
    /// The batch that is delivered, without the records that are settled. It is held until none is left, so that a
    /// retry has the same boundaries.
    private var held: PendingBatch?
    /// The newest position after the batch, if there is one.
    private var newest: TrackRecord?
    /// Whether more records wait after the batch.
    private var isBacklog = false
    /// Whether the sink sends a record; other records are settled in their turn without being offered.
    private let carries: @Sendable (TrackRecord) -> Bool
    /// The records that the server accepted ahead of their turn.
    private var ahead = ControlRecords()
    /// The search for the records that the server rejects.
    package var isolation = RecordIsolation()
    /// The number of records of the delivery that were settled before its end.
    package private(set) var settledDuringDelivery = 0

    /// Creates a state without a batch.
    ///
    /// - Parameter carries: whether the sink sends a record.
    package init(carries: @escaping @Sendable (TrackRecord) -> Bool = { _ in true }) { self.carries = carries }

    // MARK: The batch

    /// Whether a batch is held; the next one is read only when all of it is settled.
    package var isHolding: Bool { held != nil }

    /// Holds a batch from the store.
    package mutating func hold(_ batch: PendingBatch, newest: TrackRecord?, isBacklog: Bool) {
        held = batch
        self.newest = newest.flatMap { $0.kind == .location ? $0 : nil }  // the object's position, not an event
        self.isBacklog = isBacklog
    }

    /// The records that are not settled, oldest first.
    package var records: [TrackRecord] { held?.records ?? [] }

    /// The records to offer to the server: all but those that it accepted ahead of their turn, and those that the
    /// sink cannot carry.
    package var offered: [TrackRecord] { isAllOffered ? records : records.filter(isOffered) }

    private var isAllOffered: Bool { ahead.isEmpty && records.allSatisfy(carries) }

    private func isOffered(_ record: TrackRecord) -> Bool { carries(record) && !ahead.contains(record.sequence) }

    /// Returns a delivery of the first `count` offered records.
    package func batch(first count: Int) -> RecordBatch? {
        guard isHolding else { return nil }
        let newest = isolation.isCalm ? newest : nil
        return RecordBatch(records: Array(offered.prefix(count)), current: newest, isBacklog: isBacklog)
    }

    /// Clears the state because the queue is empty: no batch is held, and no rejection is remembered.
    package mutating func clear() {
        held = nil
        ahead.removeAll()
        isolation.clear()
    }

    // MARK: Controls

    /// The place to find a control for a suspect.
    package enum ControlPlace: Hashable {
        /// This record.
        case record(TrackRecord)
        /// The record with this number, which the server has accepted before.
        case taken(RecordSequence)
        /// Positions spread over the queue; if none of them is usable, a record of the batch, or one that was accepted
        /// before.
        case spread
    }

    /// Returns the first place to look for a record that is neither accused nor rejected before. A record that the
    /// server has accepted before is the last resort.
    package func controlPlace(
        beside accused: ArraySlice<TrackRecord>, newest: TrackRecord?, tried: Int
    ) -> ControlPlace {
        if tried == 0, let newest, isUsable(newest, beside: accused) { return .record(newest) }
        if tried + 1 == RecordIsolation.maximumControls, let again = takenAhead(after: accused) {
            return .taken(again)  // sent twice, but known to be good: all others may be poison
        }
        return .spread
    }

    /// Returns the next of the numbers spread over the queue; `nil` when the batch is not from the queue.
    mutating func nextPlace(after accused: ArraySlice<TrackRecord>, newest: TrackRecord?) -> RecordSequence? {
        guard let suspect = accused.last, let newest, held?.origin == .queue else { return nil }
        return isolation.controlPosition(after: suspect.sequence, newest: newest.sequence)
    }

    /// Whether a record can be a control: the sink sends it, it was not rejected, and the server has not accepted it.
    package func isUsable(_ record: TrackRecord, beside accused: ArraySlice<TrackRecord>) -> Bool {
        carries(record) && !isolation.hasRejected(record)
            && !accused.contains { $0.sequence == record.sequence }
            && !ahead.contains(record.sequence)
    }

    /// Returns the oldest record after the accused that the server has accepted ahead of its turn.
    func takenAhead(after accused: ArraySlice<TrackRecord>) -> RecordSequence? {
        accused.last.flatMap { ahead.first(after: $0.sequence) }
    }

    /// Returns one of several records, most of them good, for a queue without further records.
    mutating func oneOf(_ records: ArraySlice<TrackRecord>) -> TrackRecord? {
        guard records.count > 1, let first = records.first, let last = records.last else { return nil }
        let place = isolation.controlPosition(after: first.sequence, newest: last.sequence)
        return records.first { $0.sequence >= place } ?? last
    }

    /// Notes that the server accepted records ahead of their turn.
    package mutating func tookAhead(_ records: some Sequence<TrackRecord>) {
        for record in records { ahead.insert(record.sequence) }
    }

    // MARK: Settling

    /// Notes that a delivery begins.
    package mutating func begin() { settledDuringDelivery = 0 }

    /// Returns the settlement of a batch of which no record is offered.
    func settlementWithoutDelivery(at time: Timestamp) -> Settlement? { settlement(of: records, at: time) }

    /// Returns the settlement for `count` confirmed records of the delivery; `nil` if none is new.
    package func settlement(confirmed count: Int, at time: Timestamp) -> Settlement? {
        guard count > settledDuringDelivery else { return nil }
        return settlement(of: prefix(covering: count - settledDuringDelivery), at: time)
    }

    /// Notes that `count` records of the delivery are confirmed and settled.
    package mutating func confirmed(_ count: Int) { settledDuringDelivery = count }

    /// Processes a receipt that accepts some records and refuses others. A refused record is held, and the accepted
    /// records after it are remembered, until it was refused often enough.
    ///
    /// - Returns: the settlement for the records of the receipt that are done; `nil` if there are none.
    package mutating func receive(
        _ records: ArraySlice<TrackRecord>, refused: [RecordID: String], at time: Timestamp
    ) -> Settlement? {
        let done = isolation.receive(records, refused: refused)
        // Those for which there is no room are sent again.
        tookAhead(records.dropFirst(done).filter { refused[$0.id] == nil })
        guard done > settledDuringDelivery else { return nil }
        let ids = Set(records.prefix(done).map(\.id))
        return settlement(
            of: prefix(covering: done - settledDuringDelivery), refused: refused.filter { ids.contains($0.key) },
            at: time)
    }

    /// Returns the settlement of the first `count` offered records as dead letters, each with its own reason.
    package func settlement(deadLetters count: Int, otherwise reason: String, at time: Timestamp) -> Settlement? {
        let dead = offered.prefix(count)
        let refused = Dictionary(dead.map { ($0.id, isolation.reason(for: $0) ?? reason) }) { first, _ in first }
        return settlement(of: prefix(covering: dead.count), refused: refused, at: time)
    }

    private func settlement(
        of records: [TrackRecord], refused: [RecordID: String] = [:], at time: Timestamp
    ) -> Settlement? {
        guard let held, !records.isEmpty else { return nil }
        return Settlement(origin: held.origin, records: records, refused: refused, time: time)
    }

    /// Returns the records up to the last of `count` offered ones, and the following ones that are not offered.
    private func prefix(covering count: Int) -> [TrackRecord] {
        guard !isAllOffered else { return Array(records.prefix(count)) }
        var left = count
        return Array(
            records.prefix { record in
                guard isOffered(record) else { return true }
                left -= 1
                return left >= 0
            })
    }

    /// Notes that the store has settled the first records of the batch.
    package mutating func settled(_ records: [TrackRecord]) {
        guard let batch = held else { return }
        let rest = batch.records.dropFirst(records.count)
        held = rest.isEmpty ? nil : PendingBatch(origin: batch.origin, records: Array(rest))
        ahead.settled(records, from: batch.origin)
        isolation.settled(records)
    }
}
