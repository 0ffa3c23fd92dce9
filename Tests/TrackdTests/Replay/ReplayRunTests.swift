import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineSimulated

@Suite struct ReplayRunTests {
    private static let start = Timestamp(secondsSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z

    /// A fix so many seconds after the start, so many metres north of 0.5°, 1°.
    private static func fix(_ second: Int64, _ metres: Double) -> Fix {
        Fix(
            time: start.advanced(by: .seconds(second)),
            coordinate: Coordinate(latitude: 0.5 + metres / 110_574.0, longitude: 1), speed: 0)
    }

    private func lines(_ fixes: [Fix], rejections: Bool) -> (lines: [String], summary: String) {
        var run = ReplayRun(
            RecordingConfiguration(), device: "van-7", showsRejections: rejections, wallClock: Self.start)
        var bytes: [UInt8] = []
        for fix in fixes { run.process(fix, to: &bytes) }
        run.finish(to: &bytes)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, run.statistics.summary)
    }

    @Test func `records in the shape of CalmGeo, rejections with their reason`() {
        let (lines, summary) = lines(
            [Self.fix(0, 0), Self.fix(1, 10), Self.fix(2, 20), Self.fix(2, 30)], rejections: true)
        #expect(lines.count == 4)
        #expect(lines[0].contains(#""timestamp":"2026-03-01T10:00:00.000Z","isMoving":true,"event":"motionchange","#))
        #expect(
            lines[1].hasPrefix(#"{"reason":"too-near","timestamp":"2026-03-01T10:00:01.000Z","coords":{"latitude":"#))
        #expect(lines[2].hasPrefix(#"{"id":""#))
        #expect(lines[3].hasPrefix(#"{"reason":"duplicate-time","#))
        #expect(
            summary == "4 fixes, 2 recorded, 2 rejected (1 duplicate-time, 1 too-near), "
                + "0.0 km from record to record in 2 s")
    }

    @Test func `without decisions only the records`() {
        let fixes = [Self.fix(0, 0), Self.fix(1, 10), Self.fix(2, 20)]
        let all = lines(fixes, rejections: true).lines
        #expect(lines(fixes, rejections: false).lines == [all[0], all[2]])
    }

    @Test func `time alone records the stop, between one fix and the next`() {
        let (lines, _) = lines([Self.fix(0, 0), Self.fix(40, 5), Self.fix(100, 6)], rejections: false)
        #expect(lines.count == 2)
        #expect(lines[1].contains(#""isMoving":false,"event":"motionchange""#))
        #expect(lines[1].contains(#""timestamp":"2026-03-01T10:00:40.000Z""#))
    }

    @Test func `the fix of a stop is counted once, as recorded`() {
        let (_, summary) = lines([Self.fix(0, 0), Self.fix(40, 5), Self.fix(100, 6)], rejections: true)
        #expect(
            summary == "3 fixes, 2 recorded, 1 rejected (1 too-near), 0.0 km from record to record in 40 s")
    }

    @Test(arguments: RecordingRule.allCases)
    func `what was recorded and what was rejected add up to the fixes`(_ rule: RecordingRule) {
        var chance = SplitMix64(seed: 4)
        for round in 0..<30 {
            var configuration = RecordingConfiguration()
            configuration.record = rule
            configuration.distanceFilter = [0, 10, 50][round % 3]
            configuration.maximumSpeed = round % 2 == 0 ? nil : 60
            var run = ReplayRun(configuration, device: "van-7", showsRejections: true, wallClock: Self.start)
            var bytes: [UInt8] = []
            var (second, metres): (Int64, Double) = (0, 0)
            for _ in 0..<200 {
                second += [-1, 0, 1, 1, 1, 5, 30, 61, 200].randomElement(using: &chance) ?? 1
                metres += [-5, 0, 0, 0, 1, 10, 30, 5000].randomElement(using: &chance) ?? 0
                run.process(Self.fix(second, metres), to: &bytes)
            }
            run.finish(to: &bytes)
            let statistics = run.statistics
            #expect(
                statistics.recorded + statistics.rejected.values.reduce(0, +) == statistics.fixes,
                "round \(round): \(statistics.summary)")
            let unneeded = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                .filter { $0.hasPrefix(#"{"reason":"unneeded","#) }
            #expect(unneeded.count == statistics.rejected[.unneeded, default: 0], "round \(round)")
            #expect(Set(unneeded).count == unneeded.count, "round \(round)")
        }
    }

    @Test func `a date 1024 weeks after now is put right, one of yesterday is left alone`() {
        let off = Self.start.advanced(by: .seconds(1024 * 7 * 86_400))
        let future = Fix(time: off, coordinate: Coordinate(latitude: 1, longitude: 1))
        let past = Fix(
            time: Self.start.advanced(by: .seconds(-86_400)), coordinate: Coordinate(latitude: 1, longitude: 1))
        #expect(lines([future], rejections: false).lines[0].contains("2026-03-01T10:00:00.000Z"))
        #expect(lines([past], rejections: false).lines[0].contains("2026-02-28T10:00:00.000Z"))
    }

    @Test func `the first problems in full, the others as a count`() {
        var problems = ProblemList(file: "a.nmea")
        #expect(problems.note(SourceProblem(.malformed, line: 3, "checksum")) == "a.nmea:3: malformed: checksum")
        #expect(problems.rest == nil)
        for _ in 0..<9 { #expect(problems.note(SourceProblem(.malformed, "x")) != nil) }
        #expect(problems.note(SourceProblem(.incomplete, "x")) == nil)
        expectMessage(problems.rest, begin: "a.nmea")
    }
}
