import TrackEngine

/// The additions that wait for the next commit: callers that arrive during a commit share the next one, so that many
/// senders cost one fsync.
final class AdditionQueue: Sendable {
    /// One caller's points and events, and their result.
    final class Addition: Sendable {
        let device: DeviceID
        let points: [HistoryPoint]
        let events: [HistoryEvent]
        private let result = SystemMutex(Result<HistoryAddition, StoreError>?.none)

        init(device: DeviceID, points: [HistoryPoint], events: [HistoryEvent]) {
            self.device = device
            self.points = points
            self.events = events
        }

        func settle(_ settled: Result<HistoryAddition, StoreError>) { result.withLock { $0 = settled } }

        /// Returns the result of the addition, after the commit that included it.
        func settled() throws(StoreError) -> HistoryAddition {
            guard let result = result.withLock({ $0 }) else { throw StoreError(.closed, "the history did not commit") }
            return try result.get()
        }
    }

    private let waiting = SystemMutex([Addition]())

    func append(_ addition: Addition) { waiting.withLock { $0.append(addition) } }

    /// Removes and returns all pending additions, in the order of their arrival.
    func takeAll() -> [Addition] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
