/// A store that only keeps records and delivers them.
///
/// It implements nine of the requirements of ``FixStore``: ``RecordLog/append(_:checkpoint:)``,
/// ``RecordLog/records(after:limit:)``, ``DeliveryQueue/nextBatch(for:limit:)``, ``DeliveryQueue/settle(_:for:)``,
/// ``StoreKeeping/configure(_:sinks:)``, ``StoreKeeping/prune(now:isClockConfirmed:)``, ``StoreKeeping/status()``,
/// ``StoreKeeping/clear()`` and ``StoreKeeping/close()``. The others have defaults here, and what these mean is said at
/// each:
///
/// - without checkpoints each run begins as after a stop: the first fix of a source becomes a record again;
/// - without dead letters a record that a receiver will never take is lost. Such a store counts it in
///   ``StoreStatus/dropped``.
///
/// A store that has one of them is a ``FixStore``, so that the compiler asks for all of it. <doc:WritingAStore> shows one.
public protocol BasicFixStore: FixStore {}

extension BasicFixStore {
    /// No checkpoints: each source begins afresh.
    public func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { [] }

    /// Nothing to forget.
    public func forgetCheckpoints() async throws(StoreError) {}

    /// What waits for a sink, found by reading all of it. A store in which much may wait counts it better.
    public func backlog(of sink: SinkID) async throws(StoreError) -> Backlog {
        let waiting = try await nextBatch(for: sink, limit: .max)?.records ?? []
        return Backlog(count: waiting.count, oldest: waiting.first?.fix.time, newest: waiting.last)
    }

    /// No dead letters.
    public func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] { [] }

    /// Nothing to put back.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int { 0 }

    /// Nothing to drop.
    public func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int { 0 }
}
