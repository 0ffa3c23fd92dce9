import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Numbers that stand for times: since when they count, and in which unit.
@Suite struct TimeOriginTests {
    private static let expectation = "a time that does not count since 1970"

    /// A document whose points have these numbers as their times.
    private static func read(_ numbers: [String], as format: TrackFormat) -> TrackChunk {
        let points = numbers.enumerated().map { Point(time: $0.element, latitude: "\($0.offset + 1)") }
        let text = PointDocument.text(format, points).replacing(/"timestamp":"([^"]*)"/) { "\"timestamp\":\($0.1)" }
        return FormatsTests.read(text, as: format)
    }

    @Test(
        arguments: [TrackFormat.csv, .geojson, .ndjson],
        [["0", "1", "2"], ["0.000000000E0", "0.5", "100000"], ["12345", "99999999.9", "86400"], ["-1", "0", "1"]])
    func `times that count from the beginning of a recording are problems and no fixes of 1970`(
        _ format: TrackFormat, _ numbers: [String]
    ) {
        let chunk = Self.read(numbers, as: format)
        #expect(chunk.fixes.isEmpty)
        let head = PointDocument.frame(of: format).head.isEmpty ? 0 : 1
        let lines = chunk.problems.map { $0.kind == .malformed ? $0.line : nil }
        #expect(lines == [1 + head, 2 + head, 3 + head])
        for problem in chunk.problems { expectMessage(problem.message, as: Self.expectation) }
    }

    @Test(arguments: [TrackFormat.csv, .geojson, .ndjson])
    func `a clock that was not set at the beginning costs only the points before it was`(_ format: TrackFormat) {
        let chunk = Self.read(["0", "30", "1772359200", "31", "1772359201"], as: format)
        #expect(chunk.latitudes == [3, 5])
        #expect(chunk.problems.count == 3)
        for problem in chunk.problems { expectMessage(problem.message, as: Self.expectation) }
    }

    @Test(arguments: [
        ("Time (s)", "1.5"), ("time_ms", "1500"), ("timestamp", "46082.4166667"), ("Time (unix)", "63401"),
    ])
    func `no unit in the heading makes a time of a number that counts from elsewhere`(
        _ heading: String, _ number: String
    ) {
        let chunk = FormatsTests.read("\(heading),lat,lon\n\(number),1,2\n", as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.kind) == [.malformed] && chunk.problems.map(\.line) == [2])
        for problem in chunk.problems { expectMessage(problem.message, as: Self.expectation) }
    }

    @Test(arguments: [TrackFormat.csv, .geojson])
    func `times as texts may lie in 1970, and do not say since when numbers count`(_ format: TrackFormat) {
        #expect(
            FormatsTests.read(PointDocument.text(format, [Point(time: "1970-01-01T00:00:05Z")]), as: format).latitudes
                == [1])
        let mixed = FormatsTests.read("time,lat,lon\n1970-01-01T00:00:05Z,1,2\n5,2,2\n", as: .csv)
        #expect(mixed.latitudes == [1])
        #expect(mixed.problems.count == 1)
    }

    @Test(
        arguments: [TrackFormat.csv, .geojson],
        [
            ("1772359200.25", 250_000_000), ("1772359200250", 250_000_000), ("1772359200250.5", 250_500_000),
            ("1772359200250125", 250_125_000), ("1772359200250125000", 250_125_000),
        ])
    func `seconds, milliseconds, microseconds and nanoseconds are told by their size`(
        _ format: TrackFormat, _ time: (String, Int)
    ) {
        let chunk = Self.read([time.0], as: format)
        #expect(chunk.fixes.map(\.time.secondsSince1970) == [1_772_359_200])
        #expect(chunk.fixes.map { Int($0.time.nanosecondsInSecond) } == [time.1])
    }

    @Test(arguments: [TrackFormat.csv, .geojson], ["20260301100000", "99999999999", "-10000000000", "1e19", "9.3e9"])
    func `a number beyond the range of times is a problem, and not the last moment of the range`(
        _ format: TrackFormat, _ number: String
    ) {
        let chunk = Self.read(["1772359200", number, "1772359201"], as: format)
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.problems.map(\.kind) == [.malformed])
    }
}
