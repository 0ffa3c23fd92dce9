/// What is under way to one sink: the batch that is kept until it is settled, what the receiver has taken of it and ahead
/// of its turn, and what speaks against its records. A pure value.
package struct DeliveryUnderWay: Sendable {
    /// What is being delivered, until it is settled.
    private var held: HeldBatch?
    private let carries: @Sendable (TrackRecord) -> Bool
    /// What the receiver took ahead of its turn.
    private var ahead = TakenAhead()
    /// Which records were rejected by themselves, and why.
    private var evidence = Evidence()
    private var places = ControlPlaces()
    /// How many records of the delivery are settled before its end.
    package private(set) var settledDuringDelivery = 0

    /// Nothing is under way yet.
    ///
    /// - Parameter carries: whether the sink has something to send for a record.
    package init(carries: @escaping @Sendable (TrackRecord) -> Bool = { _ in true }) { self.carries = carries }

    // MARK: The batch

    /// Whether a batch is held; the next one is read only when all of it is settled.
    package var isHolding: Bool { held != nil }

    /// Keeps a batch from the store.
    package mutating func hold(_ batch: PendingBatch, newest: TrackRecord?, isBacklog: Bool) {
        let shown = newest.flatMap { $0.kind == .location ? $0 : nil }  // where the object is, not what happened there
        held = HeldBatch(batch, carries: carries, newest: shown, isBacklog: isBacklog)
    }

    /// What is not settled, oldest first.
    package var records: [TrackRecord] { held?.records ?? [] }

    /// What the receiver is offered of it: all but what it has taken ahead of its turn, and what the sink cannot carry.
    package var offered: [TrackRecord] { held?.offered(ahead) ?? [] }

    /// A delivery of the first so many offered records.
    package func batch(first count: Int, showsNewest: Bool) -> RecordBatch? {
        guard let held else { return nil }
        return RecordBatch(
            records: Array(offered.prefix(count)), current: showsNewest ? held.newest : nil, isBacklog: held.isBacklog)
    }

    /// The queue is empty: nothing is under way, and nothing is held against any record.
    package mutating func clear() {
        held = nil
        ahead.removeAll()
        evidence.removeAll()
    }

    // MARK: Controls

    /// Where to find a control for a suspect.
    package enum ControlPlace: Hashable {
        /// This record.
        case record(TrackRecord)
        /// The record with this number, which the receiver has taken before.
        case taken(RecordSequence)
        /// Spread over the queue; if none of them is usable, ``DeliveryUnderWay/lastResort(beside:others:)``.
        case spread
    }

    /// Where to look first for a record that neither is accused nor has been rejected; one that the receiver has taken only
    /// as the last resort.
    package func controlPlace(
        beside accused: ArraySlice<TrackRecord>, newest: TrackRecord?, tried: Int
    ) -> ControlPlace {
        if tried == 0, let newest, isUsable(newest, beside: accused) { return .record(newest) }
        if tried + 1 == PoisonRecordSearch.maximumControls, let again = takenAhead(after: accused) {
            return .taken(again)  // sent twice, but known to be good: all others may be poison
        }
        return .spread
    }

    /// The next number to try of those spread over the queue; `nil` when the batch is not from the queue.
    package mutating func nextPlace(after accused: ArraySlice<TrackRecord>, newest: TrackRecord?) -> RecordSequence? {
        guard let suspect = accused.last, let newest, held?.origin == .queue else { return nil }
        return places.next(after: suspect.sequence, newest: newest.sequence)
    }

    /// Whether a record can be a control: the sink sends it, nothing is held against it, and the receiver has not taken it.
    package func isUsable(_ record: TrackRecord, beside accused: ArraySlice<TrackRecord>) -> Bool {
        carries(record) && !evidence.contains(record)
            && !accused.contains { $0.sequence == record.sequence }
            && !ahead.contains(record.sequence)
    }

    /// The oldest record after the accused that the receiver has taken ahead of its turn.
    package func takenAhead(after accused: ArraySlice<TrackRecord>) -> RecordSequence? {
        accused.last.flatMap { ahead.first(after: $0.sequence) }
    }

    /// One of several records of which most are good: nothing else waits.
    package mutating func oneOf(_ records: ArraySlice<TrackRecord>) -> TrackRecord? {
        guard records.count > 1, let first = records.first, let last = records.last else { return nil }
        let place = places.next(after: first.sequence, newest: last.sequence)
        return records.first { $0.sequence >= place } ?? last
    }

    /// The receiver took records ahead of their turn.
    package mutating func tookAhead(_ records: some Sequence<TrackRecord>) {
        for record in records { ahead.insert(record.sequence) }
    }

    // MARK: Rejections

    /// A record was rejected by itself.
    package mutating func accuse(_ record: TrackRecord, _ reason: String, isVerdict: Bool) {
        evidence.add(record, reason, isVerdict: isVerdict)
    }

    /// Whether the receiver turns away nothing but records that it has rejected by themselves before: that is about the
    /// records, not about this client.
    package func isKnown(_ records: ArraySlice<TrackRecord>) -> Bool {
        !records.isEmpty && records.allSatisfy(evidence.isVerdict)
    }

    /// Whether some of these were rejected by themselves before.
    package func isContradicted(by taken: [TrackRecord]) -> Bool { taken.contains(where: evidence.contains) }

    /// The accused are forgotten: they are dead, or nothing is known about them.
    package mutating func endSuspicion() { evidence.removeAll() }

    // MARK: Settling

    /// What is to be settled: records, and why some of them are dead letters.
    package struct Part {
        package var records: [TrackRecord] = []
        package var refused: [RecordID: String] = [:]
    }

    /// A delivery begins.
    package mutating func begin() { settledDuringDelivery = 0 }

    /// What to settle when so many records of the delivery are confirmed; `nil` when that is nothing new.
    package func part(confirmed count: Int) -> Part? {
        guard count > settledDuringDelivery, let held else { return nil }
        return Part(records: held.prefix(covering: count - settledDuringDelivery, ahead))
    }

    /// So many records of the delivery are confirmed and settled.
    package mutating func confirmed(_ count: Int) { settledDuringDelivery = count }

    /// A receipt takes some records and refuses others. What it refuses is kept, and what follows is remembered, until it
    /// was refused often enough.
    ///
    /// - Parameter rounds: how often a record must be refused to be a dead letter.
    /// - Returns: how many records of the receipt are done with, and what to settle for that.
    package mutating func receive(
        _ records: ArraySlice<TrackRecord>, refused: [RecordID: String], rounds: Int
    ) -> (done: Int, part: Part) {
        // Also where there is no room to remember it, or what was taken after it: then these are sent again.
        let kept = records.firstIndex { refused[$0.id] != nil && evidence.times($0) < rounds } ?? records.endIndex
        for record in records {
            if let reason = refused[record.id] { evidence.add(record, reason, isVerdict: true) }
        }
        tookAhead(records[kept...].filter { refused[$0.id] == nil })
        let rest = kept - settledDuringDelivery
        guard rest > 0, let held else { return (kept, Part()) }
        let dead = Set(records[..<kept].map(\.id))
        return (
            kept, Part(records: held.prefix(covering: rest, ahead), refused: refused.filter { dead.contains($0.key) })
        )
    }

    /// The first so many offered records become dead letters, each with its own reason.
    package func part(deadLetters count: Int, otherwise reason: String) -> Part {
        guard let held else { return Part() }
        let dead = held.offered(ahead).prefix(count)
        let refused = Dictionary(dead.map { ($0.id, evidence.reason(for: $0) ?? reason) }) { first, _ in first }
        return Part(records: held.prefix(covering: dead.count, ahead), refused: refused)
    }

    /// A part as the store takes it; `nil` when there is nothing to settle.
    package func settlement(of part: Part, at time: Timestamp) -> Settlement? {
        guard let held, !part.records.isEmpty else { return nil }
        return Settlement(origin: held.origin, records: part.records, refused: part.refused, time: time)
    }

    /// The store has settled the first records of the batch.
    package mutating func settled(_ records: [TrackRecord]) {
        guard let origin = held?.origin else { return }
        held?.settled(records.count)
        if held?.records.isEmpty == true { held = nil }
        ahead.settled(records, from: origin)
        evidence.remove(records)
    }
}
