import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("NMEA 0183")
struct NMEATests {
    private static let gga = "GPGGA,101530.25,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    private static let rmc = "GPRMC,101530.25,A,4807.038,N,01131.000,E,022.4,084.4,230324,003.1,W,A"

    @Test
    func `the sentences of one moment are one fix, with the values of a hand-worked table`() throws {
        let text =
            sentence(Self.gga) + sentence("GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1")
            + sentence(Self.rmc) + sentence("GPGST,101530.25,1.2,,,,3.0,4.0,2.5")
            + sentence("GPVTG,084.4,T,077.8,M,022.4,N,041.5,K,A")
        let chunk = decode(text, as: .nmea)
        #expect(chunk.problems.isEmpty)
        let fix = try #require(chunk.fixes.first)
        #expect(chunk.fixes.count == 1)
        #expect(fix.time == moment("2024-03-23T10:15:30.25Z"))
        #expect(abs(fix.coordinate.latitude - 48.1173) < 1e-9)  // 48 + 7.038 / 60
        #expect(abs(fix.coordinate.longitude - 11.516_666_666_667) < 1e-9)  // 11 + 31 / 60
        #expect(fix.altitude == 545.4)
        #expect(fix.ellipsoidalAltitude == 545.4 + 46.9)
        #expect(abs((fix.speed ?? 0) - 11.523_555_555_6) < 1e-9)  // 22.4 · 1852 / 3600
        #expect(fix.course == 84.4)
        #expect(fix.horizontalAccuracy == 10)  // 2 · √(3² + 4²)
        #expect(fix.verticalAccuracy == 5)  // 2 · 2.5
        #expect(fix.horizontalDilution == 0.9)  // GGA's, not GSA's
        #expect(fix.positionDilution == 2.5)
        #expect(fix.satellitesUsed == 8)
        #expect(fix.mode == .threeDimensional)
        #expect(fix.status == .normal)
    }

    @Test(arguments: ["GP", "GL", "GA", "GB", "BD", "GN", "GQ", "QZ", "GI", "II"])
    func `every talker counts`(_ talker: String) {
        let chunk = decode(sentence(talker + Self.rmc.dropFirst(2)), as: .nmea)
        #expect(chunk.fixes.count == 1)
    }

    @Test(
        arguments: [
            ("1", Fix.Status.normal), ("2", .differential), ("3", .precise), ("4", .rtkFixed), ("5", .rtkFloat),
            ("6", .deadReckoning), ("7", .surveyed), ("8", .simulated),
        ])
    func `GGA's quality says what kind of solution it is`(_ digit: String, _ status: Fix.Status) {
        let text = sentence("GPGGA,101530,4807.038,N,01131.000,E,\(digit),08,0.9,545.4,M,46.9,M,,")
        let fixes = decode(text, as: .nmea, day: 19_000).fixes
        #expect(fixes.map(\.status) == [status])
        #expect(fixes.map { $0.flags.contains(.simulated) } == [digit == "8"])
    }

    @Test(
        arguments: [
            ("A", Fix.Status.normal), ("D", .differential), ("P", .precise), ("R", .rtkFixed), ("F", .rtkFloat),
            ("E", .deadReckoning), ("M", .surveyed), ("S", .simulated),
        ])
    func `the mode of RMC and GNS says it too`(_ letter: String, _ status: Fix.Status) {
        let rmc = sentence("GNRMC,101530,A,4807.038,N,01131.000,E,,,230324,,,\(letter)")
        #expect(decode(rmc, as: .nmea).fixes.map(\.status) == [status])
        let gns = sentence("GNGNS,101530,4807.038,N,01131.000,E,N\(letter),08,0.9,545.4,46.9,,")
        #expect(decode(gns, as: .nmea, day: 19_000).fixes.map(\.status) == [status])
    }

    @Test(
        arguments: [
            "GPGGA,101530,4807.038,N,01131.000,E,0,00,99.9,,,,,,", "GPGGA,,,,,,0,00,99.99,,,,,,",
            "GPRMC,101530,V,4807.038,N,01131.000,E,,,230324,,,N", "GPRMC,,V,,,,,,,,,,N",
            "GPRMC,101530,A,4807.038,N,01131.000,E,,,230324,,,N", "GNGNS,101530,,,,,NN,00,99.9,,,,",
            "GPZDA,101530.00,23,03,2024,00,00", "GPZDA,,,,,00,00", "GPGSV,1,1,00", "PUBX,00", "GPGLL,,,,,,V,N",
        ])
    func `without a fix there is neither a fix nor a problem`(_ body: String) {
        let chunk = decode(sentence(body), as: .nmea)
        #expect(chunk.isEmpty)
    }

    @Test
    func `positions before the first date are dated by it, and those without any date are reported`() {
        let text =
            sentence("GPGGA,101529,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,") + sentence(Self.rmc)
            + sentence("GPGGA,101531,4807.038,S,01131.000,W,1,08,0.9,,M,,M,,")
        let chunk = decode(text, as: .nmea)
        #expect(chunk.problemTexts == [])
        let times = ["2024-03-23T10:15:29Z", "2024-03-23T10:15:30.25Z", "2024-03-23T10:15:31Z"]
        #expect(chunk.fixes.map(\.time) == times.map(moment))
        #expect(chunk.fixes.last?.coordinate.latitude ?? 0 < 0)
        #expect(chunk.fixes.last?.coordinate.longitude ?? 0 < 0)
        let dateless = decode(sentence(Self.gga), as: .nmea)
        #expect(dateless.fixes == [])
        expectMessages(dateless.problemTexts, begin: ["incomplete 1"])
    }

    @Test
    func `a date of one's choice serves a file without dates, and midnight begins the next day`() {
        let text = ["235958", "235959", "000000", "235959.5", "000001"].map {
            sentence("GPGGA,\($0),4807.038,N,01131.000,E,1,08,0.9,,M,,M,,")
        }.joined()
        let chunk = decode(text, as: .nmea, day: 19_782)  // 2024-02-29
        #expect(chunk.problems.isEmpty)
        #expect(
            chunk.fixes.map(\.time) == [
                moment("2024-02-29T23:59:58Z"), moment("2024-02-29T23:59:59Z"), moment("2024-03-01T00:00:00Z"),
                moment("2024-02-29T23:59:59.5Z"), moment("2024-03-01T00:00:01Z"),
            ])
    }

    @Test(
        arguments: [("80", 1980), ("99", 1999), ("00", 2000), ("79", 2079)])
    func `two digits of a year are of 1980 to 2079`(_ digits: String, _ year: Int) {
        let text = sentence("GPRMC,101530,A,4807.038,N,01131.000,E,,,0107\(digits),,,A")
        #expect(decode(text, as: .nmea).fixes.map(\.time) == [moment("\(year)-07-01T10:15:30Z")])
    }

    @Test
    func `ZDA gives the date to the epoch it belongs to`() {
        let text =
            sentence("GPGGA,101530,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,")
            + sentence("GPZDA,101530.00,23,03,2024,00,00")
        #expect(decode(text, as: .nmea).fixes.map(\.time) == [moment("2024-03-23T10:15:30Z")])
    }

    @Test
    func `two dimensions have no altitude`() {
        let text = sentence(Self.rmc) + sentence(Self.gga) + sentence("GPGSA,A,2,04,05,,09,,,,,,,,,2.5,1.3,2.1")
        let fixes = decode(text, as: .nmea).fixes
        #expect(fixes.map(\.mode) == [.twoDimensional])
        #expect(fixes.first?.altitude == nil)
        #expect(fixes.first?.ellipsoidalAltitude == nil)
    }

    @Test(
        arguments: [
            ("$GPGGA,101530,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,*4A", "checksum 4A, expected 77"),
            ("$GPGGA,101530,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,*4", nil),
            ("$GPGGA,101530,4807.038,N,01131.0", "GPGGA"), ("$GPGGA,101530,4867.038,N,01131.000,E,1", "GPGGA"),
            ("$GPGGA,101530,,,,,1,08", "GPGGA"), ("$GPGGA,1015,4807.038,N,01131.000,E,1", "GPGGA"),
            ("$GPGGA,251530,4807.038,N,01131.000,E,1", "GPGGA"), ("$GPGGA,101530,4807.038,X,01131.000,E,1", "GPGGA"),
            ("$GPRMC,101530,A,4807.038,N,01131.000,E,,,310224", "GPRMC"), ("$GPZDA,101530,31,02,2024", "GPZDA"),
            ("hello", nil),
        ] as [(String, String?)])
    func `a malformed line is reported with its number and the rest goes on`(_ line: String, _ key: String?) {
        let chunk = decode("# a comment\n\(line)\n" + sentence(Self.rmc), as: .nmea)
        expectMessages(chunk.problemTexts, begin: ["malformed 2" + (key.map { ": " + $0 } ?? "")], as: line)
        #expect(chunk.fixes.count == 1)
    }

    @Test
    func `tag blocks, time stamps, a missing checksum, AIS and comments do no harm`() {
        let text =
            "\\s:gps1,c:1710000000*5A\\" + sentence(Self.rmc) + "12:00:01.5 " + sentence(Self.gga)
            + "$GPRMC,101531,A,4807.038,N,01131.000,E,,,230324\n!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\n\r\n"
        let chunk = decode(text, as: .nmea)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.count == 2)
    }

    @Test
    func `a cut sentence is reported and the one that follows in its line is read`() {
        let chunk = decode("$GPGGA,1015" + sentence(Self.rmc), as: .nmea)
        expectMessages(chunk.problemTexts, begin: ["malformed 1"])
        #expect(chunk.fixes.count == 1)
    }

    @Test
    func `all sentences of a line are read, and a broken one costs the others nothing`() {
        let next = sentence("GPGGA,101531,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,").dropLast()
        let chunk = decode(
            sentence(Self.rmc).dropLast() + sentence(Self.gga).dropLast() + " " + next + "\r\n", as: .nmea)
        #expect(chunk.problemTexts == [])
        #expect(chunk.fixes.map(\.altitude) == [545.4, nil])
        let broken = decode("$GPGGA,101530.25,48*00" + sentence(Self.rmc).dropLast() + "$GPGGA*zz" + next, as: .nmea)
        #expect(broken.problems.map(\.kind) == [.malformed, .malformed])
        #expect(broken.fixes.count == 2)
    }

    @Test
    func `blanks around a field are no part of it`() {
        let text =
            sentence("GPRMC, 101530 ,A ,4807.038 ,N, 01131.000,E, 022.4,084.4 , 230324 ,,,A ")
            + sentence("GPGGA,101531 ,4807.038,N,01131.000,E, 1, 08,0.9,545.4 ,M,46.9,M,,")
        let chunk = decode(text, as: .nmea)
        #expect(chunk.problemTexts == [])
        #expect(chunk.fixes.map(\.time) == [moment("2024-03-23T10:15:30Z"), moment("2024-03-23T10:15:31Z")])
        #expect(chunk.fixes.first?.course == 84.4)
        #expect(chunk.fixes.last?.altitude == 545.4)
    }

    @Test
    func `an over-long line is skipped, however it is cut`() {
        let bytes = Array((String(repeating: "x", count: 5000) + "\n" + sentence(Self.rmc)).utf8)
        for length in [1, 7, 1000, 1024, 1025, 6000] {
            let chunk = decode(bytes, as: .nmea, pieces: length)
            expectMessages(chunk.problemTexts, begin: ["oversized 1"])
            #expect(chunk.fixes.count == 1)
        }
    }

    @Test
    func `a dilution of 0 or 99 is unknown`() {
        let text = sentence(Self.rmc) + sentence("GPGSA,A,3,,,,,,,,,,,,,0.0,99.99,0.0")
        #expect(decode(text, as: .nmea).fixes.map(\.horizontalDilution) == [nil])
    }
}
