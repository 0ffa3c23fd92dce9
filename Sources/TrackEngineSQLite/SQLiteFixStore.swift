public import Logging
import SQLiteAccess
public import TrackEngine

/// The durable store: an SQLite database in a directory of its own.
///
/// A record that ``append(_:checkpoint:)`` has returned survives `kill -9`, and power loss on storage that honours
/// fsync. Only one process at a time may have a directory open; others fail with
/// ``/TrackEngine/StoreError/Code/locked``. Appends that arrive while a commit runs share the next one, so a hundred
/// waiting callers cost one fsync.
///
/// The readable rows of a damaged database are copied into a new one, which replaces it when the copy is complete;
/// after a crash in between the repair starts again. The damaged database is set aside (renamed to
/// `track.sqlite.corrupt-…`). At most two are kept, and the quota removes them before it removes records. Sequence
/// numbers continue above every number known to the database or to the ledger file.
/// ``/TrackEngine/StoreStatus/warning`` reports the files that were set aside and the number of lost records. A read
/// error does not count as damage and never sets a database aside.
///
/// Cancelling a task does not undo its calls: an operation either completes or throws and has no effect. There is one
/// exception: if an append throws because the disk failed, its records may still be in the log. They are removed when
/// the database can be opened again, at the latest by ``close()``. If the disk fails for longer than ``close()``
/// waits, or the process ends without it, the records may remain, together with their checkpoint.
public actor SQLiteFixStore {
    private enum State {
        /// Accepts calls. `close()` leads to `closed`.
        case open(StoreEngine)
        /// Rejects every call, permanently.
        case closed
    }

    private let executor: DatabaseThread
    private let queue = GroupCommitQueue<AppendRequest, [TrackRecord]>(mostRows: 1_000) { $0.drafts.count }
    private var state = State.closed

    /// The thread on which the store works; blocking calls never run on the cooperative thread pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() { executor = DatabaseThread("TrackEngine.store") }

    /// Opens the store in a directory, creating both if necessary.
    ///
    /// - Parameters:
    ///   - configuration: the location of the files, and the commit interval.
    ///   - logger: receives a line for each change of state (damage, reopening), and no positions.
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` when another process has it open,
    ///   ``/TrackEngine/StoreError/Code/newerSchema`` when a newer release wrote it,
    ///   ``/TrackEngine/StoreError/Code/foreignDatabase`` when the file is another program's database, which is not
    ///   changed, ``/TrackEngine/StoreError/Code/wrongKey`` when the store is encrypted and the key is missing or
    ///   wrong, ``/TrackEngine/StoreError/Code/inputOutput`` when the files cannot be read for three seconds or are
    ///   not the store's, ``/TrackEngine/StoreError/Code/full`` when the disk is full, also for a repair, which needs
    ///   the database's size again. A damaged store does not throw.
    public static func open(
        configuration: Configuration, logger: Logger = Logger(label: "track-engine.sqlite")
    ) async throws(StoreError) -> SQLiteFixStore {
        try await open(configuration: configuration, logger: logger, environment: StoreEnvironment())
    }

    /// Opens the store in an environment that a test provides.
    package static func open(
        configuration: Configuration, logger: Logger, environment: StoreEnvironment
    ) async throws(StoreError) -> SQLiteFixStore {
        let store = SQLiteFixStore()
        try await store.begin(configuration, logger, environment)
        store.gatherAppends(for: configuration.commitInterval)
        return store
    }

    private func begin(
        _ configuration: Configuration, _ logger: Logger, _ environment: StoreEnvironment
    ) throws(StoreError) {
        state = .open(
            try StoreEngine(
                directory: configuration.directory, logger: logger, environment: environment, key: configuration.key,
                now: .now()))
    }

    private func engine() throws(StoreError) -> StoreEngine {
        switch state {
        case .open(let engine): return engine
        case .closed: throw StoreError(.closed, "the store has been closed")
        }
    }

    /// Commits all appends in the queue. The executor is first come, first served: when it runs a caller's commit,
    /// that caller's append has been committed by this call or by an earlier one.
    private func commitWaiting() {
        let appends = queue.takeAll()
        guard !appends.isEmpty else { return }
        do throws(StoreError) {
            let records = try engine().append(appends.map(\.request))
            for (append, records) in zip(appends, records) { append.settle(.success(records)) }
        } catch {
            // One request may be too large for the quota; the others must not fail because of it.
            let mayTryAlone = error.code == .full && appends.count > 1
            for append in appends {
                if mayTryAlone { commitAlone(append) } else { append.settle(.failure(error)) }
            }
        }
    }

    private func commitAlone(_ append: PendingCommit<AppendRequest, [TrackRecord]>) {
        do throws(StoreError) {
            append.settle(.success(try engine().append([append.request]).first ?? []))
        } catch {
            append.settle(.failure(error))
        }
    }
}

extension SQLiteFixStore: FixStore {
    /// Saves records and checkpoint in one transaction, through to the disk.
    public nonisolated func append(
        _ drafts: [RecordDraft], checkpoint: SourceCheckpoint?
    ) async throws(StoreError) -> [TrackRecord] {
        let append = PendingCommit<_, [TrackRecord]>(AppendRequest(drafts: drafts, checkpoint: checkpoint))
        switch queue.enqueue(append) {
        case .commit: await commitWaiting()
        case .waitThenCommit(let signal, let interval, let clock):
            await signal.wait(for: interval, on: clock)  // a cancelled caller commits at once
            await commitWaiting()
        case .waitForCommit: await append.settled()
        }
        return try append.result()
    }

    /// Delays appends so that many records share a commit, which makes storage that wears out last longer.
    ///
    /// An append still returns only after its commit: returned records are durable, and waiting ones are not yet
    /// accepted. The commit happens when the interval has passed since the first waiting append, when 1 000 records
    /// wait, or when ``commitAtOnce(_:)`` or ``close()`` is called.
    ///
    /// - Parameters:
    ///   - interval: zero commits each append at once (the default); up to 60 s is useful. A live source collects its
    ///     fixes in the meantime, and a power cut loses them.
    ///   - clock: the clock for the interval.
    public nonisolated func gatherAppends(for interval: Duration, on clock: any Clock<Duration> = ContinuousClock()) {
        queue.gather(for: interval, on: clock)
    }

    /// Commits the waiting appends, and, while it is on, all later ones without a commit interval.
    public nonisolated func commitAtOnce(_ isOn: Bool) async { queue.setUrgent(isOn) }

    /// Reads a page of the store; the cost depends on `limit`, not on the number of records. Rows whose check fails
    /// are set aside and omitted.
    public func records(after sequence: RecordSequence, limit: Int) throws(StoreError) -> [TrackRecord] {
        try engine().records(after: sequence, limit: limit)
    }

    /// Reads records of some kinds after a sequence number. The rows are read in portions, between which other calls
    /// can run.
    public func records(
        after sequence: RecordSequence, kinds: RecordKinds, limit: Int
    ) async throws(StoreError) -> [TrackRecord] {
        var found: [TrackRecord] = []
        var place = sequence
        while found.count < limit, place.rawValue < (try engine().counters.last) {
            let end = RecordSequence(rawValue: place.rawValue + 4_096)
            found += try engine().records(after: place, through: end, kinds: kinds).prefix(limit - found.count)
            place = end
            await Task.yield()
        }
        return found
    }

    /// The checkpoint of each source at its last commit.
    public func checkpoints() throws(StoreError) -> [SourceCheckpoint] {
        try engine().counters.sources.checkpoints.values.sorted { $0.source.rawValue < $1.source.rawValue }
    }

    /// The last odometer reading of each source.
    ///
    /// Declared `async` because the protocol's default is: in an asynchronous context Swift prefers an asynchronous
    /// overload, and the default returns no readings.
    public func odometers() async throws(StoreError) -> [SourceID: Double] {
        try engine().counters.sources.odometers
    }

    /// The last state of each source's event detector; declared `async` like ``odometers()``.
    public func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]] {
        try engine().counters.sources.detectorStates
    }

    /// Removes all checkpoints, so that every source starts from the beginning.
    public func forgetCheckpoints() throws(StoreError) {
        try engine().write(.durable) { db, counters in try counters.forgetCheckpoints(in: db) }
    }

    /// The oldest records that the sink has not settled; requeued dead letters come first.
    public func nextBatch(for sink: SinkID, limit: Int) throws(StoreError) -> PendingBatch? {
        try engine().nextBatch(for: sink, limit: limit)
    }

    /// Moves the cursor and writes the dead letters in one transaction.
    public func settle(_ settlement: Settlement, for sink: SinkID) throws(StoreError) {
        try engine().settle(settlement, for: sink)
    }

    /// The backlog of records that the sink has not settled.
    public func backlog(of sink: SinkID) throws(StoreError) -> Backlog {
        try engine().backlog(of: sink)
    }

    /// The dead letters of the sink, or all, oldest first.
    public func deadLetters(of sink: SinkID?) throws(StoreError) -> [DeadLetter] {
        let engine = try engine()
        return try engine.readSettingAside(.dead) { try DeadLetterTable($0, engine.seal).letters(of: sink) }
    }

    /// Returns dead letters to the front of their sink's queue, durably; returns their number.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) throws(StoreError) -> Int {
        try engine().write(.durable) { db, counters in try DeadLetterTable(db, counters.seal).requeue(selection) }
    }

    /// Removes dead letters, durably; returns their number.
    public func dropDeadLetters(_ selection: DeadLetterSelection) throws(StoreError) -> Int {
        try engine().write(.durable) { db, counters in try DeadLetterTable(db, counters.seal).drop(selection) }
    }

    /// Sets the retention limits, and the sinks that hold records back.
    public func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) throws(StoreError) {
        try engine().configure(retention, sinks: sinks)
    }

    /// Removes records that are settled or beyond the limits; the latter count as dropped.
    @discardableResult
    public func prune(now: Timestamp, isClockConfirmed: Bool) throws(StoreError) -> PruneReport {
        try engine().prune(now: now, isClockConfirmed: isClockConfirmed)
    }

    /// The size and counters of the file, and its problem, if there is one.
    public func status() throws(StoreError) -> StoreStatus {
        try engine().status()
    }

    /// Removes records, dead letters and checkpoints; sequence numbers and the count of dropped records continue.
    public func clear() throws(StoreError) {
        try engine().clear()
    }

    /// Rewrites the whole store under another key, or unencrypted, and closes it; the next opening needs the new key.
    ///
    /// Data under the old key, or unencrypted data, is overwritten and removed when the new database is complete. If
    /// the process ends at any time, the store is complete under one of the two keys: the one that opens it. The next
    /// opening completes or repeats the remaining steps. The change needs the database's size again on the disk.
    ///
    /// - Parameter key: the new key; `nil` to end encryption.
    /// - Throws: ``/TrackEngine/StoreError/Code/full`` when there is no room; the store is then unchanged, and closed.
    public func rewrite(under key: StoreKey?) throws(StoreError) {
        let engine = try engine()
        commitWaiting()
        state = .closed
        try engine.rewrite(under: key)
    }

    /// Closes the file and releases its lock; every later call throws. Waits up to three seconds if the disk fails.
    public func close() {
        guard case .open(let engine) = state else { return }
        commitWaiting()
        engine.close()
        state = .closed
    }
}

// MARK: - For tests

extension SQLiteFixStore {
    /// The log message when the disk fails for longer than ``close()`` waits.
    package static let mayHoldUnacknowledged: Logger.Message = "store may hold records of failed appends"

    /// The number of callers that wait for the next commit.
    package nonisolated var waitingAppends: Int { queue.count }

    /// The number of transactions that were synchronised to the disk.
    package func durableCommits() throws(StoreError) -> Int { try engine().durableCommits }

    /// The database's `synchronous` setting: 2 is FULL.
    package func synchronousSetting() throws(StoreError) -> Int? {
        try engine().read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    /// Releases the disk space that is reserved for settling, as a full disk would.
    package func releaseReserve() throws(StoreError) { _ = try engine().diskReserve.release() }

    /// Keeps the store's thread busy, so that appends accumulate in the queue.
    package func occupy(while isNeeded: @Sendable () -> Bool) {
        while isNeeded() {}
    }
}
