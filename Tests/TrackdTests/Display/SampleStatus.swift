import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// Statuses made by hand, whose words and widths are known.
enum SampleStatus {
    static let now = Timestamp(secondsSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z

    static func ago(_ seconds: Int64) -> Timestamp { now.advanced(by: .seconds(-seconds)) }

    static var fix: Fix {
        Fix(
            time: ago(1), coordinate: Coordinate(latitude: 50.0875, longitude: -14.4213), altitude: 245.4,
            horizontalAccuracy: 3.25, speed: 13.4, course: 271.2, satellitesUsed: 9, satellitesVisible: 14)
    }

    static var source: SourceReport {
        var source = SourceReport(id: "gpsd")
        source.status = .receiving
        source.fixes = 1234
        source.recorded = 56
        source.rejected = [.tooNear: 1175, .duplicateTime: 3]
        source.problems = [.malformed: 2]
        source.latest = fix
        source.lastArrival = ago(1)
        source.isMoving = true
        source.nextRest = PendingRest(.still, due: now.advanced(by: .seconds(95)))
        source.odometer = 18_342
        return source
    }

    static var failingSync: SyncState {
        var sync = SyncState()
        sync.activity = .backingOff
        (sync.queued, sync.delivered, sync.tried) = (12, 1044, 3)
        sync.oldest = ago(94)
        sync.lastSuccess = ago(3725)
        sync.failure = "503 Service Unavailable"
        sync.nextDue = now.advanced(by: .seconds(7))
        return sync
    }

    static var store: StoreStatus {
        StoreStatus(
            count: 1056, lastSequence: RecordSequence(rawValue: 2000), bytes: 1_234_567, dropped: 0, deadLetters: 1,
            warning: nil)
    }

    static func agent(
        sources: [SourceReport] = [source], sync: SyncState = failingSync, store: StoreStatus? = store,
        failure: String? = nil
    ) -> AgentStatus {
        AgentStatus(
            device: "van-7", started: ago(754), storePath: "/var/lib/trackd",
            tracker: TrackerStatus(
                state: .running, time: now, sources: sources, sinks: [.init(id: "home", sync: sync)], store: store,
                storeFailure: failure))
    }
}
