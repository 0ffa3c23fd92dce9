import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Real receivers' files, which lie beside the checkout where they are present.
@Suite("Recorded tracks")
struct CorpusTests {
    /// The folder's README counts 1266 points of the Garmin, without its segments of 13, 4 and 3 points.
    @Test(
        arguments: [
            ("sbn-v13", 3453), ("bike", 1812), ("tcxtest", 1202), ("garmin-edge-800-output", 1286),
        ])
    func `track points of real GPX files are all read`(_ name: String, _ count: Int) throws {
        guard let path = TestEnvironment.corpus("gpx/\(name).gpx") else { return }
        let chunk = try replay(path)
        #expect(chunk.fixes.count + chunk.problems.count == count)
        #expect(chunk.problems.allSatisfy { $0.kind == .incomplete })
        #expect(chunk.fixes.allSatisfy { $0.coordinate.isValid })
    }

    @Test(
        arguments: [
            ("track-with-extremes", 0), ("track-with-empty-segment", 9), ("korita-zbevnica", -1),
            ("cerknicko-jezero", -1),
            ("around-visnjan-with-car", -1),
        ])
    func `awkward GPX files survive`(_ name: String, _ count: Int) throws {
        guard let path = TestEnvironment.corpus("gpx/\(name).gpx") else { return }
        let chunk = try replay(path)
        if count >= 0 { #expect(chunk.fixes.count == count) }
        #expect(chunk.problems.allSatisfy { $0.kind == .incomplete })
        #expect(!chunk.isEmpty)
    }

    @Test
    func `the drive in Paris is 53 fixes at 9.98 m/s`() throws {
        guard let path = TestEnvironment.corpus("gpsd/paris.nmea") else { return }
        let chunk = try replay(path)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes.count == 53)
        #expect(chunk.fixes.first?.time == moment("2020-01-05T13:46:41.931Z"))
        #expect(chunk.fixes.allSatisfy { abs(($0.speed ?? 0) - 9.98) < 0.01 })
        let length = zip(chunk.fixes, chunk.fixes.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
        #expect(abs(length.reduce(0, +) - 5200) < 50)
    }

    @Test
    func `bt451 has its gaps of minutes and one backward step`() throws {
        guard let path = TestEnvironment.corpus("gpsd/bt451.log") else { return }
        let fixes = try replay(path).fixes
        let steps = zip(fixes, fixes.dropFirst()).map { $1.time.duration(since: $0.time) }
        #expect(steps.filter { $0 < .zero }.count == 1)
        #expect(steps.contains { $0 > .seconds(60) || $0 < .seconds(-60) })
    }

    @Test
    func `haicom goes from no fix to two and then three dimensions`() throws {
        guard let path = TestEnvironment.corpus("gpsd/haicom-305N.log") else { return }
        let fixes = try replay(path).fixes
        #expect(fixes.contains { $0.mode == .threeDimensional })
        #expect(fixes.first?.time ?? Timestamp(nanosecondsSince1970: 0) > moment("2007-04-08T09:52:55Z") ?? .now())
    }

    @Test(
        arguments: [
            ("bundg_zeus_9", 140...150), ("nmea-rtk", 100...122), ("rst39", 41...41), ("ublox-lea-4h", 9...9),
        ])
    func `the other receivers' NMEA gives plausible fixes`(_ name: String, _ count: ClosedRange<Int>) throws {
        guard let path = TestEnvironment.corpus("gpsd/\(name).log") else { return }
        let chunk = try replay(path)
        #expect(count.contains(chunk.fixes.count), "\(chunk.fixes.count)")
        #expect(chunk.fixes.allSatisfy { $0.coordinate.isValid && !$0.coordinate.isNullIsland })
    }

    @Test(
        arguments: ["sirf2", "navisys-gr701w", "ublox-neo-m8l"])
    func `binary logs are refused or give nothing, but do no harm`(_ name: String) throws {
        guard let path = TestEnvironment.corpus("gpsd/\(name).log") else { return }
        for format in ReplayFormat.allCases {
            #expect(try replay(path, options: ReplayOptions(format: format)).fixes.isEmpty)
        }
    }
}
