import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

@Suite struct StatusTextTests {
    @Test func `at 80 columns`() {
        let lines = StatusText.lines(SampleStatus.agent(), StatusStyle(columns: 80))
        #expect(
            lines.joined(separator: "\n") == """
                trackd        van-7  running  for 12 min 34 s  2026-03-01T10:00:00Z
                gpsd          receiving  moving  still in 1 min 35 s  last fix 1 s ago
                              50.087500 N 14.421300 W  ±3.3 m  altitude 245 m
                              13.4 m/s (48 km/h)  course 271°  9/14 satellites
                              1234 fixes  56 recorded  odometer 18.3 km  1175 not needed
                              3 duplicate-time  2 malformed
                home          backing off  12 queued, oldest 1 min 34 s  1044 delivered
                              last success 1 h 2 min ago  503 Service Unavailable  tried 3
                              next in 7 s
                store         1056 records  1.2 MB  0 dropped  1 dead letter  /var/lib/trackd
                """)
    }

    @Test func `an encrypted store says so`() {
        var status = SampleStatus.agent()
        status.storeIsEncrypted = true
        let line = StatusText.lines(status, StatusStyle(columns: 120)).last ?? ""
        expectMessage(line, begin: "store")
        #expect(status.json["store"]?["encrypted"]?.boolean == true)
        #expect(SampleStatus.agent().json["store"]?["encrypted"]?.boolean == false)
    }

    @Test func `what is configured from afar is said whole, on lines as wide as the screen`() {
        var status = SampleStatus.agent()
        var kept = RemoteValues()
        kept.values["log.level"] = .init("debug")
        let trial = kept.changed(
            by: [RemoteValue("tracking.distanceFilter", "50")], now: SampleStatus.now,
            end: SampleStatus.now.advanced(by: .seconds(300)))
        status.remote = RemoteStatus(
            trial, problem: "/var/lib/trackd/remote.json was damaged: none of its values hold")
        let lines = StatusText.lines(status, StatusStyle(columns: 80))
        #expect(
            lines.suffix(4).joined(separator: "\n") == """
                remote        log.level = debug
                              tracking.distanceFilter = 50 since 2026-03-01T10:00:00Z, on trial
                              until 2026-03-01T10:05:00Z
                              /var/lib/trackd/remote.json was damaged: none of its values hold
                """)
        #expect(status.json["remote"]?["values"]?["log.level"]?["value"]?.string == "debug")
        #expect(SampleStatus.agent().json["remote"] == nil)
    }

    @Test(arguments: [20, 33, 47, 80, 132, 1000])
    func `no line is wider than the screen`(_ columns: Int) {
        let lines = StatusText.lines(SampleStatus.agent(), StatusStyle(columns: columns))
        #expect(lines.map(\.count).max() ?? 0 <= columns)
    }

    @Test func `colours change nothing but the colours`() {
        let plain = StatusText.lines(SampleStatus.agent(), StatusStyle(columns: 80))
        let coloured = StatusText.lines(SampleStatus.agent(), StatusStyle(columns: 80, usesColour: true))
        #expect(coloured != plain)
        #expect(coloured.map { $0.replacing(/\u{1b}\[[0-9]+m/, with: "") } == plain)
    }

    @Test func `a fleet is cut to the rows of the screen`() {
        let sources = (1...50).map { number in SourceReport(id: SourceID(rawValue: "simulated-\(number)")) }
        let lines = StatusText.lines(SampleStatus.agent(sources: sources), StatusStyle(columns: 80, rows: 20))
        #expect(lines.count == 20)
        // 1 heading, 2 lines for each source, 3 for the sink, 1 for the store: 105, of which 19 are shown.
        expectMessage(lines.last)
    }

    @Test func `a store that fails says why`() {
        let lines = StatusText.lines(SampleStatus.agent(store: nil, failure: "inputOutput: disk gone"))
        expectMessage(lines.last)
    }

    @Test func `a sink with dead letters says how many and why the last one was refused`() {
        var sync = SyncState()
        (sync.refused, sync.lastRefusal) = (3, "HTTP 422: no such place")
        let text = StatusText.lines(SampleStatus.agent(sync: sync), StatusStyle(usesColour: false)).joined(
            separator: "|")
        #expect(text.contains("3 refused") && text.contains("last refused: HTTP 422: no such place"))
    }

    @Test func `what a receiver says cannot command the terminal`() {
        var sync = SyncState()
        sync.failure = "\u{1b}]0;owned\u{7}"
        let lines = StatusText.lines(SampleStatus.agent(sync: sync), StatusStyle(usesColour: false))
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test(arguments: [
        (0, "0 s"), (59, "59 s"), (60, "1 min"), (125, "2 min 5 s"), (3600, "1 h"), (11_520, "3 h 12 min"),
        (187_200, "2 d 4 h"), (-5, "0 s"),
    ])
    func `durations in words`(_ seconds: Int, _ words: String) {
        #expect(Duration.seconds(seconds).spoken == words)
    }

    @Test(arguments: [
        (Int64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_234_567, "1.2 MB"), (5_000_000_000, "5.0 GB"),
    ])
    func `sizes in words`(_ bytes: Int64, _ words: String) {
        #expect(bytes.asBytes == words)
    }
}
