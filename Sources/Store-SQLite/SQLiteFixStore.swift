import GRDB
public import Logging
import SQLiteAccess
public import TrackEngine

/// The durable store: an SQLite database in a directory of its own.
///
/// A record that ``append(_:checkpoint:)`` has returned survives `kill -9`, and power loss on storage that honours
/// fsync. One process at a time may have a directory open; others are refused with ``/TrackEngine/StoreError/Code/locked``. Appends
/// that arrive while a commit runs share the next one, so a hundred waiting callers cost one fsync.
///
/// What is readable of a damaged database is copied into a fresh one, which takes its place when it is complete; a
/// crash in between begins the repair anew. The damaged one is set aside (renamed to `track.sqlite.corrupt-…`); two at
/// most are kept, and they go before records do when the quota says so. Sequence numbers go on above every one that the
/// database or the ledger beside it knows of. ``/TrackEngine/StoreStatus/warning`` tells what was set aside and how many records are
/// lost. A read error is not damage: nothing is set aside because of one.
///
/// Calls are not undone by cancelling their task: what was asked for happens, or throws and has not happened. An append
/// that threw because the disk failed may be in the log all the same; it is removed when the database can be opened
/// again, at the latest by ``close()``. Where the disk fails for longer than ``close()`` waits, or the process ends
/// without it, the records may be there, together with their checkpoint.
public actor SQLiteFixStore {
    private enum State {
        /// Takes every call. `close()` leads to `closed`.
        case open(StoreEngine)
        /// Refuses every call, for good.
        case closed
    }

    private let executor: DatabaseThread
    private let queue = GroupCommitQueue()
    private var state = State.closed

    /// The thread on which the store works; blocking calls never run on the cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() { executor = DatabaseThread("TrackEngine.store") }

    /// Opens the store in a directory, making both if need be.
    ///
    /// - Parameters:
    ///   - configuration: where the files are, and how often to commit.
    ///   - logger: gets a line for each change of state (damage, reopening), and no positions.
    /// - Throws: ``/TrackEngine/StoreError/Code/locked`` when another process has it open, ``/TrackEngine/StoreError/Code/newerSchema`` when a
    ///   newer release wrote it, ``/TrackEngine/StoreError/Code/foreignDatabase`` when another program's database stands in its
    ///   place, which is left as it is, ``/TrackEngine/StoreError/Code/wrongKey`` when the store is encrypted and the key is
    ///   missing or another one, ``/TrackEngine/StoreError/Code/inputOutput`` when the files cannot be read for three seconds
    ///   or are none of the store's, ``/TrackEngine/StoreError/Code/full`` when the disk is full, also for a repair, which needs the
    ///   database's size again. A damaged store does not throw.
    public static func open(
        configuration: Configuration, logger: Logger = Logger(label: "track-engine.sqlite")
    ) async throws(StoreError) -> SQLiteFixStore {
        try await open(configuration: configuration, logger: logger, environment: OpeningEnvironment())
    }

    /// The same in an environment that tests make.
    package static func open(
        configuration: Configuration, logger: Logger, environment: OpeningEnvironment
    ) async throws(StoreError) -> SQLiteFixStore {
        let store = SQLiteFixStore()
        try await store.begin(configuration, logger, environment)
        store.gatherAppends(for: configuration.commitInterval)
        return store
    }

    private func begin(
        _ configuration: Configuration, _ logger: Logger, _ environment: OpeningEnvironment
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

    /// Commits whatever waits in the queue. The executor is first come, first served, so when a caller's turn comes its
    /// append has been taken along by this commit or by an earlier one.
    private func commitWaiting() {
        let appends = queue.takeAll()
        guard !appends.isEmpty else { return }
        do throws(StoreError) {
            let records = try engine().append(appends.map(\.request))
            for (append, records) in zip(appends, records) { append.settle(.success(records)) }
        } catch {
            // One request may be too large for the quota; it must not take the others down with it.
            let mayTryAlone = error.code == .full && appends.count > 1
            for append in appends {
                if mayTryAlone { commitAlone(append) } else { append.settle(.failure(error)) }
            }
        }
    }

    private func commitAlone(_ append: PendingAppend) {
        do throws(StoreError) {
            append.settle(.success(try engine().append([append.request]).first ?? []))
        } catch {
            append.settle(.failure(error))
        }
    }
}

extension SQLiteFixStore: FixStore {
    /// Keeps records and checkpoint in one transaction, through to the disk.
    public nonisolated func append(
        _ drafts: [RecordDraft], checkpoint: SourceCheckpoint?
    ) async throws(StoreError) -> [TrackRecord] {
        let append = PendingAppend(AppendRequest(drafts: drafts, checkpoint: checkpoint))
        switch queue.enqueue(append) {
        case .commit: await commitWaiting()
        case .waitThenCommit(let signal, let interval, let clock):
            await signal.wait(for: interval, on: clock)  // a cancelled caller commits at once
            await commitWaiting()
        case .waitForCommit: await append.settled()
        }
        return try append.result()
    }

    /// Lets appends wait for each other, so that many records share a commit and storage that wears out lasts longer.
    ///
    /// An append returns after its commit as ever: what it has returned is durable, and what waits is not yet accepted.
    /// A commit comes as soon as the interval has passed since the first append that waits, 1 000 records wait, or
    /// ``commitAtOnce(_:)`` or ``close()`` says so.
    ///
    /// - Parameters:
    ///   - interval: zero commits each append at once (the default); up to 60 s is useful. A live source gathers its
    ///     fixes meanwhile, and a power cut loses what it holds.
    ///   - clock: what the interval is measured on.
    public nonisolated func gatherAppends(for interval: Duration, on clock: any Clock<Duration> = ContinuousClock()) {
        queue.gather(for: interval, on: clock)
    }

    /// Commits what waits for a commit interval, and, while it is on, all that comes without one.
    public nonisolated func commitAtOnce(_ isOn: Bool) async { queue.setUrgent(isOn) }

    /// Reads a page of the store; its cost depends on `limit`, not on how many records there are. A row whose check
    /// fails is set aside and left out.
    public func records(after sequence: RecordSequence, limit: Int) throws(StoreError) -> [TrackRecord] {
        try engine().records(after: sequence, limit: limit)
    }

    /// The records of some kinds after a place. What lies between is read in portions, between which others have their turn.
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

    /// Where each source stood at its last commit.
    public func checkpoints() throws(StoreError) -> [SourceCheckpoint] {
        try engine().counters.sources.checkpoints.values.sorted { $0.source.rawValue < $1.source.rawValue }
    }

    /// What each source's odometer showed last.
    ///
    /// Declared `async` because the protocol's default is: where the caller awaits, Swift prefers an asynchronous
    /// overload, and the default knows no readings.
    public func odometers() async throws(StoreError) -> [SourceID: Double] {
        try engine().counters.sources.odometers
    }

    /// What each source's event detector knew last; declared `async` as ``odometers()`` is.
    public func detectorStates() async throws(StoreError) -> [SourceID: [UInt8]] {
        try engine().counters.sources.detectorStates
    }

    /// Lets every source begin afresh.
    public func forgetCheckpoints() throws(StoreError) {
        try engine().write(.durable) { db, counters in try counters.forgetCheckpoints(in: db) }
    }

    /// The oldest records that the sink has not settled; requeued dead letters first.
    public func nextBatch(for sink: SinkID, limit: Int) throws(StoreError) -> PendingBatch? {
        try engine().nextBatch(for: sink, limit: limit)
    }

    /// Moves the cursor and writes the dead letters in one transaction.
    public func settle(_ settlement: Settlement, for sink: SinkID) throws(StoreError) {
        try engine().settle(settlement, for: sink)
    }

    /// What the sink has not settled.
    public func backlog(of sink: SinkID) throws(StoreError) -> Backlog {
        try engine().backlog(of: sink)
    }

    /// The dead letters of the sink, or all, oldest first.
    public func deadLetters(of sink: SinkID?) throws(StoreError) -> [DeadLetter] {
        let engine = try engine()
        return try engine.readSettingAside(.dead) { try DeadLetterTable($0, engine.seal).letters(of: sink) }
    }

    /// Puts dead letters in front of their sink's queue, durably; returns how many.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) throws(StoreError) -> Int {
        try engine().write(.durable) { db, counters in try DeadLetterTable(db, counters.seal).requeue(selection) }
    }

    /// Removes dead letters, durably; returns how many.
    public func dropDeadLetters(_ selection: DeadLetterSelection) throws(StoreError) -> Int {
        try engine().write(.durable) { db, counters in try DeadLetterTable(db, counters.seal).drop(selection) }
    }

    /// Sets the bounds, and the sinks that hold records back.
    public func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) throws(StoreError) {
        try engine().configure(retention, sinks: sinks)
    }

    /// Removes what is settled or beyond the bounds; the latter is counted as dropped.
    @discardableResult
    public func prune(now: Timestamp, isClockConfirmed: Bool) throws(StoreError) -> PruneReport {
        try engine().prune(now: now, isClockConfirmed: isClockConfirmed)
    }

    /// The size and counters of the file, and what is wrong with it, if something is.
    public func status() throws(StoreError) -> StoreStatus {
        try engine().status()
    }

    /// Removes records, dead letters and checkpoints; numbers and the count of drops go on.
    public func clear() throws(StoreError) {
        try engine().clear()
    }

    /// Writes the whole store anew under another key, or in plain, and closes it; the next opening takes the new key.
    ///
    /// What was sealed under the old key, or was in plain, is overwritten and removed when the new database is complete. Whatever
    /// ends the process, the store is then whole under one of the two keys; it can be told by which one opens it, and the next
    /// opening completes or repeats what is missing. It takes the database's size again on the disk.
    ///
    /// - Parameter key: the new key; `nil` to end encryption.
    /// - Throws: ``/TrackEngine/StoreError/Code/full`` when there is no room; the store is then as it was, and closed.
    public func rewrite(under key: StoreKey?) throws(StoreError) {
        let engine = try engine()
        commitWaiting()
        state = .closed
        try engine.rewrite(under: key)
    }

    /// Closes the file and gives its lock up; every later call throws. Waits up to three seconds for a disk that fails.
    public func close() {
        guard case .open(let engine) = state else { return }
        commitWaiting()
        engine.close()
        state = .closed
    }
}

// MARK: - For tests

extension SQLiteFixStore {
    /// What the log says when the disk fails for longer than ``close()`` waits.
    package static let mayHoldUnacknowledged: Logger.Message = "store may hold records whose append has failed"

    /// How many callers wait for the next commit.
    package nonisolated var waitingAppends: Int { queue.count }

    /// How many transactions went through to the disk.
    package func durableCommits() throws(StoreError) -> Int { try engine().durableCommits }

    /// What the database says about its `synchronous` setting: 2 is FULL.
    package func synchronousSetting() throws(StoreError) -> Int? {
        try engine().read { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    /// Gives up the disk space that is kept for settling, as a full disk would.
    package func releaseReserve() throws(StoreError) { _ = try engine().diskReserve.release() }

    /// Keeps the store's thread busy, so that appends gather in the queue.
    package func occupy(while isNeeded: @Sendable () -> Bool) {
        while isNeeded() {}
    }
}
