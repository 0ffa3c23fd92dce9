/// What others may see of a tracker.
extension Tracker {
    /// The records as they are stored, from now on. The stream ends with the run under way, or with the next one.
    ///
    /// - Parameter limit: how many are kept for a listener that does not keep up; older ones are skipped.
    public nonisolated func records(bufferingNewest limit: Int = 256) -> AsyncStream<TrackRecord> {
        hub.records.listen(bufferingNewest: limit)
    }

    /// Everything that is decided about fixes, from now on: records, rejections with their reason, standby. The stream
    /// ends with the run under way, or with the next one.
    ///
    /// - Parameter limit: how many are kept for a listener that does not keep up; older ones are skipped.
    public nonisolated func decisions(bufferingNewest limit: Int = 256) -> AsyncStream<TrackerDecision> {
        hub.decisions.listen(bufferingNewest: limit)
    }

    /// Whether anybody waits in ``sourcesFinished()``.
    package var isAwaited: Bool { !finishWaiters.isEmpty }

    /// Whether anybody takes records, and anybody decisions.
    package var hasListeners: Bool { hub.records.hasListeners && hub.decisions.hasListeners }

    /// Everything that a status page shows.
    public func status() async -> TrackerStatus {
        var sinks: [TrackerStatus.SinkReport] = []
        for drain in drains { sinks.append(TrackerStatus.SinkReport(id: drain.sink.id, sync: await drain.state)) }
        var failure = hub.storeFailure ?? housekeeping.failure
        var store: StoreStatus?
        do { store = try await self.store.status() } catch { failure = "\(error)" }
        let now = wallClock()
        return TrackerStatus(
            state: state, time: now, sources: lanes.map(\.report), sinks: sinks, store: store,
            storeFailure: failure, pause: pauses.pause(wallClock: now))
    }
}
