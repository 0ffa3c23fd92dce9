internal import Synchronization
public import TrackEngine

/// A sink that takes everything and remembers it.
public final class RecordingSink: FixSink {
    private struct State {
        var batches: [RecordBatch] = []
        var isClosed = false
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The sink's name.
    public let id: SinkID
    private let state = Mutex(State())

    /// An empty sink.
    public init(id: SinkID = "recording") {
        self.id = id
    }

    /// Settles the whole batch.
    public func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        if Task.isCancelled { throw DeliveryError(.retry(), "cancelled") }
        let satisfied = state.withLock { state in
            state.batches.append(batch)
            let count = state.batches.reduce(0) { $0 + $1.records.count }
            let satisfied = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return satisfied
        }
        for watcher in satisfied { watcher.continuation.resume() }
        return Receipt(settled: batch.records.count)
    }

    /// Notes that the sink was closed.
    public func close() async {
        state.withLock { $0.isClosed = true }
    }

    /// All batches so far.
    public var batches: [RecordBatch] { state.withLock { $0.batches } }
    /// All records so far, in order of delivery.
    public var records: [TrackRecord] { batches.flatMap(\.records) }
    /// Whether ``close()`` has been called.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits until at least this many records have been delivered.
    public func records(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isSatisfied = state.withLock { state in
                if state.batches.reduce(0, { $0 + $1.records.count }) >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isSatisfied { continuation.resume() }
        }
    }
}
