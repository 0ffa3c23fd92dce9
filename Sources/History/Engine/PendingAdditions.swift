import TrackEngine

/// What waits for the next commit: callers that come while one runs share the next, so that many senders cost one fsync.
final class PendingAdditions: Sendable {
    /// One caller's points and events, and what became of them.
    final class Addition: Sendable {
        let device: DeviceID
        let points: [HistoryPoint]
        let events: [HistoryEvent]
        private let result = PthreadMutex(Result<HistoryAddition, StoreError>?.none)

        init(device: DeviceID, points: [HistoryPoint], events: [HistoryEvent]) {
            self.device = device
            self.points = points
            self.events = events
        }

        func settle(_ settled: Result<HistoryAddition, StoreError>) { result.withLock { $0 = settled } }

        /// What became of it; to be asked after a commit that took it along.
        func settled() throws(StoreError) -> HistoryAddition {
            guard let result = result.withLock({ $0 }) else { throw StoreError(.closed, "the history did not commit") }
            return try result.get()
        }
    }

    private let waiting = PthreadMutex([Addition]())

    func append(_ addition: Addition) { waiting.withLock { $0.append(addition) } }

    /// All that wait, in the order of their arrival.
    func takeAll() -> [Addition] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
