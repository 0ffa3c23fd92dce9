/// A store that only keeps records and delivers them.
///
/// It implements nine of the requirements of ``FixStore``: ``RecordLog/append(_:checkpoint:)``,
/// ``RecordLog/records(after:limit:)``, ``DeliveryQueue/nextBatch(for:limit:)``, ``DeliveryQueue/settle(_:for:)``,
/// ``StoreHousekeeping/configure(_:sinks:)``, ``StoreHousekeeping/prune(now:isClockConfirmed:)``,
/// ``StoreHousekeeping/status()``, ``StoreHousekeeping/clear()`` and ``StoreHousekeeping/close()``. The others have
/// defaults here, with their effects described at each:
///
/// - without checkpoints each run begins as after a stop: the first fix of a source becomes a record again;
/// - without dead letters a record that a receiver will never accept is lost. Such a store counts it in
///   ``StoreStatus/dropped``.
///
/// A store that has one of them should conform to ``FixStore``, so that the compiler requires all of it.
/// <doc:WritingAStore> contains an example.
public protocol BasicFixStore: FixStore {}

extension BasicFixStore {
    /// Returns no checkpoints: each source begins afresh.
    public func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { [] }

    /// Has no effect, because there are no checkpoints.
    public func forgetCheckpoints() async throws(StoreError) {}

    /// Returns the records that wait for a sink, found by reading all of them. A store with a long queue should count
    /// them itself.
    public func backlog(of sink: SinkID) async throws(StoreError) -> Backlog {
        let waiting = try await nextBatch(for: sink, limit: .max)?.records ?? []
        return Backlog(count: waiting.count, oldest: waiting.first?.fix.time, newest: waiting.last)
    }

    /// Returns no dead letters.
    public func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] { [] }

    /// Returns 0, because there are no dead letters.
    public func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int { 0 }

    /// Returns 0, because there are no dead letters.
    public func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int { 0 }
}
