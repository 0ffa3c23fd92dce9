import Testing
import TrackEngine

@Suite struct ClockTrustTests {
    private static let noon = Timestamp(secondsSince1970: 1_772_366_400)
    private static let month: Int64 = 30 * 86_400

    /// One look: what the wall clock shows and how long the machine has run, in seconds after noon and start, and by how
    /// much a live fix was behind the clock on its arrival, if one has come.
    private struct Look {
        let wall: Int64
        let uptime: Int64
        var fixBehind: Int64?
        /// How long ago that fix arrived.
        var since: Int64 = 0
    }

    private func verdicts(_ looks: [Look]) -> [Bool] {
        var trust = ClockTrust()
        return looks.map { look in
            let wall = Self.noon.advanced(by: .seconds(look.wall))
            let arrival = wall.advanced(by: .seconds(-look.since))
            let witness = look.fixBehind.map {
                ClockTrust.Reference(fix: arrival.advanced(by: .seconds(-$0)), arrival: arrival)
            }
            return trust.confirms(
                wall, at: TrackInstant(nanoseconds: look.uptime * 1_000_000_000), witnesses: [witness].compactMap { $0 }
            )
        }
    }

    @Test func `a clock that nothing confirms is not believed at the start`() {
        #expect(verdicts([Look(wall: 0, uptime: 0)]) == [false])
    }

    @Test(arguments: [(0, true), (3600, true), (-3600, true), (3601, false), (-3601, false), (30 * 86_400, false)])
    func `a live fix within an hour confirms the clock`(_ behind: Int64, _ isConfirmed: Bool) {
        #expect(
            verdicts([Look(wall: 0, uptime: 0), Look(wall: 60, uptime: 60, fixBehind: behind)]) == [false, isConfirmed])
    }

    @Test(arguments: [(21_600, true), (21_599, false)])
    func `six hours of two clocks that agree confirm it`(_ seconds: Int64, _ isConfirmed: Bool) {
        #expect(verdicts([Look(wall: 0, uptime: 0), Look(wall: seconds, uptime: seconds)]) == [false, isConfirmed])
    }

    @Test func `hours of agreement mean nothing while fixes contradict the clock`() {
        let looks = (0...10).map { Look(wall: $0 * 3600, uptime: $0 * 3600, fixBehind: Self.month) }
        #expect(!verdicts(looks).contains(true))
    }

    @Test func `a confirmed clock that jumps has to be confirmed anew, and an old fix cannot`() {
        let looks = [
            Look(wall: 0, uptime: 0, fixBehind: 0),
            Look(wall: 60, uptime: 60, fixBehind: 0, since: 60),
            Look(wall: 120 + Self.month, uptime: 120, fixBehind: 0, since: Self.month + 120),
            Look(wall: 180 + Self.month, uptime: 180, fixBehind: 0, since: Self.month + 180),
            Look(wall: 240 + Self.month, uptime: 240, fixBehind: 5),
        ]
        #expect(verdicts(looks) == [true, true, false, false, true])
    }

    @Test(arguments: [(600, true), (601, false), (-600, true), (-601, false)])
    func `a drift of ten minutes between two looks is no jump`(_ drift: Int64, _ isConfirmed: Bool) {
        let looks = [Look(wall: 0, uptime: 0, fixBehind: 0), Look(wall: 60 + drift, uptime: 60)]
        #expect(verdicts(looks) == [true, isConfirmed])
    }

    @Test func `what lies outside every range is not believed and does not trap`() {
        var trust = ClockTrust()
        let end = Timestamp(nanosecondsSince1970: .max)
        let start = Timestamp(nanosecondsSince1970: .min)
        for (wall, uptime) in [(start, Int64.min), (end, .max), (start, .max), (end, .min)] {
            let witness = ClockTrust.Reference(fix: start, arrival: end)
            let isConfirmed = trust.confirms(wall, at: TrackInstant(nanoseconds: uptime), witnesses: [witness])
            #expect(!isConfirmed)
        }
    }
}
