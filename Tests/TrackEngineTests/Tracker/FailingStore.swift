import Synchronization
import TrackEngine

/// A store in memory whose writes fail as long as a test says so, as on a full disk.
final class FailingStore: FixStore {
    private let store = InMemoryFixStore()
    private let failure = Mutex<(error: StoreError, times: Int)?>(nil)
    private let pruningFailure = Mutex<StoreError?>(nil)
    private let attempts = Mutex(0)

    /// A store that works.
    init() {}

    /// Makes writes fail from now on, as often as given, or with `nil` work again.
    func fail(with error: StoreError?, times: Int = .max) {
        failure.withLock { $0 = error.map { ($0, times) } }
    }

    /// Makes pruning fail from now on, or with `nil` work again.
    func failPruning(with error: StoreError?) { pruningFailure.withLock { $0 = error } }

    /// How many appends and settlements have failed.
    var failures: Int { attempts.withLock { $0 } }

    private func check() throws(StoreError) {
        let error: StoreError? = failure.withLock { failure in
            guard let (error, times) = failure else { return nil }
            failure = times > 1 ? (error, times - 1) : nil
            return error
        }
        guard let error else { return }
        attempts.withLock { $0 += 1 }
        throw error
    }

    func append(
        _ drafts: [RecordDraft], checkpoint: SourceCheckpoint?
    ) async throws(StoreError) -> [TrackRecord] {
        try check()
        return try await store.append(drafts, checkpoint: checkpoint)
    }

    func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try check()
        try await store.settle(settlement, for: sink)
    }

    func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try await store.records(after: sequence, limit: limit)
    }

    func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { try await store.checkpoints() }

    func forgetCheckpoints() async throws(StoreError) {
        try check()
        try await store.forgetCheckpoints()
    }

    func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        try await store.nextBatch(for: sink, limit: limit)
    }

    func backlog(of sink: SinkID) async throws(StoreError) -> Backlog { try await store.backlog(of: sink) }

    func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try await store.deadLetters(of: sink)
    }

    func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await store.requeueDeadLetters(selection)
    }

    func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await store.dropDeadLetters(selection)
    }

    func configure(
        _ retention: RetentionConfiguration, sinks: Set<SinkID>
    ) async throws(StoreError) {
        try await store.configure(retention, sinks: sinks)
    }

    func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport {
        if let error = pruningFailure.withLock({ $0 }) { throw error }
        return try await store.prune(now: now, isClockConfirmed: isClockConfirmed)
    }

    func status() async throws(StoreError) -> StoreStatus { try await store.status() }

    func clear() async throws(StoreError) { try await store.clear() }

    func close() async { await store.close() }
}
