internal import Synchronization

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

    private let state: Mutex<State>

    /// An empty store.
    ///
    /// - Parameter capacity: the most records it holds whatever its configuration says, at least 1. A record takes
    ///   about 350 bytes.
    public init(capacity: Int = 100_000) {
        precondition(capacity > 0, "a store holds at least one record")
        state = Mutex(.open(InMemoryStoreContents(capacity: capacity)))
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

    public func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try withContents { Array($0.records.after(sequence).prefix(max(0, limit))) }
    }

    public func checkpoints() async throws(StoreError) -> [SourceCheckpoint] {
        try withContents { $0.checkpoints.values.sorted { $0.source.rawValue < $1.source.rawValue } }
    }

    public func forgetCheckpoints() async throws(StoreError) {
        try withContents { $0.checkpoints = [:] }
    }

    public func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        try withContents { $0.nextBatch(for: sink, limit: limit) }
    }

    public func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try withContents { $0.settle(settlement, for: sink) }
    }

    public func backlog(of sink: SinkID) async throws(StoreError) -> Backlog {
        try withContents { $0.backlog(of: sink) }
    }

    public func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try withContents { $0.dead.filter { sink == nil || $0.sink == sink } }
    }

    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try withContents { $0.requeue(selection) }
    }

    public func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try withContents { $0.dropDead(selection) }
    }

    public func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError) {
        try withContents { contents in
            contents.retention = retention
            contents.sinks = sinks
        }
    }

    @discardableResult
    public func prune(now: Timestamp) async throws(StoreError) -> PruneReport {
        try withContents { $0.prune(now: now) }
    }

    public func status() async throws(StoreError) -> StoreStatus {
        try withContents { $0.status }
    }

    public func clear() async throws(StoreError) {
        try withContents { $0.clear() }
    }

    public func close() async {
        state.withLock { $0 = .closed }
    }
}
