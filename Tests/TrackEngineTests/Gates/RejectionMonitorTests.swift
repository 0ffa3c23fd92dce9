import Testing
import TrackEngine

/// When every fix of a source is refused for so long that somebody should look.
@Suite struct RejectionMonitorTests {
    /// What is steady after fixes at so many seconds, each with the reason for which it is refused, if it is.
    private func steady(_ fixes: [(second: Int64, reason: RejectionReason?)], lag: Int64 = 0) -> RejectionWarning? {
        var watch = RejectionMonitor()
        for fix in fixes { note(fix.second, fix.reason, lag: lag, in: &watch) }
        return watch.steady
    }

    private func note(_ second: Int64, _ reason: RejectionReason?, lag: Int64 = 0, in watch: inout RejectionMonitor) {
        let wallClock = Road.start.advanced(by: .seconds(second))
        watch.note(
            reason, time: wallClock.advanced(by: .seconds(-lag)),
            at: TrackInstant(nanoseconds: second * 1_000_000_000), wallClock: wallClock)
    }

    private static func every(_ step: Int64, upTo end: Int64, _ reason: RejectionReason?) -> [(Int64, RejectionReason?)]
    {
        stride(from: 0, through: end, by: Int(step)).map { ($0, reason) }
    }

    @Test(arguments: [
        // a fix a second: a minute decides
        (1, 59, RejectionReason.stale, Int?.none), (1, 60, .stale, 61), (1, 60, .inaccurate, 61),
        // a fix in seven seconds: the tenth comes after 63 s
        (7, 56, .future, nil), (7, 63, .future, 10),
        // a fix a minute: the tenth comes after nine minutes
        (60, 480, .implausibleSpeed, nil), (60, 540, .implausibleSpeed, 10),
    ])
    func `ten fixes and a minute decide`(_ step: Int64, _ end: Int64, _ reason: RejectionReason, _ fixes: Int?) {
        let found = steady(Self.every(step, upTo: end, reason))
        #expect(found?.fixes == fixes)
        if let found { #expect(found.reason == reason && found.since == Road.start) }
    }

    @Test func `a fix that passes ends it, and another reason takes its place when it rules a whole period`() {
        var watch = RejectionMonitor()
        for second in 0...60 { note(Int64(second), .stale, in: &watch) }
        #expect(watch.steady?.reason == .stale)
        for second in 61...120 { note(Int64(second), .inaccurate, in: &watch) }
        #expect(watch.steady?.reason == .stale)
        note(121, .inaccurate, in: &watch)
        #expect(watch.steady?.reason == .inaccurate && watch.steady?.fixes == 122)
        #expect(watch.steady?.since == Road.start)
        note(122, nil, in: &watch)
        #expect(watch.steady == nil)
    }

    @Test func `reasons that take turns are told once, by the one that is most frequent`() {
        var watch = RejectionMonitor()
        var told: [RejectionReason] = []
        for second in 0..<3600 {
            let turns: [RejectionReason] = [.inaccurate, .stale, .inaccurate, .stale, .future]
            note(Int64(second), turns[second % turns.count], in: &watch)
            if let reason = watch.steady?.reason, reason != told.last { told.append(reason) }
        }
        #expect(told == [.inaccurate])
        #expect(watch.steady?.fixes == 3600)
    }

    @Test func `the clocks' difference is that of the fixes whose reason is told`() {
        var watch = RejectionMonitor()
        for second in 0...100 {
            if second % 3 == 0 {
                note(Int64(second), .inaccurate, in: &watch)
            } else {
                note(Int64(second), .stale, lag: 7200, in: &watch)
            }
            if let steady = watch.steady { #expect(steady.reason == .stale && steady.lag == .seconds(7200)) }
        }
        #expect(watch.steady != nil)
    }

    @Test func `fixes on both sides of a pause are no run`() {
        var watch = RejectionMonitor()
        for second in 0..<9 { note(Int64(second), .stale, in: &watch) }
        watch.beginAnew()
        for second in 3600..<3610 { note(Int64(second), .stale, in: &watch) }
        #expect(watch.steady == nil)
    }

    @Test func `what is steady stays so over a pause, until a fix passes`() {
        var watch = RejectionMonitor()
        for second in 0...60 { note(Int64(second), .stale, in: &watch) }
        watch.beginAnew()
        #expect(watch.steady?.reason == .stale)
        note(61, nil, in: &watch)
        #expect(watch.steady == nil)
    }

    @Test(arguments: [7200, -90] as [Int64])
    func `the newest fix tells how far the clocks are apart`(_ lag: Int64) {
        #expect(steady(Self.every(1, upTo: 60, .stale), lag: lag)?.lag == .seconds(lag))
    }
}
