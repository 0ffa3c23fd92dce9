import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Several sentences of one moment say different things of the position: the best of them counts.
@Suite struct NMEAPositionStatusTests {
    private static let place = "5231.2000,N,01324.3000,E"
    private static let other = "5231.9000,N,01324.9000,E"

    /// The fixes of sentences on 2026-03-01; none of them is reported.
    private static func fixes(_ sentences: [String]) -> [Fix] {
        let text = "$GNZDA,095959,01,03,2026,00,00\n" + sentences.map { "$\($0)\n" }.joined()
        let chunk = read(text, as: .nmea)
        #expect(chunk.problemTexts == [])
        return chunk.fixes
    }

    @Test(arguments: [
        ("D", "", Fix.Status.differential), ("R", "", .rtkFixed), ("F", "", .rtkFloat), ("P", "", .precise),
        ("E", "", .deadReckoning), ("S", "", .simulated), ("M", "", .surveyed), ("D", "R", .rtkFixed),
        ("A", "D", .differential), ("", "D", .differential), ("R", "A", .rtkFixed),
    ])
    func `a mode in the place of the status is a fix of that kind, in RMC and GLL`(
        _ status: String, _ mode: String, _ kind: Fix.Status
    ) {
        let rmc = "GNRMC,100000,\(status),\(Self.place),10.0,90.0,010326,,,\(mode)"
        let gll = "GNGLL,\(Self.place),100001,\(status),\(mode)"
        let fixes = Self.fixes([rmc, gll])
        #expect(fixes.map(\.status) == [kind, kind])
        #expect(fixes.map { $0.flags.contains(.simulated) } == [kind == .simulated, kind == .simulated])
        #expect(fixes.first?.course == 90)
    }

    @Test(arguments: [("V", "A"), ("A", "N"), ("D", "N"), ("N", ""), ("X", ""), ("V", "E"), ("V", "")])
    func `a status or mode that is none is no fix, in RMC and GLL`(_ status: String, _ mode: String) {
        let rmc = "GNRMC,100000,\(status),\(Self.place),10.0,90.0,010326,,,\(mode)"
        #expect(Self.fixes([rmc, "GNGLL,\(Self.place),100001,\(status),\(mode)"]) == [])
    }

    @Test(arguments: [
        "GPGNS,100000,,,,,,8,,,,1.0,23", "GPGNS,100000,,,,,NN,0,99.9,,,,", "GPGGA,100000,,,,,,,,,,,,,",
        "GPGGA,100000,,,,,0,00,99.9,,,,,,", "GPGGA,100000,\(other),0,00,99.9,7,M,,,,", "GPGLL,,,,,100000,V,N",
        "GPGLL,,,,,100000,,", "GPRMC,100000,V,,,,,,,010326,,,N", "GPRMC,100000,,,,,,,,010326,,,",
        "GPRMC,100000,V,\(other),7,7,010326,,,N",
    ])
    func `a sentence that has no position takes nothing from one beside it, before or behind it`(_ empty: String) {
        for good in [
            "GNRMC,100000,A,\(Self.place),10.0,90.0,010326,,,A", "GNGGA,100000,\(Self.place),1,09,0.9,40.0,M,45.0,M,,",
            "GNGNS,100000,\(Self.place),AA,13,0.9,40.6,45.0,,", "GNGLL,\(Self.place),100000,A,A",
        ] {
            let alone = Self.fixes([good])
            #expect(alone.count == 1)
            #expect(Self.fixes([good, empty]) == alone)
            #expect(Self.fixes([empty, good]) == alone)
        }
    }

    @Test func `the position is that of the best claim, and of equal ones the first, GLL last`() {
        let rmc = "GNRMC,100000,A,\(Self.other),10.0,90.0,010326,,,A"
        let gga = "GNGGA,100000,\(Self.place),4,22,0.9,40.0,M,45.0,M,,"
        for order in [[rmc, gga], [gga, rmc]] {
            let fix = Self.fixes(order).first
            #expect(fix?.coordinate == Self.fixes([gga]).first?.coordinate)
            #expect(fix?.status == .rtkFixed)
            #expect(fix?.course == 90)
        }
        let gll = "GNGLL,\(Self.place),100000,A,A"
        #expect(Self.fixes([gll, rmc]).map(\.coordinate) == Self.fixes([rmc]).map(\.coordinate))
        let simulated = "GNGGA,100000,\(Self.place),8,22,0.9,40.0,M,45.0,M,,"
        #expect(Self.fixes([simulated, rmc]).map(\.status) == [.simulated])
    }

    @Test func `devices that give the position by GLL alone have a track, with the speed and course of VTG`() {
        let fixes = Self.fixes(
            (0..<3).flatMap {
                [
                    "IIZDA,10000\($0),01,03,2026,00,00", "IIGLL,\(Self.place),10000\($0),A,A",
                    "IIVTG,90.0,T,,M,10.0,N,18.5,K,A",
                ]
            })
        #expect(fixes.map(\.time.secondsSince1970) == [0, 1, 2].map { 1_772_359_200 + $0 })
        #expect(fixes.allSatisfy { $0.course == 90 && abs(($0.speed ?? 0) - 5.144) < 0.001 })
        let converter = Self.fixes(["IIZDA,100000,01,03,2026,00,00", "IIGLL,\(Self.place),,A"])
        #expect(converter.map(\.time.secondsSince1970) == [1_772_359_200])
    }

    @Test(arguments: ["0000.0000,N,00000.0000,E", "0000.0000,N,01324.3000,E", "5231.2000,N,00000.0000,E"])
    func `a position of which an axis is lost takes nothing from a whole one beside it`(_ lost: String) {
        let rmc = "GPRMC,100000,A,\(lost),0.0,0.0,010326,,,R"
        let gga = "GPGGA,100000,\(Self.place),1,09,0.9,40.0,M,45.0,M,,"
        for order in [[rmc, gga], [gga, rmc]] {
            let fixes = Self.fixes(order)
            #expect(fixes.map(\.coordinate) == Self.fixes([gga]).map(\.coordinate))
            #expect(fixes.map(\.altitude) == [40])
        }
        #expect(Self.fixes([rmc]).count == 1)
    }

    @Test func `the speed of a sentence at 0, 0 does not count beside a position`() {
        let rmc = "GPRMC,100000,A,0000.0000,N,00000.0000,E,0.0,0.0,010326,,,A"
        let others = ["GPGGA,100000,\(Self.place),1,09,0.9,40.0,M,45.0,M,,", "GPVTG,90.0,T,,M,10.0,N,18.5,K,A"]
        #expect(Self.fixes([rmc] + others).map(\.course) == [90])
    }

    @Test func `GLL without a time counts once in an epoch for each talker, and every other one is reported`() {
        let lines = ["IIZDA,100000,01,03,2026,00,00"] + (0..<4).map { "IIGLL,523\($0).2000,N,01324.3000,E,,A" }
        let chunk = read(lines.map { "$\($0)\n" }.joined(), as: .nmea)
        #expect(chunk.fixes.map { ($0.coordinate.latitude * 60).rounded() } == [3150])
        expectMessages(chunk.problemTexts, begin: [3, 4, 5].map { "incomplete \($0): GLL" })
        let timed = (0..<3).flatMap {
            ["IIZDA,10000\($0),01,03,2026,00,00", "IIGLL,\(Self.place),,A", "GPGLL,\(Self.place),,A"]
        }
        #expect(Self.fixes(timed).count == 3)
        #expect(Self.fixes(["GPGLL,\(Self.place),,V", "GPGLL,\(Self.place),,V"]) == [])
    }

    @Test(arguments: [
        "GNGLL,\(place),100000", "GNGLL,\(place),100000,,", "GNRMC,100000,,\(place),,,010326,,,",
        "GNGNS,100000,\(place),,12,", "GNGGA,100000,\(place),,12,", "GNGLL,,,,,100000,A,A",
    ])
    func `a position without a word about it, or the reverse, is reported`(_ body: String) {
        let chunk = read("$\(body)\n", as: .nmea)
        #expect(chunk.fixes == [])
        expectMessages(chunk.problems.map(\.message), begin: ["\(body.prefix(5))"], as: body)
    }
}
