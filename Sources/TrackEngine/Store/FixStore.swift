/// The spine of the engine: keeps records until they have been delivered or have grown too old.
///
/// What ``RecordLog/append(_:checkpoint:)`` has returned is durable, as far as the implementation promises durability.
/// All calls may come concurrently; appends take effect in the order in which they were called from one task. The laws
/// that each store must keep are `StoreLaws` in TrackEngineTestKit. Whoever only wants to keep and
/// deliver implements ``BasicFixStore``, which has defaults for the rest.
public protocol FixStore: RecordLog, DeliveryQueue, DeadLetterBox, StoreKeeping {}

/// The part of a store that takes records in and gives them back to readers.
public protocol RecordLog: Sendable {
    /// Keeps records, in order, and the state of their source, in one step: all or nothing.
    ///
    /// Returns when they are durable. With no drafts only the checkpoint is kept.
    func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) async throws(StoreError) -> [TrackRecord]

    /// At most `limit` records after a place in the order of acceptance, oldest first.
    func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord]

    /// At most `limit` records of some kinds after a place in the order of acceptance, oldest first. Events may be far apart.
    func records(
        after sequence: RecordSequence, kinds: RecordKinds, limit: Int
    ) async throws(StoreError) -> [TrackRecord]

    /// Where each source's pipeline stood at its last append.
    func checkpoints() async throws(StoreError) -> [SourceCheckpoint]

    /// What the odometer of each source showed at its last record that had one, in metres, whatever has become of the
    /// record since; also after ``forgetCheckpoints()`` and ``StoreKeeping/clear()``.
    func odometers() async throws(StoreError) -> [SourceID: Double]

    /// What the event detector of each source knew at its last append, also after ``forgetCheckpoints()``: a place that was
    /// entered before a stop is not entered again after it. ``StoreKeeping/clear()`` forgets it.
    func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]]

    /// Forgets all checkpoints, so that every source begins afresh.
    func forgetCheckpoints() async throws(StoreError)

    /// Whether appends are kept at once by a store that otherwise lets them wait for each other; turning it on keeps
    /// what waits. A tracker does so when it stops or is asked to sync.
    func commitAtOnce(_ isOn: Bool) async
}

extension StoreKeeping {
    /// Prunes by a time that the caller is sure of.
    @discardableResult
    public func prune(now: Timestamp) async throws(StoreError) -> PruneReport {
        try await prune(now: now, isClockConfirmed: true)
    }
}

extension RecordLog {
    /// Found by reading all that lie between, a thousand at a time.
    public func records(
        after sequence: RecordSequence, kinds: RecordKinds, limit: Int
    ) async throws(StoreError) -> [TrackRecord] {
        var found: [TrackRecord] = []
        var place = sequence
        while found.count < limit {
            let page = try await records(after: place, limit: 1_000)
            guard let last = page.last else { break }
            found += page.filter { kinds.contains($0.kind) }.prefix(limit - found.count)
            place = last.sequence
        }
        return found
    }

    /// A store that keeps no odometers: each run counts from zero.
    public func odometers() async throws(StoreError) -> [SourceID: Double] { [:] }

    /// A store that keeps no detectors' states: each run finds out anew where the object is.
    public func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]] { [:] }

    /// A store that lets no append wait.
    public func commitAtOnce(_ isOn: Bool) async {}

    /// Forgets the checkpoints of all sources but these.
    ///
    /// Where both kinds have one, those to be kept are written back: a crash in between lets them begin afresh, too.
    func forgetCheckpoints(butOf kept: Set<SourceID>) async throws(StoreError) {
        let checkpoints = try await checkpoints()
        let staying = checkpoints.filter { kept.contains($0.source) }
        guard staying.count < checkpoints.count || kept.isEmpty else { return }
        try await forgetCheckpoints()
        for checkpoint in staying { _ = try await append([], checkpoint: checkpoint) }
    }
}

/// The part of a store that a sink's drain uses. Each sink has a cursor of its own.
public protocol DeliveryQueue: Sendable {
    /// The oldest records that the sink has not settled, at most `limit` of them; requeued dead letters come first and
    /// never in one batch with others. `nil` when there are none.
    func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch?

    /// Marks the first records of a pending batch as done, and some of them as dead, in one step.
    ///
    /// Settling records that are settled already (or have been pruned meanwhile) changes nothing.
    func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError)

    /// What waits for a sink.
    func backlog(of sink: SinkID) async throws(StoreError) -> Backlog
}

/// The part of a store that keeps what a receiver will never take.
public protocol DeadLetterBox: Sendable {
    /// The dead letters of one sink, or of all, oldest first.
    func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter]

    /// Puts dead letters back in front of their sink's queue; returns how many.
    func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int

    /// Drops dead letters for good; returns how many.
    func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int
}

/// The part of a store that housekeeping uses.
public protocol StoreKeeping: Sendable {
    /// Sets what the store may hold and which sinks hold records back. Call it before the first append and whenever
    /// either changes; a sink that is no longer named stops holding records, and its cursor is kept.
    func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError)

    /// Removes what every sink has settled and what retention no longer allows; the latter is counted as dropped.
    ///
    /// - Parameters:
    ///   - now: the time of day by which records and dead letters grow old.
    ///   - isClockConfirmed: whether anything but the clock itself says that `now` is right. Otherwise no age removes
    ///     anything: not what a sink has not settled, no dead letter, and nothing that `keepSyncedDays` keeps; limits
    ///     of number and size work as ever.
    @discardableResult
    func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport

    /// Figures about the store as a whole.
    func status() async throws(StoreError) -> StoreStatus

    /// Removes all records, dead letters and checkpoints. Sequence numbers go on; this is no drop.
    func clear() async throws(StoreError)

    /// Finishes what is under way and releases the store; afterwards every call throws ``StoreError/Code/closed``.
    func close() async
}
