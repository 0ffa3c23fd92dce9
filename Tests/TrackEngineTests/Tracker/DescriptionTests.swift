import Testing
import TrackEngine

/// What logs show: readable, and without a position unless somebody asks for it.
@Suite struct DescriptionTests {
    private let fix = Fix(
        time: Timestamp(secondsSince1970: 1_772_359_200),
        coordinate: Coordinate(latitude: 52.520_008, longitude: -13.4),
        horizontalAccuracy: 3, speed: 13.88)
    private var record: TrackRecord {
        TrackRecord(
            sequence: RecordSequence(rawValue: 12),
            draft: RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .distance, source: "gpsd"))
    }

    @Test func `a fix tells time, speed and accuracy`() {
        #expect("\(fix)" == "2026-03-01T10:00:00.000Z, 13.9 m/s, within 3 m")
        #expect(
            fix.description(revealingPosition: true)
                == "2026-03-01T10:00:00.000Z at 52.520008, -13.4, 13.9 m/s, within 3 m")
        #expect("\(Fix(time: fix.time, coordinate: fix.coordinate))" == "2026-03-01T10:00:00.000Z")
    }

    @Test func `a record tells its sequence, id and cause`() {
        let id = "00000000-0000-0000-0000-000000000001"
        #expect(
            "\(record)" == "#12 \(id) distance from gpsd, moving: 2026-03-01T10:00:00.000Z, 13.9 m/s, within 3 m")
        #expect(record.description(revealingPosition: true).contains(" at 52.520008, -13.4,"))
    }

    @Test func `a problem of the input tells its line, where there is one`() {
        #expect("\(SourceProblem(.malformed, line: 3, "no time"))" == "line 3: malformed: no time")
        #expect("\(SourceProblem(.incomplete, "no date"))" == "incomplete: no date")
    }

    @Test func `no description of a value that holds a position shows it unasked`() {
        var report = SourceReport(id: "gpsd")
        report.latest = fix
        let status = TrackerStatus(
            state: .running, time: fix.time, sources: [report], sinks: [], store: nil, storeFailure: "the disk is full")
        let decisions: [TrackerDecision] = [
            .recorded(record), .rejected(fix: fix, source: "gpsd", reason: .tooNear), .standby("gpsd"),
        ]
        let batch = RecordBatch(records: [record], isBacklog: false)
        let texts = ["\(report)", "\(status)", "\(decisions)", "\(batch)", "\([fix])", "\(Optional(fix) as Any)"]
        for text in texts { #expect(!text.contains("52.5") && !text.contains("13.4"), "\(text)") }
        #expect(decisions[1].description(revealingPosition: true).contains("52.520008, -13.4"))
    }

    @Test func `a status is one line with every source, every sink and the store`() {
        var report = SourceReport(id: "gpsd")
        report.status = .unavailable(reason: "connection refused")
        report.fixes = 120
        report.recorded = 17
        report.problems = [.malformed: 2]
        var sync = SyncState()
        sync.activity = .backingOff
        sync.queued = 3
        sync.tried = 2
        sync.failure = "HTTP 503"
        let store = StoreStatus(
            count: 17, lastSequence: RecordSequence(rawValue: 17), bytes: 40_960, dropped: 0, deadLetters: 1,
            warning: nil)
        let status = TrackerStatus(
            state: .running, time: fix.time, sources: [report], sinks: [.init(id: "home", sync: sync)], store: store)
        #expect(
            "\(status)"
                == "running; gpsd: unavailable (connection refused), still, 120 fixes, 17 recorded, 2 problems; "
                + "home: backing off, 3 queued, 0 delivered, failed 2 times: HTTP 503; "
                + "store: 17 records, 40960 bytes, 1 dead letters")
    }
}
