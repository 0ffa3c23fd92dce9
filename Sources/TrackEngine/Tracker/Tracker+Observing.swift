/// Records, decisions and status of a tracker for observers.
extension Tracker {
    /// Returns a stream of the records stored from now on. The stream ends with the run under way, or with the next
    /// one.
    ///
    /// - Parameter limit: the number of records buffered for a slow listener; older ones are skipped.
    public nonisolated func records(bufferingNewest limit: Int = 256) -> AsyncStream<TrackRecord> {
        publisher.records.listen(bufferingNewest: limit)
    }

    /// Returns a stream of all decisions from now on: records, rejections with their reason, standby. The stream ends
    /// with the run under way, or with the next one.
    ///
    /// - Parameter limit: the number of decisions buffered for a slow listener; older ones are skipped.
    public nonisolated func decisions(bufferingNewest limit: Int = 256) -> AsyncStream<TrackerDecision> {
        publisher.decisions.listen(bufferingNewest: limit)
    }

    /// Whether a caller waits in ``sourcesFinished()``.
    package var isAwaited: Bool { !finishWaiters.isEmpty }

    /// Whether there are listeners for records and listeners for decisions.
    package var hasListeners: Bool { publisher.records.hasListeners && publisher.decisions.hasListeners }

    /// Returns everything that a status page shows.
    public func status() async -> TrackerStatus {
        var sinks: [TrackerStatus.SinkReport] = []
        for delivery in deliveries {
            sinks.append(TrackerStatus.SinkReport(id: delivery.sink.id, sync: await delivery.state))
        }
        var failure = publisher.storeFailure ?? housekeeping.failure
        var store: StoreStatus?
        do { store = try await self.store.status() } catch { failure = "\(error)" }
        let now = wallClock()
        return TrackerStatus(
            state: state, time: now, sources: processors.map(\.report), sinks: sinks, store: store,
            storeFailure: failure, pause: pauses.pause(wallClock: now))
    }
}
