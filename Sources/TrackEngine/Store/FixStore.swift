/// The core of the engine: keeps records until they have been delivered or have become too old.
///
/// Records returned by ``RecordLog/append(_:checkpoint:)`` are durable, as far as the implementation promises
/// durability. All calls may be concurrent; appends take effect in the order in which they were called from one task.
/// The laws for every store are `StoreLaws` in TrackEngineTestKit. A store that only keeps and delivers records can
/// conform to ``BasicFixStore``, which has defaults for the rest.
public protocol FixStore: RecordLog, DeliveryQueue, DeadLetterStore, StoreHousekeeping {}

/// The part of a store that accepts records and returns them to readers.
public protocol RecordLog: Sendable {
    /// Stores records, in order, and the state of their source, atomically: all or none.
    ///
    /// Returns when they are durable. Without drafts only the checkpoint is stored.
    func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) async throws(StoreError) -> [TrackRecord]

    /// Returns at most `limit` records after a sequence number, in the order of acceptance, oldest first.
    func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord]

    /// Returns at most `limit` records of some kinds after a sequence number, in the order of acceptance, oldest first.
    /// Events may be far apart.
    func records(
        after sequence: RecordSequence, kinds: RecordKinds, limit: Int
    ) async throws(StoreError) -> [TrackRecord]

    /// Returns the checkpoint of each source at its last append.
    func checkpoints() async throws(StoreError) -> [SourceCheckpoint]

    /// Returns the odometer of each source, in metres, at its last record that had one, even if that record has been
    /// removed since; also after ``forgetCheckpoints()`` and ``StoreHousekeeping/clear()``.
    func odometers() async throws(StoreError) -> [SourceID: Double]

    /// Returns the state of each source's event detector at its last append, also after ``forgetCheckpoints()``: a
    /// place that was entered before a stop is not entered again after it. ``StoreHousekeeping/clear()`` removes it.
    func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]]

    /// Removes all checkpoints, so that every source begins afresh.
    func forgetCheckpoints() async throws(StoreError)

    /// Sets whether appends are committed at once by a store that otherwise groups them; turning it on commits waiting
    /// appends. A tracker does so when it stops or when a sync is requested.
    func commitAtOnce(_ isOn: Bool) async
}

extension StoreHousekeeping {
    /// Prunes by a reliable time.
    @discardableResult
    public func prune(now: Timestamp) async throws(StoreError) -> PruneReport {
        try await prune(now: now, isClockConfirmed: true)
    }
}

extension RecordLog {
    /// Reads all records in between, a thousand at a time.
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

    /// Returns no odometers: each run counts from zero.
    public func odometers() async throws(StoreError) -> [SourceID: Double] { [:] }

    /// Returns no states: each run detects the object's places anew.
    public func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]] { [:] }

    /// Has no effect: the store delays no append.
    public func commitAtOnce(_ isOn: Bool) async {}

    /// Removes the checkpoints of all sources but these.
    ///
    /// If there are checkpoints of both kinds, those to be kept are written back. After a crash in between, their
    /// sources begin afresh, too.
    func forgetCheckpoints(butOf sources: Set<SourceID>) async throws(StoreError) {
        let checkpoints = try await checkpoints()
        let staying = checkpoints.filter { sources.contains($0.source) }
        guard staying.count < checkpoints.count || sources.isEmpty else { return }
        try await forgetCheckpoints()
        for checkpoint in staying { _ = try await append([], checkpoint: checkpoint) }
    }
}

/// The part of a store that a sink's delivery uses. Each sink has its own cursor.
public protocol DeliveryQueue: Sendable {
    /// Returns the oldest records that the sink has not settled, at most `limit` of them, or `nil` when there are none.
    /// Requeued dead letters come first and never in one batch with others.
    func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch?

    /// Marks the first records of a pending batch as done, and some of them as dead letters, atomically.
    ///
    /// Settling records that are already settled (or have been pruned meanwhile) has no effect.
    func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError)

    /// Returns the backlog of a sink.
    func backlog(of sink: SinkID) async throws(StoreError) -> Backlog
}

/// The part of a store that keeps records that a receiver will never accept.
public protocol DeadLetterStore: Sendable {
    /// Returns the dead letters of one sink, or of all, oldest first.
    func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter]

    /// Puts dead letters back in front of their sink's queue. Returns their number.
    func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int

    /// Removes dead letters permanently. Returns their number.
    func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int
}

/// The part of a store that housekeeping uses.
public protocol StoreHousekeeping: Sendable {
    /// Sets the limits of the store and the sinks that hold records back. Call it before the first append and whenever
    /// either changes. A sink that is no longer named stops holding records, and its cursor is kept.
    func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError)

    /// Removes records that every sink has settled, and records beyond the retention limits; the latter are counted as
    /// dropped.
    ///
    /// - Parameters:
    ///   - now: the time of day for the age of records and dead letters.
    ///   - isClockConfirmed: whether there is evidence other than the clock itself that `now` is right. Otherwise no
    ///     record is removed for its age: no record that a sink has not settled, no dead letter, and no record kept by
    ///     `keepSyncedDays`. Limits of number and size apply as always.
    @discardableResult
    func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport

    /// Returns figures about the store as a whole.
    func status() async throws(StoreError) -> StoreStatus

    /// Removes all records, dead letters and checkpoints. Sequence numbers continue; the records do not count as
    /// dropped.
    func clear() async throws(StoreError)

    /// Finishes pending work and releases the store; afterwards every call throws ``StoreError/Code/closed``.
    func close() async
}
