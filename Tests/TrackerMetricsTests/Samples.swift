import TrackEngine

extension TrackerStatus {
    /// A status of these sources and sinks.
    static func sample(
        sources: [SourceReport] = [], sinks: [SinkReport] = [],
        store: StoreStatus? = StoreStatus(
            count: 7, lastSequence: RecordSequence(rawValue: 7), bytes: 4096, dropped: 1, deadLetters: 2, warning: nil)
    ) -> TrackerStatus {
        TrackerStatus(
            state: .running, time: Timestamp(secondsSince1970: 1_772_359_320), sources: sources, sinks: sinks,
            store: store)
    }
}

extension SourceReport {
    static func source(_ id: SourceID, fixes: Int) -> SourceReport {
        var report = SourceReport(id: id)
        report.fixes = fixes
        return report
    }

    /// Ten fixes, of which three were recorded.
    static var gpsd: SourceReport {
        var report = source("gpsd", fixes: 10)
        report.recorded = 3
        report.rejected = [.stale: 2, .tooNear: 5]
        report.problems = [.malformed: 4]
        report.odometer = 12.5
        return report
    }

    static var replay: SourceReport { source("replay", fixes: 100) }
}

extension TrackerStatus.SinkReport {
    /// A sink that has done nothing yet.
    static func sink(_ id: SinkID) -> TrackerStatus.SinkReport { .init(id: id, sync: SyncState()) }

    /// Four records wait, seven were delivered.
    static var home: TrackerStatus.SinkReport {
        var sync = SyncState()
        sync.queued = 4
        sync.oldest = Timestamp(secondsSince1970: 1_772_359_200, nanoseconds: 500_000_000)
        sync.lastSuccess = Timestamp(secondsSince1970: 1_772_359_260)
        sync.delivered = 7
        sync.refused = 1
        sync.tried = 2
        return .init(id: "home", sync: sync)
    }

    static var fleet: TrackerStatus.SinkReport { sink("fleet") }
}
