/// A store that lives as long as its process: for replays, for tests, and for trackers that need no memory of the past.
///
/// It keeps every law of a ``FixStore`` but durability, and it never grows without bound: beyond its capacity (or
/// ``RetentionConfiguration/maxRecords``, if that is less) the oldest records are dropped and counted.
public final class InMemoryFixStore: FixStore {
    private enum State {
        /// Takes every call. `close()` leads to `closed`.
        case open(InMemoryStoreContents)
        /// Refuses every call, for good.
        case closed
    }

    private let state: PthreadMutex<State>

    /// An empty store.
    ///
    /// - Parameter capacity: the most records it holds whatever its configuration says, at least 1. A record takes
    ///   about 350 bytes.
    public init(capacity: Int = 100_000) {
        precondition(capacity > 0, "a store holds at least one record")
        state = PthreadMutex(.open(InMemoryStoreContents(capacity: capacity)))
    }

    private func withContents<Result: Sendable>(
        _ body: (inout InMemoryStoreContents) -> Result
    ) throws(StoreError) -> Result {
        try state.withLock { (state) throws(StoreError) -> Result in
            guard case .open(var contents) = state else { throw StoreError(.closed, "the store has been closed") }
            state = .closed  // gives up the second reference, so that the arrays are changed in place
            defer { state = .open(contents) }
            return body(&contents)
        }
    }
}

extension InMemoryFixStore {
    /// Keeps records in memory; they are gone with the process.
    public func append(
        _ drafts: [RecordDraft], checkpoint: SourceCheckpoint?
    ) async throws(StoreError) -> [TrackRecord] {
        try withContents { $0.append(drafts, checkpoint: checkpoint) }
    }

    /// A page of what it holds, oldest first.
    public func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try withContents { Array($0.records.after(sequence).prefix(max(0, limit))) }
    }

    /// The records of some kinds after a place, oldest first.
    public func records(
        after sequence: RecordSequence, kinds: RecordKinds, limit: Int
    ) async throws(StoreError) -> [TrackRecord] {
        try withContents { contents in
            Array(contents.records.after(sequence).lazy.filter { kinds.contains($0.kind) }.prefix(max(0, limit)))
        }
    }

    /// Where each source stood, sorted by its name.
    public func checkpoints() async throws(StoreError) -> [SourceCheckpoint] {
        try withContents { $0.checkpoints.values.sorted { $0.source.rawValue < $1.source.rawValue } }
    }

    /// What each source's odometer showed last.
    public func odometers() async throws(StoreError) -> [SourceID: Double] {
        try withContents { $0.odometers }
    }

    /// What each source's event detector knew.
    public func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]] {
        try withContents { $0.detectorStates }
    }

    /// Lets every source begin afresh.
    public func forgetCheckpoints() async throws(StoreError) {
        try withContents { $0.checkpoints = [:] }
    }

    /// The oldest records that the sink has not settled; requeued dead letters first.
    public func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        try withContents { $0.nextBatch(for: sink, limit: limit) }
    }

    /// Moves the sink's cursor, or takes requeued records off its list, and keeps what was refused as dead letters.
    public func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try withContents { $0.settle(settlement, for: sink) }
    }

    /// What the sink has not settled.
    public func backlog(of sink: SinkID) async throws(StoreError) -> Backlog {
        try withContents { $0.backlog(of: sink) }
    }

    /// The dead letters of the sink, or all, oldest first.
    public func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try withContents { $0.dead.filter { sink == nil || $0.sink == sink } }
    }

    /// Puts dead letters in front of their sink's queue; returns how many.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try withContents { $0.requeue(selection) }
    }

    /// Forgets dead letters; returns how many.
    public func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try withContents { $0.dropDead(selection) }
    }

    /// Sets its bounds and the sinks that hold records back; takes effect when it next prunes or appends.
    public func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError) {
        try withContents { contents in
            contents.retention = retention
            contents.sinks = sinks
        }
    }

    /// Removes what is settled or beyond the bounds; the latter is counted as dropped.
    @discardableResult
    public func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport {
        try withContents { $0.prune(now: now, isClockConfirmed: isClockConfirmed) }
    }

    /// Its figures; the size in bytes is an estimate.
    public func status() async throws(StoreError) -> StoreStatus {
        try withContents { $0.status }
    }

    /// Removes everything but the numbering and the count of drops.
    public func clear() async throws(StoreError) {
        try withContents { $0.clear() }
    }

    /// Gives up everything it holds; every later call throws.
    public func close() async {
        state.withLock { $0 = .closed }
    }
}
