internal import Synchronization
public import TrackEngine

/// A store in memory whose appends and settlements fail as long as a test says so, as on a full disk.
public final class FailingStore: FixStore {
    private let store = InMemoryFixStore()
    private let failure = Mutex<StoreError?>(nil)
    private let attempts = Mutex(0)

    /// A store that works.
    public init() {}

    /// Makes appends and settlements fail from now on, or with `nil` work again.
    public func fail(with error: StoreError?) { failure.withLock { $0 = error } }

    /// How many appends and settlements have failed.
    public var failures: Int { attempts.withLock { $0 } }

    private func check() throws(StoreError) {
        guard let error = failure.withLock({ $0 }) else { return }
        attempts.withLock { $0 += 1 }
        throw error
    }

    public func append(
        _ drafts: [RecordDraft], checkpoint: SourceCheckpoint?
    ) async throws(StoreError) -> [TrackRecord] {
        try check()
        return try await store.append(drafts, checkpoint: checkpoint)
    }

    public func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try check()
        try await store.settle(settlement, for: sink)
    }

    public func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try await store.records(after: sequence, limit: limit)
    }

    public func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { try await store.checkpoints() }

    public func forgetCheckpoints() async throws(StoreError) { try await store.forgetCheckpoints() }

    public func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        try await store.nextBatch(for: sink, limit: limit)
    }

    public func backlog(of sink: SinkID) async throws(StoreError) -> Backlog { try await store.backlog(of: sink) }

    public func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try await store.deadLetters(of: sink)
    }

    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await store.requeueDeadLetters(selection)
    }

    public func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await store.dropDeadLetters(selection)
    }

    public func configure(
        _ retention: RetentionConfiguration, sinks: Set<SinkID>
    ) async throws(StoreError) {
        try await store.configure(retention, sinks: sinks)
    }

    public func prune(now: Timestamp) async throws(StoreError) -> PruneReport { try await store.prune(now: now) }

    public func status() async throws(StoreError) -> StoreStatus { try await store.status() }

    public func clear() async throws(StoreError) { try await store.clear() }

    public func close() async { await store.close() }
}
