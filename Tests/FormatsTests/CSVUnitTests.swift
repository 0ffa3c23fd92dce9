import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Units in the headings of tables. Each factor is worked by hand.
@Suite struct CSVUnitTests {
    private static func fix(_ heading: String, _ value: String) -> Fix? {
        let chunk = read("time,lat,lon,\(heading)\n1772359200,1,2,\(value)\n", as: .csv)
        #expect(chunk.problemTexts == [], "\(heading)")
        return chunk.fixes.first
    }

    @Test(arguments: [
        ("Speed (m/s)", "36", 36), ("Speed [m/s]", "36", 36), ("speed_mps", "36", 36), ("speed", "36", 36),
        ("Speed (Meters/second)", "36", 36), ("Speed (km/h)", "36", 10), ("speed_kmh", "36", 10),
        ("Speed (KPH)", "36", 10), ("speedKmh", "36", 10), ("Speed km/h", "36", 10), ("\"Speed, km/h\"", "36", 10),
        ("Speed (GPS) (km/h)", "36", 10), ("Speed (mph)", "100", 44.704), ("speed_mph", "100", 44.704),
        ("Speed (knots)", "3600", 1852), ("Speed (kts)", "3600", 1852), ("speed_kn", "3600", 1852),
        ("Speed (ft/s)", "100", 30.48),
    ])
    func `a speed is read in the unit that its heading names`(_ heading: String, _ value: String, _ metres: Double) {
        #expect(Self.fix(heading, value)?.speed == metres)
    }

    @Test(arguments: [
        ("Altitude (m)", "100", 100), ("Altitude [meters]", "100", 100), ("altitude_m", "100", 100),
        ("Altitude (ft)", "100", 30.48), ("altitude_ft", "100", 30.48), ("Elevation (feet)", "-100", -30.48),
        ("ele ft", "100", 30.48), ("Altitude (m MSL)", "100", 100), ("Altitude (km)", "1.5", 1500),
    ])
    func `a height is read in the unit that its heading names`(_ heading: String, _ value: String, _ metres: Double) {
        #expect(Self.fix(heading, value)?.altitude == metres)
    }

    @Test(arguments: [
        ("Heading (deg)", "90", 90), ("Heading (°)", "90", 90), ("Course [degrees]", "90", 90),
        ("course_deg", "90", 90), ("Bearing (° true)", "90", 90), ("Course (rad)", "3.141592653589793", 180),
    ])
    func `an angle is read in the unit that its heading names`(_ heading: String, _ value: String, _ degrees: Double) {
        #expect(Self.fix(heading, value)?.course == degrees)
    }

    @Test func `the accuracies have units, too`() {
        let text =
            "time,lat,lon,Accuracy (ft),vertical_accuracy_ft,Speed accuracy (km/h)\n1772359200,1,2,100,10,36\n"
        let fix = read(text, as: .csv).fixes.first
        #expect(fix?.horizontalAccuracy == 30.48)
        #expect(fix?.verticalAccuracy == 3.048)
        #expect(fix?.speedAccuracy == 10)
    }

    @Test(arguments: [
        ("Time (UTC)", "2026-03-01T10:00:00Z"), ("Time [GMT]", "2026-03-01T11:00:00+01:00"),
        ("time_utc", "1772359200"), ("Timestamp (s)", "1772359200"), ("timestamp_ms", "1772359200000"),
        ("Timestamp (ms)", "1772359200000"), ("Time (ISO 8601)", "2026-03-01T10:00:00Z"), ("Time (Unix)", "1772359200"),
    ])
    func `a time is read in the unit that its heading names`(_ heading: String, _ value: String) {
        let chunk = read("\(heading),lat,lon\n\(value),1,2\n", as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00Z")])
        #expect(chunk.problems.isEmpty)
    }

    @Test func `milliseconds of the years before 1973, which could be taken for seconds, are milliseconds`() {
        let fixes = read("timestamp_ms,lat,lon\n1772359200000,1,2\n86400000,1,2\n", as: .csv).fixes
        #expect(fixes.map(\.time) == ["2026-03-01T10:00:00Z", "1970-01-02T00:00:00Z"].map { Timestamp($0) })
    }

    @Test(arguments: [
        ("Speed (furlongs)", "furlongs"), ("Altitude (%)", "%"), ("Heading (magnetic)", "magnetic"),
        ("Speed (m)", "m"), ("Accuracy (s)", "s"), ("Satellites (in view)", "in view"), ("Speed (OBD)(km/h)", "OBD"),
    ])
    func `a unit that is not known is reported once, and its column does not count`(_ heading: String, _ unit: String) {
        let text = "time,lat,lon,\(heading),hdop\n1772359200,1,2,36,1.5\n1772359201,2,2,36,1.5\n"
        let chunk = read(text, as: .csv)
        #expect(chunk.problemTexts.count == 1)
        #expect(chunk.problemTexts.first?.hasPrefix("malformed 1: column 4: unit \(unit): expected ") == true)
        #expect(chunk.latitudes == [1, 2])
        #expect(chunk.fixes.map(\.horizontalDilution) == [1.5, 1.5])
        for fix in chunk.fixes {
            let numbers = [fix.speed, fix.altitude, fix.course, fix.horizontalAccuracy]
            #expect(numbers == [nil, nil, nil, nil])
            #expect(fix.satellitesUsed == nil)
        }
    }

    @Test func `a position or time in an unknown unit leaves no header, and both are said`() {
        let chunk = read("time,Latitude (furlongs),lon\n1772359200,1,2\n", as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.line) == [1, 1])
        #expect(chunk.problems.first?.message.hasPrefix("column 2: unit furlongs") == true)
    }

    @Test func `a position in degrees or radians is one`() {
        let text = "time,Latitude (deg),Longitude [rad]\n1772359200,1,1.5707963267948966\n"
        #expect(read(text, as: .csv).fixes.map(\.coordinate) == [Coordinate(latitude: 1, longitude: 90)])
    }

    @Test(arguments: [
        "speed_source", "Altitude type", "timezone", "latency", "longest", "headings", "trackid", "times",
        "Ground Speed",
        "position.latitude", "created_at",
    ])
    func `a heading that only begins like a known one is another column, of which nothing is said`(_ heading: String) {
        let fix = Self.fix(heading, "36")
        #expect(fix?.time == Timestamp("2026-03-01T10:00:00Z"))
        #expect(fix?.coordinate == Coordinate(latitude: 1, longitude: 2))
        #expect(fix?.speed == nil)
        #expect(fix?.altitude == nil)
        #expect(fix?.course == nil)
    }

    @Test(arguments: [
        "[ms],[deg],[deg],[km/h],[ft]", "(ms),(deg),(deg),(km/h),(ft)", "ms,,,km/h,ft", "[ms],[°],[°],[km/h],[ft]",
        "ms,-,-,km/h,ft",
    ])
    func `a row of units after the header counts, in brackets and without a unit for the place, too`(_ units: String) {
        let text = "timestamp,latitude,longitude,speed,altitude\n\(units)\n1772359200000,52.52,13.405,36.0,131.2\n"
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00Z")])
        #expect(chunk.fixes.map(\.speed) == [10])
        #expect(chunk.fixes.compactMap(\.altitude).map { ($0 * 100).rounded() } == [3999])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: [
        ("[s],[deg],[deg],[furlong],[ft]", ["column 4"]), ("s,deg,deg,furlong,ft", ["column 4"]),
        ("s,,,furlong,ft", ["column 4"]), ("s,Winkel,Winkel,km/h,ft", ["column 2", "column 3"]),
    ])
    func `a word of a row of units that is not known is reported, and the other units count`(
        _ units: String, _ columns: [String]
    ) {
        let chunk = read("timestamp,lat,lon,speed,altitude\n\(units)\n1772359200,1,2,36,100\n", as: .csv)
        #expect(chunk.latitudes == [1])
        #expect(chunk.fixes.map(\.altitude) == [30.48])
        #expect(chunk.fixes.map(\.speed) == [columns == ["column 4"] ? nil : 10])
        expectMessages(
            chunk.problemTexts, begin: columns.map { "malformed 2: \($0)" }, as: "units \(units.filter { $0 != "," })")
    }

    @Test func `a row of values is no row of units because its zone is named`() {
        let rows = ["2026-03-01 10:00:00,UTC,#N/A,#N/A,0", "2026-03-01 10:00:01,UTC,1,2,10"].joined(separator: "\n")
        let chunk = read("timestamp,timezone,latitude,longitude,speed\n\(rows)\n", as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:01Z")])
        #expect(chunk.fixes.map(\.speed) == [10])
        #expect(chunk.problems.map(\.kind) == [.malformed])
    }

    @Test(arguments: [("position.speed", "5.144"), ("sog", "5.144"), ("sog", "102.3"), ("vel", "5.144")])
    func `a column named speed is the speed`(_ other: String, _ value: String) {
        for columns in ["speed,\(other)", "\(other),speed"] {
            let values = columns.hasPrefix("speed") ? "5.5,\(value)" : "\(value),5.5"
            let chunk = read("timestamp,lat,lon,\(columns)\n1772359200,1,2,\(values)\n", as: .csv)
            #expect(chunk.fixes.map(\.speed) == [5.5])
        }
    }

    @Test func `the place of a message counts where there is no other`() {
        let head = "timestamp,position.latitude,position.longitude"
        #expect(read("\(head)\n1772359200,1,2\n", as: .csv).latitudes == [1])
        #expect(read("\(head),latitude,longitude\n1772359200,,,1,2\n", as: .csv).latitudes == [1])
    }

    @Test(arguments: ["1772359200,,,36,100", ",,,,", "-,-,-,-,-", "1772359200,north,north,36,100"])
    func `a row without a place is no row of units`(_ row: String) {
        let chunk = read("timestamp,lat,lon,speed,altitude\n\(row)\n1772359201,1,2,36,100\n", as: .csv)
        #expect(chunk.fixes.map(\.speed) == [36])
        #expect(chunk.fixes.map(\.altitude) == [100])
    }
}
