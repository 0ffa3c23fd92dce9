import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// The day of sentences that have only a time of day.
@Suite struct NMEADateTests {
    /// 2026-03-01T00:00:00Z.
    private static let midnight: Int64 = 1_772_323_200

    /// GGA at a number of seconds since the first midnight, without a checksum.
    private static func gga(_ second: Int64) -> String {
        "$GPGGA,\(clock(second)),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,\n"
    }

    private static func rmc(_ second: Int64, date: String, status: String = "A") -> String {
        "$GPRMC,\(clock(second)),\(status),4807.038,N,01131.000,E,,,\(date),,,\(status == "A" ? "A" : "N")\n"
    }

    private static func clock(_ second: Int64) -> String {
        let rest = second % 86_400
        let number = rest / 3600 * 10_000 + rest / 60 % 60 * 100 + rest % 60
        return String(String(1_000_000 + number).dropFirst())
    }

    /// The seconds since the first midnight of a log that begins on that day.
    private static func seconds(_ log: String) -> [Int64] {
        var reader = TrackReader(.nmea, startDate: Timestamp(secondsSince1970: midnight))
        let fixes = reader.read(Array(log.utf8)).fixes + reader.finish().fixes
        return fixes.map { $0.time.secondsSince1970 - midnight }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a log without dates keeps its days through pauses of less than twelve hours`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var second = Int64.random(in: 0..<86_400, using: &random)
        let times = (0..<200).map { _ in
            second += Int64.random(in: 1..<43_200, using: &random)
            return second
        }
        let first = (times.first ?? 0) / 86_400 * 86_400  // the day on which the log begins
        #expect(Self.seconds(times.map(Self.gga).joined()) == times.map { $0 - first })
    }

    @Test func `a pause of most of a day within one day is no sentence from before midnight`() {
        let times: [Int64] = [3600, 3601, 80_000, 80_001, 86_500]
        #expect(Self.seconds(times.map(Self.gga).joined()) == times)
    }

    @Test func `a late sentence from before midnight is one of the day before`() {
        let times: [Int64] = [86_398, 86_400, 86_399, 86_401]
        #expect(Self.seconds(times.map(Self.gga).joined()) == times)
    }

    @Test func `a time that goes back within a day stays on its day`() {
        let times: [Int64] = [40_000, 30_000, 30_001]
        #expect(Self.seconds(times.map(Self.gga).joined()) == times)
    }

    @Test(arguments: ["060180", "220899", "010100"])
    func `the date of a receiver without a fix moves no other fix to its day`(_ date: String) {
        let log =
            Self.rmc(36_000, date: "010326") + Self.gga(36_001) + Self.rmc(36_002, date: date, status: "V")
            + Self.gga(36_003) + Self.rmc(36_004, date: "010326")
        let chunk = read(log, as: .nmea)
        #expect(chunk.fixes.map { $0.time.secondsSince1970 - Self.midnight } == [36_000, 36_001, 36_003, 36_004])
        #expect(chunk.problemTexts == [])
    }

    @Test func `positions before the first date are counted back from it, over midnight too`() {
        let log =
            [86_398, 86_399, 86_400, 150_000].map(Self.gga).joined() + Self.rmc(172_801, date: "030326")
            + Self.gga(172_802)
        let chunk = read(log, as: .nmea)
        #expect(chunk.problemTexts == [])
        let seconds = chunk.fixes.map { $0.time.secondsSince1970 - Self.midnight }
        #expect(seconds == [86_398, 86_399, 86_400, 150_000, 172_801, 172_802])
    }

    @Test func `a date beside status V dates the positions of GGA where no better one comes`() {
        let doubtful = Self.gga(36_000) + Self.rmc(36_000, date: "010326", status: "V") + Self.gga(36_001)
        let seconds = { (log: String) in read(log, as: .nmea).fixes.map { $0.time.secondsSince1970 - Self.midnight } }
        #expect(seconds(doubtful) == [36_000, 36_001])
        let wrong = Self.gga(36_000) + Self.rmc(36_000, date: "060180", status: "V")
        #expect(seconds(wrong + Self.rmc(36_001, date: "010326")) == [36_000, 36_001])
        // A receiver without any position may not know the day.
        let lost = Self.rmc(36_000, date: "060180", status: "V") + Self.gga(36_001)
        #expect(seconds(lost) == [])
        #expect(read(lost, as: .nmea).problems.map(\.kind) == [.incomplete])
    }

    @Test func `of a long log without dates the newest ten thousand positions wait for one, the others are reported`() {
        let log = (0..<25_000).map { Self.gga($0) }.joined() + Self.rmc(25_000, date: "010326")
        let chunk = read(log, as: .nmea)
        #expect(chunk.fixes.count == 5001)
        #expect(chunk.problems.count == 20_000)
        #expect(chunk.fixes.first?.time.secondsSince1970 == Self.midnight + 20_000)
        #expect(chunk.problems.first?.line == 1)
    }

    @Test func `a date stands until another one comes, whatever days lie between`() {
        let log = Self.rmc(86_399, date: "010326") + Self.gga(86_400) + Self.rmc(5, date: "090326") + Self.gga(6)
        let days = read(log, as: .nmea).fixes.map { ($0.time.secondsSince1970 - Self.midnight) / 86_400 }
        #expect(days == [0, 1, 8, 8])
    }

    @Test(arguments: [
        ("310426", false), ("290226", false), ("290224", true), ("000126", false), ("011326", false), ("3112", false),
    ])
    func `a date that no calendar has is a problem and no day`(_ date: String, _ exists: Bool) {
        let chunk = read(Self.rmc(36_000, date: date), as: .nmea)
        #expect(chunk.fixes.count == (exists ? 1 : 0))
        if exists {
            #expect(chunk.problems == [])
        } else {
            expectMessages(chunk.problems.map(\.message), begin: ["GPRMC"])
        }
    }

    @Test(arguments: [("79", 2079), ("80", 1980), ("99", 1999), ("00", 2000)])
    func `two digits of a year are one from 1980 to 2079`(_ digits: String, _ year: Int64) {
        let time = read(Self.rmc(0, date: "0101" + digits), as: .nmea).fixes.first?.time
        #expect(time == Timestamp("\(year)-01-01T00:00:00Z"))
    }
}
