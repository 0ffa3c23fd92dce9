import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

private let reports = ProcessInfo.processInfo.environment["TRACK_REPORTS"] ?? TestEnvironment.corpus("reports")

/// Files that people have reported to other programs, where they are present: in the folder of the variable `TRACK_REPORTS`, or
/// beside the checkout. The right values are those of the folder's README.
@Suite("Reported files", .enabled(if: reports != nil, "the folder of reports is not here"))
struct ReportTests {
    /// What is right of a file.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The seconds of its fixes from 2026-03-01T10:00:00Z on.
        let seconds: [Double]
        /// Of every fix.
        var (speed, altitude): (Double?, Double?)
        /// The lines of what is reported, and the kinds.
        var problems: [String]
        var startDate: Timestamp?

        init(
            _ name: String, _ seconds: [Double] = [0, 1, 2], speed: Double? = nil, altitude: Double? = nil,
            problems: [String] = [], startDate: Timestamp? = nil
        ) {
            (self.name, self.seconds, self.problems, self.startDate) = (name, seconds, problems, startDate)
            (self.speed, self.altitude) = (speed, altitude)
        }

        var testDescription: String { name }
    }

    private static let knots = 10 * Knot.metresPerSecond

    private static func malformed(_ lines: ClosedRange<Int>) -> [String] { lines.map { "malformed \($0)" } }

    static let rows = [
        Row("01-gpspipe-r-json-head.nmea", speed: knots, altitude: 40, problems: malformed(1...3)),
        Row("02-gpsd-json-in-the-middle.nmea", speed: knots, altitude: 40, problems: malformed(3...5)),
        Row("03-rmc-status-D-rtk.nmea", speed: knots, altitude: 40),
        Row("04-gns-per-constellation.nmea", speed: knots, altitude: 40.63),
        Row("07-gll-vtg-zda-only.nmea", speed: knots),
        Row("07b-gll-status-V.nmea", []),
        Row("08-cut-gga-same-line.nmea", speed: knots, problems: ["malformed 3"]),
        Row("09b-two-sentences-a-line.nmea", speed: knots, altitude: 40),
        Row("10-a9g-gpsrd-prefix.nmea", speed: knots, altitude: 40),
        Row("11-malformed-with-right-checksum.nmea", altitude: 40, problems: ["malformed 3"]),
        Row("12-decimal-comma.nmea", [1], speed: knots, altitude: 40, problems: malformed(1...2)),
        Row("14-gsa-mode1-last.nmea", speed: knots, altitude: 40),
        Row("17-gga-only.nmea", altitude: 40, startDate: Timestamp(secondsSince1970: start)),
        Row("21-nan-and-trailing-comma.gpsd", [0, 1, 2, 3], speed: 5.1, altitude: 40, problems: ["malformed 4"]),
        Row("23-second-device-without-fix.gpsd", [0, 1, 2, 3, 4, 5], speed: 5.1, altitude: 40),
        Row("25-gpspipe-r-t.nmea", speed: knots, altitude: 40),
        Row("30-latin1-byte-in-utf8.gpx", altitude: 40),
        Row("31-declared-iso-8859-1.gpx", altitude: 40),
        Row("31b-declared-iso-8859-1-ascii-only.gpx", altitude: 40),
        Row("32-time-without-zone.gpx", altitude: 40),
        Row("33-offsets.gpx", [0, 1, 2.137], altitude: 40),
        Row("34-microseconds.gpx", [0.175, 1.175, 2.175], altitude: 40),
        Row("37-some-times-missing.gpx", [0, 3], altitude: 40, problems: ["incomplete 5", "malformed 6"]),
        Row("39-reverse-in-time.gpx", (0..<60).map(Double.init), altitude: 40, problems: ["malformed 3"]),
        Row("44-crlf-dos.gpx", altitude: 40),
        Row("45-prefixed-namespace.gpx", altitude: 40),
        Row("46-gpx-in-zip.gpx.zip"),
        Row("50-coord-before-its-when.kml", [0, 1, 2, 3], altitude: 40),
        Row("51-timeline-timespan.kml", [-7200, -3600, -2400], problems: ["incomplete 4"]),
        Row("60-dawarich-epoch-seconds.geojson", altitude: 40),
        Row("61-linestring-coordtimes.geojson", altitude: 40),
        Row("63-gpslogger.geojson"),
        Row("64-google-records.json", altitude: 40),
        Row("65-google-semantic-segments.json", [0, 1, 2, 5]),
        Row("66-multipoint.geojson", [], problems: ["incomplete 1"]),
        Row("70b-date-and-time-plain.csv", altitude: 40),
        Row("70c-gpsbabel-unicsv-date-slashes.csv", speed: 1.5, altitude: 40),
        Row("71-basicairdata.txt", [0, 1.329, 3]),
        Row("72-semicolon-decimal-comma.csv", speed: 1.25, altitude: 206.7),
        Row("74-racechrono-v3.csv", [0, 0.1, 0.2], speed: 15, altitude: 40),
        Row("75-torque.csv", [-3600, -3599, -3598], speed: 12.5, altitude: 40),
        Row("76-traccar-fixtime.csv", speed: knots, altitude: 40),
        Row("77-race-render-tabs.csv", speed: 10, altitude: 1200),
    ]

    private static let start: Int64 = 1_772_359_200

    @Test(arguments: rows)
    func `a reported file has the fixes that are right, and what is passed over is reported`(_ row: Row) throws {
        let path = "\(try #require(reports))/\(row.name)"
        let chunk = try replay(path, options: ReplayOptions(startDate: row.startDate))
        let start = Timestamp(secondsSince1970: Self.start)
        #expect(
            chunk.fixes.map { $0.time.duration(since: start) }
                == row.seconds.map { .milliseconds(Int(($0 * 1000).rounded())) })
        #expect(chunk.problems.map { "\($0.kind.rawValue) \($0.line ?? 0)" } == row.problems)
        for fix in chunk.fixes {
            #expect((52.4...52.6).contains(fix.coordinate.latitude) && (13.3...13.6).contains(fix.coordinate.longitude))
            if let speed = row.speed { #expect(abs((fix.speed ?? 0) - speed) < 0.001) }
            if let altitude = row.altitude { #expect(abs((fix.altitude ?? 0) - altitude) < 0.001) }
        }
    }

    private func fixes(_ name: String) throws -> [Fix] { try replay("\(try #require(reports))/\(name)").fixes }

    @Test func `of each file, what was wrong in it elsewhere is right`() throws {
        // Midnight by sentences without a date, before the first one with a date.
        #expect(
            try fixes("05-rgm3800-midnight.nmea").map(\.time.description).map { String($0.prefix(19)) }
                == ["2024-01-01T23:59:01", "2024-01-02T00:00:01", "2024-01-02T00:01:01"])
        #expect(try fixes("03-rmc-status-D-rtk.nmea").allSatisfy { $0.status == .rtkFixed })
        #expect(try fixes("14-gsa-mode1-last.nmea").allSatisfy { $0.mode == .threeDimensional })
        #expect(try fixes("42-extensions-before-time.gpx").map(\.speed) == [1, 2, 3])
        #expect(
            try fixes("50-coord-before-its-when.kml").map(\.coordinate.latitude) == [52.52, 52.5205, 52.521, 52.5215])
        // Two tracks of two minutes, the later one first.
        let tracks = try fixes("40-newest-track-first.gpx")
        #expect(tracks.count == 240 && tracks.map(\.time) == tracks.map(\.time).sorted())
        // Twelve places over the antimeridian, in an archive.
        let boat = try fixes("54-track.kmz")
        #expect(boat.count == 12 && boat.allSatisfy { abs($0.coordinate.longitude) > 179.9 })
    }
}
