import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tables as programs write them, and the ways in which one can be read as a track that nobody travelled.
@Suite struct CSVProgramsTests {
    @Test func `GPSLogger's table has all that it says`() throws {
        let chunk = read(
            """
            time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,ageofdgpsdata,\
            dgpsid,activity,battery,annotation,timestamp_ms,time_offset,distance,starttimestamp_ms,profile_name,charging
            2026-03-01T10:00:00.250Z,52.5,13.4,34.5,8.0,90.0,1.5,9,gps,1.1,,2.5,47.0,,,,80,,1772359200250,\
            2026-03-01T11:00:00.250+01:00,12.0,1772359190000,Default Profile,false
            """, as: .csv)
        let time = try #require(Timestamp("2026-03-01T10:00:00.250Z"))
        #expect(
            chunk.fixes == [
                Fix(
                    time: time, coordinate: Coordinate(latitude: 52.5, longitude: 13.4), altitude: 34.5,
                    horizontalAccuracy: 8, speed: 1.5, course: 90, horizontalDilution: 1.1, positionDilution: 2.5,
                    satellitesUsed: 9)
            ])
        #expect(chunk.problemTexts == [])
    }

    @Test func `phyphox counts from 0 on, and its rows are problems and not a track of 1970`() {
        let chunk = read(
            """
            "Time (s)","Latitude (°)","Longitude (°)","Altitude (m)","Speed (m/s)","Horizontal Accuracy (m)"
            0.000000000E0,5.252000000E1,1.340500000E1,3.45E1,1.0E0,5.0E0
            1.000000000E0,5.252010000E1,1.340510000E1,3.45E1,1.0E0,5.0E0
            """, as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.line) == [2, 3])
    }

    @Test func `Sensor Logger counts nanoseconds`() {
        let chunk = read(
            """
            time,seconds_elapsed,speedAccuracy,verticalAccuracy,horizontalAccuracy,speed,bearing,altitude,longitude,latitude
            1772359200250000000,0.123,0.5,3,5,1.2,90,34.5,13.4,52.5
            """, as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00.250Z")])
        #expect(chunk.fixes.map(\.speedAccuracy) == [0.5])
        #expect(chunk.problemTexts == [])
    }

    @Test func `the line in which Excel names the separator is passed over`() {
        let chunk = read("\u{feff}sep=;\r\ntime;lat;lon\r\n2026-03-01T10:00:00Z;52.5;13.4\r\n", as: .csv)
        #expect(chunk.latitudes == [52.5])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: [
        ("lat,lat_dir,lon,lon_dir", "33.5,S,70.6,W", -33.5, -70.6),
        ("latitude,N/S,longitude,E/W", "33.5,N,70.6,E", 33.5, 70.6),
        ("LATITUDE,N/S,LONGITUDE,E/W", "33.5,s,70.6,e", -33.5, 70.6),
        ("E/W,longitude,N/S,latitude", "West,70.6,South,33.5", -33.5, -70.6),
        ("lat,latRef,lon,lonRef", "-33.5,S,-70.6,W", -33.5, -70.6), ("lat,ns,lon,ew", "33.5,,70.6,", 33.5, 70.6),
        ("lat,lat_hemisphere,lon,lon_hemisphere", "0,S,0,W", 0, 0),
    ])
    func `a hemisphere in a column of its own gives the degrees their sign`(
        _ header: String, _ row: String, _ latitude: Double, _ longitude: Double
    ) {
        let chunk = read("time,\(header)\n2026-03-01T10:00:00Z,\(row)\n", as: .csv)
        #expect(chunk.fixes.map(\.coordinate) == [Coordinate(latitude: latitude, longitude: longitude)])
        #expect(chunk.problemTexts == [])
    }

    @Test(
        arguments: [
            ("S,1", "eastWest"), ("N,E", nil), ("E,N", "northSouth"), ("N,x", "eastWest"),
        ] as [(String, String?)])
    func `a hemisphere that is none is reported with its column`(_ letters: String, _ column: String?) {
        let parts = letters.split(separator: ",")
        let chunk = read("time,lat,lat_dir,lon,lon_dir\n1772359200,1.5,\(parts[0]),2.5,\(parts[1])\n", as: .csv)
        expectMessages(chunk.problems.map(\.message), begin: column.map { [$0] } ?? [], as: "hemispheres \(letters)")
        #expect(chunk.fixes.count == (column == nil ? 1 : 0))
    }

    @Test func `decimal commas between commas give no place of whole degrees`() {
        let text = "time,lat,lon,speed\n2026-03-01T10:00:00Z,52,5,13,4,1,5\n2026-03-01T10:00:01Z,52,5,13,4,1\n"
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.isEmpty)
        expectMessages(chunk.problemTexts, begin: ["malformed 2", "malformed 3"])
    }

    @Test(arguments: [
        "time,lat,lon,alt,speed\n2026-03-01T10:00:00.5Z,52,5,13,4,,\n",
        "time,lat,lon,alt,speed,course\n2026-03-01 10:00:00,52,5,13,4,12,5,,\n",
        "time,lat,lon,alt\n1772359200,52,13,4,\n", "time,lat,lon\n2026-03-01 10:00:00,500,52.5,13.4\n",
    ])
    func `decimal commas between commas are named where the last columns are empty, too`(_ text: String) {
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.count == 1)
        #expect(chunk.problems.first?.message.contains("with decimal commas, semicolons between the fields") == true)
    }

    @Test(arguments: [
        "time,lat,lon,alt,speed\n2026-03-01T10:00:00Z,53,5511,9,9876\n",
        "time,lat,lon,alt,speed,course\n2026-03-01T10:00:00Z,-33,05,151,2092955\n",
        "time,lon,lat,alt,speed\n1772359200,9,9876,53,5511\n",
        "time,lat,lon,alt,speed,course,sat\n2026-03-01T10:00:00Z,53,5,9,25,12\n",
        "id,time,lat,lon,hdop,alt,sat\n7,2026-03-01 10:00:00,48,25,2,75\n",
    ])
    func `decimal commas between commas are named where the empty end of the row is left out`(_ text: String) {
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.count == 1)
    }

    @Test func `where a row has decimal commas, later rows give no place of whole degrees`() {
        let rows = ["53,5511,9,9876", "53,12,9,45", "1,2,3,4", "53.5,9.5,12,3", "2,3"]
        let text = "time,lat,lon,alt,speed\n" + rows.map { "2026-03-01T10:00:00Z,\($0)\n" }.joined()
        let chunk = read(text, as: .csv)
        #expect(chunk.problems.map(\.line) == [2, 3, 4])
        #expect(chunk.latitudes == [53.5, 2])
    }

    @Test(arguments: [
        "time,lat,lon,alt,speed\n2026-03-01T10:00:00Z,53,9,12,3\n", "time,lat,lon,note\n2026-03-01T10:00:00Z,53,9\n",
        "time,lat,lon,alt,speed,course\n2026-03-01T10:00:00Z,53.0,9.0,12,3\n",
        "time,lat,lon,alt,speed,course\n2026-03-01T10:00:00Z,53,9,12\n",
    ])
    func `whole degrees are a place`(_ text: String) {
        let chunk = read(text, as: .csv)
        #expect(chunk.latitudes == [53])
        #expect(chunk.problemTexts == [])
    }

    @Test func `a quoted decimal comma between commas is named`() {
        let chunk = read("time,lat,lon\n2026-03-01T10:00:00Z,\"52,5\",\"13,4\"\n", as: .csv)
        expectMessages(chunk.problemTexts, begin: ["malformed 2: latitude"])
    }

    @Test func `a comma in a note that nobody quoted costs no row`() {
        let chunk = read("time,lat,lon,note\n2026-03-01T10:00:00Z,52.5,13.4,left, then right, \n", as: .csv)
        #expect(chunk.latitudes == [52.5])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: ["time,lon,lat", "lat;time;lon", "note,lon,lat,time", "Lon (deg)\tLat\tTime"])
    func `a second table in the file has the columns of its own header`(_ header: String) {
        let separator: Character = header.first { ",;\t".contains($0) } ?? ","
        let cells = header.split(separator: separator).map { heading in
            heading.lowercased().hasPrefix("t") ? "1772359201" : heading.lowercased().hasPrefix("lat") ? "2" : "3"
        }
        let text = "time,lat,lon\n1772359200,1,3\n\(header)\n\(cells.joined(separator: "\(separator)"))\n"
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.map(\.coordinate) == [1, 2].map { Coordinate(latitude: $0, longitude: 3) })
        expectMessages(chunk.problemTexts, begin: ["malformed 3"])
    }

    @Test func `zeros in the place of a lost part join no row before them to one behind them`() {
        let rows = (1...60).map { "\(1_772_359_200 + $0),some words,\($0),10\n" }
        let bytes = Array(("time,note,lat,lon\n" + rows.joined()).utf8)
        for start in stride(from: 20, to: bytes.count - 300, by: 7) {
            var damaged = bytes
            for place in start..<(start + 200) { damaged[place] = 0 }
            let chunk = TrackFormat.csv.read(damaged)
            #expect(
                chunk.fixes.allSatisfy { $0.time.secondsSince1970 - 1_772_359_200 == Int64($0.coordinate.latitude) })
            #expect(chunk.fixes.count >= 60 - 9, "hole at \(start)")
            #expect(chunk.problems.count == 1, "hole at \(start): \(chunk.problemTexts)")
        }
    }

    private static func rounded(_ speed: Double?) -> Double? { speed.map { ($0 * 1000).rounded() / 1000 } }

    /// A table of a program, and the speed and course of its row, which is of 10 o'clock.
    private static let tables: [(String, speed: Double?, course: Double?)] = [
        (
            "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING\n"
                + "1,T,260301,100000,1.0000000S,2.0000000E,38,36.0,333\n", 10, 333
        ),
        ("timestamp,location-long,location-lat,ground-speed,heading\n2026-03-01 10:00:00.000,2,-1,5.5,90\n", 5.5, 90),
        (
            "MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName\n"
                + "367000000,2026-03-01T10:00:00,-1,2,3600,200.5,511.0,A\n", 1852, 200.5
        ),
        ("MMSI,BaseDateTime,LAT,LON,SOG,COG\n367000000,2026-03-01T10:00:00,-1,2,102.3,200.5\n", nil, 200.5),
        ("time,lat,lon,sog (m/s)\n2026-03-01T10:00:00Z,-1,2,10\n", 10, nil),
        ("timestamp,position.latitude,position.longitude,position.speed\n1772359200,-1,2,36\n", 10, nil),
        ("created_at,latitude,longitude\n2026-03-01 10:00:00 UTC,-1,2\n", nil, nil),
        ("created_at,timestamp,lat,lon\n2026-03-01 10:00:09 UTC,2026-03-01T10:00:00Z,-1,2\n", nil, nil),
    ]

    @Test(arguments: tables.indices)
    func `a table is read with the names and the units of its program`(_ index: Int) {
        let (text, speed, course) = Self.tables[index]
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00Z")])
        #expect(chunk.fixes.map(\.coordinate) == [Coordinate(latitude: -1, longitude: 2)])
        #expect(chunk.fixes.map { Self.rounded($0.speed) } == [speed])
        #expect(chunk.fixes.map(\.course) == [course])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: ["260301", "100301", "991231", "000101"])
    func `Columbus' date is the year, the month and the day`(_ date: String) {
        let text = "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W\n1,T,\(date),235959,1.0N,2.0E\n"
        let expected = "20\(date.prefix(2))-\(date.dropFirst(2).prefix(2))-\(date.suffix(2))T23:59:59Z"
        #expect(read(text, as: .csv).fixes.map(\.time) == [Timestamp(expected)])
    }

    @Test(arguments: ["010326", "260301"])
    func `a date of six digits in another table may be either way round, and is reported`(_ date: String) {
        let chunk = read("date,time,lat,lon\n\(date),10:00:00,1,2\n", as: .csv)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.kind) == [.malformed])
    }

    /// BasicAirData's logger writes placemarks before the track, in the form of GPS Visualizer.
    @Test func `waypoints among the points of a track are reported and left out`() {
        let rows = ["W,2026-03-01 10:00:09,9,2", "T,2026-03-01 10:00:00,1,2", "T,2026-03-01 10:00:01,2,2"]
        let chunk = read("type,date time,latitude,longitude\n\(rows.joined(separator: "\n"))\n", as: .csv)
        #expect(chunk.latitudes == [1, 2])
        #expect(chunk.problems.map(\.kind) == [.incomplete])
        #expect(chunk.problems.map(\.line) == [2])
        #expect(read("time,lat,lon,type\n2026-03-01T10:00:00Z,1,2,W\n", as: .csv).latitudes == [1])
    }

    @Test(arguments: ["unixtime", "epoch", "GPS DateTime", "UTC_DateTime", "locationTime"])
    func `the time has many names`(_ name: String) {
        #expect(read("\(name),lat,lon\n1772359200,1,2\n", as: .csv).latitudes == [1])
    }
}
