import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tables as loggers, phones and converters lay them out.
@Suite struct CSVLayoutTests {
    private static let ten = Timestamp("2026-03-01T10:00:00Z")

    private static func fix(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Fix? {
        let chunk = read(text, as: .csv, sourceLocation: sourceLocation)
        #expect(chunk.problemTexts == [], sourceLocation: sourceLocation)
        #expect(chunk.fixes.count == 1, sourceLocation: sourceLocation)
        return chunk.fixes.first
    }

    @Test(arguments: [
        "date,time,lat,lon\n2026-03-01,10:00:00,1,2", "No,Latitude,Longitude,Date,Time\n1,1,2,2026/03/01,10:00:00",
        "DATE;TIME;LAT;LON\n20260301;100000;1;2", "time,date,lat,lon\n10:00:00.000,01-Mar-2026,1,2",
        "lat,lon,date,time\n1,2,2026-03-01 00:00:00,10:00:00", "date,lat,lon\n2026-03-01 10:00:00,1,2",
        "date,time,lat,lon\n2026-03-01,10:00:00 AM,1,2", "UTC date,UTC time,lat,lon\n2026-03-01,10:00:00,1,2",
        "date,time,lat,lon\n2026-03-01,10:00,1,2", "date,time,lat,lon\n2026-03-01,10:00 AM,1,2",
        "time,lat,lon\n2026-03-01 10:00,1,2",
        "date,time,lat,lon\nSunday,2026-03-01T10:00:00Z,1,2", "date,time,lat,lon\n2026-03-01,1772359200,1,2",
    ])
    func `a date and a time of day in two columns are one time`(_ text: String) {
        #expect(Self.fix(text)?.time == Self.ten)
    }

    @Test(arguments: [
        "UTC DATE,UTC TIME,LOCAL DATE,LOCAL TIME,lat,lon\n2026-03-01,10:00:00,2026-03-01,11:00:00,1,2",
        "LOCAL DATE,LOCAL TIME,UTC DATE,UTC TIME,lat,lon\n2026-03-01,11:00:00,2026-03-01,10:00:00,1,2",
        "utc_time,local_time,lat,lon\n2026-03-01T10:00:00,2026-03-01T11:00:00,1,2",
        "timestamp,lat,lon,time\n1772359200,1,2,0.5", "time,lat,lon,lat,lon\n2026-03-01T10:00:00Z,1,2,3,4",
    ])
    func `of several columns of one meaning the one in UTC counts, else the first`(_ text: String) {
        let fix = Self.fix(text)
        #expect(fix?.time == Self.ten && fix?.coordinate == Coordinate(latitude: 1, longitude: 2))
    }

    @Test(arguments: ["010326", "01/03/2026", "01.03.2026", "03/01/26", "", "today"])
    func `a date whose parts nobody can tell is reported, and never taken for today`(_ date: String) {
        let chunk = read("date,time,lat,lon\n\(date),10:00:00,1,2\n", as: .csv)
        #expect(chunk.fixes.isEmpty)
        expectMessages(chunk.problemTexts, begin: ["malformed 2: date"])
    }

    @Test func `iBlue's table has its hemispheres, and units behind the numbers`() {
        let fix = Self.fix(
            """
            INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,HDOP,NSAT (USED/VIEW)
            1,T,2026/03/01,10:00:00,SPS,33.5,S,70.6,W,520.5 m,36.0 km/h,1.2,8(10)
            """)
        #expect(fix?.time == Self.ten)
        #expect(fix?.coordinate == Coordinate(latitude: -33.5, longitude: -70.6))
        #expect(fix?.altitude == 520.5)
        #expect(fix?.speed == 10)
    }

    @Test(arguments: ["DATE,TIME,MS,LATITUDE,LONGITUDE", "date,time,milliseconds,lat,lon", "Date;Time;msec;Lat;Lon"])
    func `the milliseconds of a time may be in a column of their own`(_ header: String) {
        let rows = ["000", "200", "400.0", "", "1200", "n/a"].map { "2026/03/01,10:00:00,\($0),1,2\n" }.joined()
        let text = header + "\n" + (header.contains(";") ? rows.replacing(",", with: ";") : rows)
        let parts = read(text, as: .csv).fixes.map { $0.time.rfc3339(.milliseconds).suffix(5) }
        #expect(parts == [".000Z", ".200Z", ".400Z", ".000Z", ".000Z", ".000Z"])
    }

    @Test func `a column with m/s as its name has no milliseconds`() {
        #expect(Self.fix("time,lat,lon,m/s\n2026-03-01T10:00:00Z,1,2,3\n")?.time == Self.ten)
    }

    @Test func `a row that says that it has no fix gives none`() {
        let rows = ["NO FIX", "false", "SPS", "true"].map { "\($0),2026-03-01T10:00:00Z,1,2\n" }
        let chunk = read("valid,time,lat,lon\n" + rows.joined(), as: .csv)
        #expect(chunk.fixes.count == 2)
        #expect(chunk.problems.map(\.line) == [2, 3])
        #expect(chunk.problems.allSatisfy { $0.kind == .incomplete })
    }

    @Test func `Torque's table has its receiver's time and not its phone's`() {
        let fix = Self.fix(
            """
            GPS Time,Device Time, Longitude, Latitude,GPS Speed (Meters/second), Horizontal Dilution of Precision, Altitude, Bearing
            Sun Mar 01 11:00:00 GMT+01:00 2026,01-Mar-2026 11:00:07.120,2,1,12.5,3.2,40.0,90.0
            """)
        #expect(fix?.time == Self.ten)
        #expect(fix?.speed == 12.5)
        #expect(fix?.horizontalDilution == 3.2)
        #expect(Self.fix("Device Time,Latitude,Longitude\n01-Mar-2026 10:00:00,1,2")?.time == Self.ten)
    }

    private static let raceChrono =
        "This file is created by a program ( http://example.org/ ).\nFormat,3\nSession title,\"Test, 2\"\nNote,\n\n"
        + "timestamp,lap_number,altitude,bearing,latitude,longitude,speed\n"

    @Test func `RaceChrono's table has words before its header, and units and origins behind it`() {
        let fix = Self.fix(
            Self.raceChrono + "unix time,,ft,deg,deg,deg,km/h\n,,100: gps,100: gps,100: gps,100: gps,100: gps\n"
                + "1772359200.000,,100,90.0,1,2,36\n")
        #expect(fix?.time == Self.ten)
        #expect(fix?.speed == 10)
        #expect(fix?.altitude == 30.48)
        #expect(fix?.course == 90)
    }

    @Test func `a unit behind the header that is not known is reported, and its column does not count`() {
        let chunk = read(Self.raceChrono + ",,m,deg,deg,deg,furlongs\n1772359200,,100,90.0,1,2,36\n", as: .csv)
        #expect(chunk.fixes.map(\.speed) == [nil])
        #expect(chunk.fixes.map(\.altitude) == [100])
        #expect(chunk.problemTexts.first?.hasPrefix("malformed 7: column 7: unit furlongs: expected m/s") == true)
        #expect(chunk.problems.count == 1)
    }

    @Test func `a table begins within 64 lines, or not at all`() {
        let table = "time,lat,lon\n1772359200,1,2\n"
        #expect(Self.fix(String(repeating: "words\n", count: 63) + table)?.time == Self.ten)
        let chunk = read(String(repeating: "words\n", count: 64) + table, as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.line) == [1])
    }

    @Test func `Traccar's positions have the receiver's time, speeds in knots, and rows that are not valid`() {
        let text = """
            id,deviceId,protocol,serverTime,deviceTime,fixTime,valid,latitude,longitude,altitude,speed,course
            0,1,osmand,2026-03-01T10:00:07Z,2026-03-01T10:00:05Z,2026-03-01T10:00:00.000+00:00,true,1,2,40.0,3600,90.0
            """
        #expect(Self.fix(text)?.time == Self.ten)
        #expect(Self.fix(text)?.speed == 1852)
    }

    @Test func `OwnTracks Recorder's table has speeds in km per hour`() {
        let fix = Self.fix("tst,isotst,lat,lon,acc,alt,vac,vel,cog\n1772359200,2026-03-01T10:00:00Z,1,2,8,40,3,36,90")
        #expect(fix?.time == Self.ten)
        #expect(fix?.speed == 10)
        #expect(fix?.horizontalAccuracy == 8)
        #expect(fix?.verticalAccuracy == 3)
        #expect(fix?.course == 90)
    }

    @Test func `GDAL's table has X and Y first, and other axes are no places`() {
        #expect(
            Self.fix("X,Y,track_fid,ele,time\n2,1,0,40,2026/03/01 10:00:00+00")?.coordinate
                == Coordinate(latitude: 1, longitude: 2))
        for header in ["time,x,y,z", "x,y,time", "Time,X,Y", "X,Z,Y,time"] {
            let cells = header.split(separator: ",").map { $0.lowercased() == "time" ? "1772359200" : "1" }
            #expect(read("\(header)\n\(cells.joined(separator: ","))\n", as: .csv).fixes.isEmpty)
        }
        let named = "X,Y,time,lat,lon\n7,8,1772359200,1,2"
        #expect(Self.fix(named)?.coordinate == Coordinate(latitude: 1, longitude: 2))
    }

    @Test(arguments: [";", "\t"])
    func `decimal commas between semicolons or tabs are decimals`(_ separator: String) {
        let header = ["time", "lat", "lon", "elevation", "speed"].joined(separator: separator)
        let row = ["2026-03-01T10:00:00Z", "52,5", "-13,25", "206,7", "1,25"].joined(separator: separator)
        let fix = Self.fix("\(header)\n\(row)\n")
        #expect(fix?.coordinate == Coordinate(latitude: 52.5, longitude: -13.25))
        #expect(fix?.altitude == 206.7)
        #expect(fix?.speed == 1.25)
    }

    @Test(arguments: ["N/A", "null", "nan", "NaN", "None", "-", "--", "unknown"])
    func `a word for unknown costs its value and not its row`(_ word: String) {
        let fix = Self.fix("time,lat,lon,speed,altitude\n1772359200,1,2,\(word),40\n")
        #expect(fix?.speed == nil)
        #expect(fix?.altitude == 40)
        let placeless = read("time,lat,lon\n1772359200,\(word),2\n", as: .csv)
        expectMessages(placeless.problemTexts, begin: ["incomplete 2"])
    }

    @Test func `degrees may have their hemisphere behind them`() {
        #expect(
            Self.fix("time,lat,lon\n1772359200,33.5S,70.6W")?.coordinate
                == Coordinate(latitude: -33.5, longitude: -70.6))
        #expect(
            Self.fix("time,lat,lon\n1772359200,33.5 N,70.6E")?.coordinate == Coordinate(latitude: 33.5, longitude: 70.6)
        )
        #expect(read("time,lat,lon\n1772359200,33.5E,70.6W\n", as: .csv).fixes.isEmpty)
    }
}
