import Synchronization
import TrackEngine

/// A store in memory whose writes fail as long as a test says so, as on a full disk, and whose calls return late.
final class FailingStore: FixStore {
    /// A call that can be held back.
    enum Call: Hashable { case append, settle, backlog }

    private let store = InMemoryFixStore()
    private let failure = Mutex<(error: StoreError, times: Int)?>(nil)
    private let pruningFailure = Mutex<StoreError?>(nil)
    private let attempts = Mutex(0)
    private let held = Mutex<[Call: [CheckedContinuation<Void, Never>]]>([:])
    private let hurries = Mutex<[Bool]>([])

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

    /// Lets calls take effect and not return until ``release(_:)``.
    func hold(_ call: Call) { held.withLock { $0[call] = [] } }

    func release(_ call: Call) {
        for waiter in held.withLock({ $0.removeValue(forKey: call) ?? [] }) { waiter.resume() }
    }

    /// How many calls have taken effect and do not return.
    func heldCalls(_ call: Call) -> Int { held.withLock { $0[call]?.count ?? 0 } }

    private func waitWhileHeld(_ call: Call) async {
        await withCheckedContinuation { continuation in
            let isHeld = held.withLock { held in
                guard held[call] != nil else { return false }
                held[call]?.append(continuation)
                return true
            }
            if !isHeld { continuation.resume() }
        }
    }

    /// What was asked for by ``commitAtOnce(_:)``, call by call.
    var askedToHurry: [Bool] { hurries.withLock { $0 } }

    func commitAtOnce(_ isOn: Bool) async { hurries.withLock { $0.append(isOn) } }

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
        let records = try await store.append(drafts, checkpoint: checkpoint)
        await waitWhileHeld(.append)
        return records
    }

    func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try check()
        try await store.settle(settlement, for: sink)
        await waitWhileHeld(.settle)
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

    func backlog(of sink: SinkID) async throws(StoreError) -> Backlog {
        let backlog = try await store.backlog(of: sink)
        await waitWhileHeld(.backlog)
        return backlog
    }

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
