/// A store that lives as long as its process: for replays, tests, and trackers that need no earlier records.
///
/// It obeys every law of a ``FixStore`` except durability, and its size is bounded: beyond its capacity (or
/// ``RetentionConfiguration/maxRecords``, if that is less) the oldest records are dropped and counted.
public final class InMemoryFixStore: FixStore {
    private enum State {
        /// Accepts every call. `close()` leads to `closed`.
        case open(InMemoryStoreState)
        /// Rejects every call. Final.
        case closed
    }

    private let state: SystemMutex<State>

    /// Creates an empty store.
    ///
    /// - Parameter capacity: the maximum number of records, regardless of the configuration, at least 1. A record takes
    ///   about 350 bytes.
    public init(capacity: Int = 100_000) {
        precondition(capacity > 0, "a store holds at least one record")
        state = SystemMutex(.open(InMemoryStoreState(capacity: capacity)))
    }

    private func withContents<Result: Sendable>(
        _ body: (inout InMemoryStoreState) -> Result
    ) throws(StoreError) -> Result {
        try state.withLock { (state) throws(StoreError) -> Result in
            guard case .open(var contents) = state else { throw StoreError(.closed, "the store has been closed") }
            state = .closed  // drops the second reference, so that the arrays are changed in place
            defer { state = .open(contents) }
            return body(&contents)
        }
    }

    /// Keeps records in memory; they are lost when the process ends.
    public func append(
        _ drafts: [RecordDraft], checkpoint: SourceCheckpoint?
    ) async throws(StoreError) -> [TrackRecord] {
        try withContents { $0.append(drafts, checkpoint: checkpoint) }
    }

    /// Returns a page of records, oldest first.
    public func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try withContents { Array($0.records.after(sequence).prefix(max(0, limit))) }
    }

    /// Returns the records of some kinds after a sequence number, oldest first.
    public func records(
        after sequence: RecordSequence, kinds: RecordKinds, limit: Int
    ) async throws(StoreError) -> [TrackRecord] {
        try withContents { contents in
            Array(contents.records.after(sequence).lazy.filter { kinds.contains($0.kind) }.prefix(max(0, limit)))
        }
    }

    /// Returns the checkpoint of each source, sorted by the source's name.
    public func checkpoints() async throws(StoreError) -> [SourceCheckpoint] {
        try withContents { $0.checkpoints.values.sorted { $0.source.rawValue < $1.source.rawValue } }
    }

    /// Returns the last odometer of each source.
    public func odometers() async throws(StoreError) -> [SourceID: Double] {
        try withContents { $0.odometers }
    }

    /// Returns the state of each source's event detector.
    public func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]] {
        try withContents { $0.detectorStates }
    }

    /// Makes every source begin afresh.
    public func forgetCheckpoints() async throws(StoreError) {
        try withContents { $0.checkpoints = [:] }
    }

    /// Returns the oldest records that the sink has not settled; requeued dead letters first.
    public func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        try withContents { $0.nextBatch(for: sink, limit: limit) }
    }

    /// Moves the sink's cursor, or removes requeued records from its list, and keeps refused records as dead letters.
    public func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try withContents { $0.settle(settlement, for: sink) }
    }

    /// Returns the records that the sink has not settled.
    public func backlog(of sink: SinkID) async throws(StoreError) -> Backlog {
        try withContents { $0.backlog(of: sink) }
    }

    /// Returns the dead letters of the sink, or all, oldest first.
    public func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try withContents { $0.dead.filter { sink == nil || $0.sink == sink } }
    }

    /// Puts dead letters in front of their sink's queue. Returns their number.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try withContents { $0.requeue(selection) }
    }

    /// Removes dead letters. Returns their number.
    public func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try withContents { $0.dropDead(selection) }
    }

    /// Sets the limits and the sinks that hold records back; takes effect at the next prune or append.
    public func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError) {
        try withContents { contents in
            contents.retention = retention
            contents.sinks = sinks
        }
    }

    /// Removes records that are settled or beyond the limits; the latter are counted as dropped.
    @discardableResult
    public func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport {
        try withContents { $0.prune(now: now, isClockConfirmed: isClockConfirmed) }
    }

    /// Returns figures about the store; the size in bytes is an estimate.
    public func status() async throws(StoreError) -> StoreStatus {
        try withContents { $0.status }
    }

    /// Removes all content except the numbering and the count of dropped records.
    public func clear() async throws(StoreError) {
        try withContents { $0.clear() }
    }

    /// Releases all content; every later call throws.
    public func close() async {
        state.withLock { $0 = .closed }
    }
}
