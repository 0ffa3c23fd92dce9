import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tables whose columns stand in any order, twice, or not at all.
@Suite struct CSVColumnTests {
    private static let columns = [
        ("time", "2026-03-01T10:00:00Z"), ("lat", "1"), ("lon", "2"), ("altitude", "12.5"),
        ("ellipsoidal_altitude", "57"),
        ("speed", "3.5"), ("course", "90"), ("accuracy", "8"), ("vertical_accuracy", "9"), ("speed_accuracy", "0.5"),
        ("course_accuracy", "7"), ("hdop", "1.5"), ("pdop", "2.5"), ("satellites", "11"), ("mode", "3"),
        ("note", "any"), ("battery", ""),
    ]

    private static let fix = Timestamp("2026-03-01T10:00:00Z").map { time in
        Fix(
            time: time, coordinate: Coordinate(latitude: 1, longitude: 2), altitude: 12.5, ellipsoidalAltitude: 57,
            horizontalAccuracy: 8, verticalAccuracy: 9, speed: 3.5, speedAccuracy: 0.5, course: 90, courseAccuracy: 7,
            horizontalDilution: 1.5, positionDilution: 2.5, satellitesUsed: 11, mode: .threeDimensional)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `columns in any order, quoted or not, in upper or lower case, give the same fix`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let separator = [",", ";", "\t"].randomElement(using: &random) ?? ","
        let cells = Self.columns.shuffled(using: &random).map { column in
            let heading = Bool.random(using: &random) ? column.0.uppercased() : column.0
            let cell = Bool.random(using: &random) ? "\"\(column.1)\"" : " \(column.1) "
            return (Bool.random(using: &random) ? "\"\(heading)\"" : heading, cell)
        }
        let text = [cells.map(\.0), cells.map(\.1)].map { $0.joined(separator: separator) + "\r\n" }.joined()
        let chunk = read(text, as: .csv)
        #expect(chunk.problemTexts == [], "\(text)")
        #expect(chunk.fixes == [try #require(Self.fix)], "\(text)")
    }

    @Test(arguments: columns.indices.dropFirst(3))
    func `a column that is empty, or left out at the end, is unknown, and all others are as before`(_ left: Int) throws
    {
        let kept = Self.columns.indices.filter { $0 != left }
        let header = (kept + [left]).map { Self.columns[$0].0 }.joined(separator: ",")
        let cells = kept.map { Self.columns[$0].1 }.joined(separator: ",")
        let without = kept.map { Self.columns[$0] }
        let expected = read(
            without.map(\.0).joined(separator: ",") + "\n" + without.map(\.1).joined(separator: ","), as: .csv)
        for row in [cells, cells + ",", cells + ",  ", cells + ",\"\"", cells + ",,,,"] {
            let chunk = read(header + "\n" + row + "\n", as: .csv)
            #expect(chunk.fixes == expected.fixes, "\(row)")
            #expect(chunk.problems.isEmpty)
        }
        #expect(expected.fixes.count == 1)
    }

    /// RaceChrono has a column for each device that gives a value, the receiver's first.
    @Test func `of two columns of one kind the first that is not empty counts`() {
        let text = "time,lat,lon,speed,Speed (km/h)\n1772359200,1,2,5,36\n1772359201,2,2,5,\n1772359202,3,2,,36\n"
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.map(\.speed) == [5, 5, 10])
        #expect(chunk.problems.isEmpty)
    }

    @Test(arguments: [
        "", "time\n", "lat,lon\n1,2\n", "time,lat\n", "a,b,c\n1,2,3\n", "1772359200,1,2\n",
        "time lat lon\n1772359200 1 2\n",
        "\n\n", "# time,lat,lon\n",
    ])
    func `what has no header with a time and a place says what it expects, once`(_ text: String) {
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.count == 1)
        expectMessage(chunk.problems.first?.message)
    }

    @Test(arguments: [
        ("altitude", "1,5,5", "altitude"), ("altitude", "1.206,7", "altitude"), ("speed", "fast", "speed"),
        ("speed", "1e999", "speed"),
        ("hdop", "1.5 m", "horizontalDilution"), ("satellites", "0x0b", "satellites"), ("course", "N", "course"),
    ])
    func `a value that is no number is reported by its column, and its row is kept without it`(
        _ column: String, _ value: String, _ name: String
    ) {
        let rows = ["5", "\"\(value)\"", "6"].enumerated().map {
            "\(1_772_359_200 + $0.offset);\($0.offset);2;\($0.element)"
        }
        let chunk = read("time;lat;lon;\(column)\n" + rows.joined(separator: "\n"), as: .csv)
        #expect(chunk.latitudes == [0, 1, 2])
        let kept = chunk.fixes.map { [$0.altitude, $0.speed, $0.course].compactMap(\.self).count }
        #expect(kept == (["altitude", "speed", "course"].contains(column) ? [1, 0, 1] : [0, 0, 0]))
        expectMessages(chunk.problemTexts, begin: ["malformed 3: \(name)"], as: "\(column) \(value)")
    }

    @Test(
        arguments: [
            ("satellites", "255", 255), ("satellites", "256", nil), ("satellites", "-1", nil),
            ("satellites", "2.5", nil),
            ("satellites", "1e300", nil),
        ] as [(String, String, UInt8?)])
    func `a count beyond its range is unknown`(_ column: String, _ value: String, _ count: UInt8?) {
        let chunk = read("time,lat,lon,\(column)\n1772359200,1,2,\(value)\n", as: .csv)
        #expect(chunk.fixes.map(\.satellitesUsed) == [count])
        #expect(chunk.problems.isEmpty)
    }

    @Test(arguments: ["speed", "accuracy", "vertical_accuracy", "speed_accuracy", "course_accuracy"])
    func `a magnitude that is negative is unknown, in any unit`(_ column: String) {
        for text in ["-1", "-0.0001", "-1e300"] {
            let fix = read("time,lat,lon,\(column)\n1772359200,1,2,\(text)\n", as: .csv).fixes.first
            let numbers = [
                fix?.speed, fix?.horizontalAccuracy, fix?.verticalAccuracy, fix?.speedAccuracy, fix?.courseAccuracy,
            ]
            #expect(fix != nil)
            #expect(numbers.allSatisfy { $0 == nil })
        }
    }

    @Test(arguments: ["ns", "ew", "ms"])
    func `a row whose hemisphere or part of the time cannot be read does not count`(_ column: String) {
        let chunk = read("time,lat,lon,\(column)\n1772359200,1,2,x\n1772359201,2,2,\n", as: .csv)
        #expect(chunk.latitudes == [2])
        #expect(chunk.problems.map(\.line) == [2])
    }
}
