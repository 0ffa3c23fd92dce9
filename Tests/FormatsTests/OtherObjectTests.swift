import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Values that other programs write for "unknown", "no fix" and "somebody else", in tables, JSON and GPX.
@Suite("What other programs write about a fix")
struct OtherObjectTests {
    private static func table(_ header: String, _ rows: String...) -> TrackChunk {
        let start = "time,lat,lon"
        let lines = rows.enumerated().map { "2026-03-01T10:00:0\($0.offset)Z,\($0.offset + 1),2,\($0.element)" }
        return read(([start + "," + header] + lines).joined(separator: "\n") + "\n", as: .csv)
    }

    // MARK: Objects

    @Test(arguments: ["MMSI", "deviceId", "device_id", "icao24", "Vehicle ID"])
    func `of the objects of a table the first is read, and the others are named once`(_ name: String) {
        let chunk = Self.table(name, "211001", "211002", "211001", "", "211002")
        #expect(chunk.latitudes == [1, 3, 4])
        #expect(chunk.problems.map(\.kind) == [.incomplete])
        #expect(chunk.problems.map(\.line) == [3])
    }

    @Test func `Movebank's animals are objects, and its outliers no fixes`() {
        let text = """
            event-id,visible,timestamp,location-long,location-lat,individual-local-identifier,tag-local-identifier
            1,true,2026-03-01 10:00:00.000,9.1,47.5,Anna,71
            2,FALSE,2026-03-01 10:10:00.000,19.1,17.5,Anna,71
            3,true,2026-03-01 10:20:00.000,9.2,47.6,Anna,72
            4,true,2026-03-01 10:20:00.000,8.2,46.6,Bert,73

            """
        let chunk = read(text, as: .csv)
        #expect(chunk.latitudes == [47.5, 47.6])
        #expect(chunk.problems.map(\.line) == [3, 5])
    }

    @Test(arguments: [#""deviceId":1"#, #""device_id":"anna""#, #""mmsi":211001"#])
    func `of the objects of a JSON document the first is read, and the others are named once`(_ member: String) {
        func object(_ latitude: Int, _ member: String) -> String {
            #"{"time":"2026-03-01T10:00:0\#(latitude)Z","latitude":\#(latitude),"longitude":2,\#(member)}"#
        }
        let other = member.replacing("1", with: "2").replacing("anna", with: "bert")
        let objects = [object(1, member), object(2, other), object(3, #""device_id":null"#), object(4, member)]
        for chunk in [
            read("[\((objects + [object(5, other)]).joined(separator: ","))]", as: .geojson),
            read(objects.joined(separator: "\n") + "\n", as: .ndjson),
        ] {
            #expect(chunk.latitudes == [1, 3, 4])
            #expect(chunk.problems.map(\.kind) == [.incomplete])
        }
    }

    @Test(arguments: [
        (["A", "A ", " A", "a"], [1, 2, 3]), (["211001", "211001.0", "211002"], [1, 2]),
        (["3c6444", "3C6444"], [1, 2]),
        (["\"7\"", "7"], [1, 2]),
    ])
    func `one object is written in several ways`(_ names: [String], _ latitudes: [Double]) {
        #expect(read(Self.objects(names, "1"), as: .csv).latitudes == latitudes)
    }

    private static func objects(_ names: [String], _ valid: String) -> String {
        let rows = names.enumerated().map {
            "2026-03-01T10:00:0\($0.offset)Z,\($0.offset + 1),2,\($0.element),\($0.offset == 0 ? valid : "1")"
        }
        return (["time,lat,lon,deviceId,valid"] + rows).joined(separator: "\n") + "\n"
    }

    @Test func `the first object with a usable position is the one that is read`() {
        #expect(read(Self.objects(["a", "b", "b", "a"], "0"), as: .csv).latitudes == [2, 3])
        for place in ["91.0,181.0", "0,0", ",", "0,8.8", "53,0"] {
            let table = Self.objects(["a", "b", "b", "a"], "1").replacing("00Z,1,2", with: "00Z,\(place)")
            #expect(Array(read(table, as: .csv).latitudes.suffix(2)) == [2, 3], "\(place)")
        }
        let json = ["0,0,1", "1,2,2", "2,2,2", "3,2,1"].map { row in
            let values = row.split(separator: ",")
            return
                #"{"time":"2026-03-01T10:00:0\#(values[0])Z","lat":\#(values[0]),"lon":\#(values[1]),"deviceId":\#(values[2])}"#
        }
        let chunk = read(json.joined(separator: "\n") + "\n", as: .ndjson)
        #expect(Array(chunk.latitudes.suffix(2)) == [1, 2])
        #expect(chunk.latitudes.count == 3)
    }

    // MARK: No fix

    @Test(arguments: [
        ("valid", "t", "f"), ("valid", "yes", "no"), ("valid", "Y", "N"), ("valid", "1", "\\0"),
        ("valid", "1.0", "0.0"),
        ("fix", "3D", "none"), ("Fix", "2", "No Fix"), ("fix quality", "1", "0"), ("fix_type", "3", "0"),
        ("status", "A", "V"), ("mode", "3", "1"),
    ])
    func `a row that says it is no fix is none, and is reported`(_ name: String, _ yes: String, _ no: String) {
        let chunk = Self.table(name, yes, no, yes)
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.problems.map(\.line) == [3])
    }

    @Test func `a row that says twice whether it is a fix is none where one says no`() {
        #expect(Self.table("valid,fix", "1,1", "0,1", "1,0", "1,1").latitudes == [1, 4])
    }

    @Test func `an object of gpsd's mode 1 is no fix`() {
        let text = #"{"mode":1.0,"time":"2026-03-01T10:00:00Z","lat":1,"lon":2}"#
        #expect(read(text, as: .geojson).fixes.isEmpty)
        #expect(read(text.replacing("1.0", with: "2.0"), as: .geojson).latitudes == [1])
    }

    // MARK: Unknown courses

    @Test(arguments: [
        ("-1.0", nil), ("-0.001", nil), ("511", nil), ("409.5", nil), ("0", 0), ("359.9", 359.9), ("360", 0),
    ])
    func `a course outside of a circle is unknown`(_ text: String, _ course: Double?) {
        #expect(Self.table("course", text).fixes.map(\.course) == [course])
        let time = "2026-03-01T10:00:00Z"
        #expect(
            read(#"{"time":"\#(time)","lat":1,"lon":2,"course":\#(text)}"#, as: .geojson).fixes.map(\.course)
                == [course])
        let gpx = "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>\(time)</time><course>\(text)</course></trkpt>"
        #expect(read(gpx + "</trkseg></trk></gpx>", as: .gpx).fixes.map(\.course) == [course])
        let nmea = read("$GPRMC,100000,A,0100.0,N,00200.0,E,5.0,\(text),010326,,,A\r\n", as: .nmea)
        #expect(nmea.fixes.map(\.course) == [course])
    }

    /// ITU-R M.1371: 360 degrees of the course over ground are none.
    @Test func `of a vessel 360 degrees are no course`() {
        let chunk = read(
            "MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading\n211001,2026-03-01T10:00:00,1,2,0.0,360.0,511.0\n", as: .csv)
        #expect(chunk.fixes.map(\.course) == [nil])
        #expect(chunk.fixes.map(\.speed) == [0])
    }

    // MARK: Speeds, heights and local times

    @Test func `track and height are a course and an altitude where no other column is`() {
        #expect(Self.table("track,height", "270,120").fixes.map(\.course) == [270])
        #expect(Self.table("track,height", "270,120").fixes.map(\.altitude) == [120])
        let others = Self.table("track,height,course,altitude", "1,2,270,120", "90,30,,").fixes
        #expect(others.map(\.course) == [270, nil] && others.map(\.altitude) == [120, nil])
    }

    @Test(arguments: ["1", "2015.0"])
    func `an epoch of something else is not the time`(_ epoch: String) {
        #expect(read("epoch,time,lat,lon\n\(epoch),2026-03-01T10:00:00Z,1,2\n", as: .csv).latitudes == [1])
    }

    private static func moments(_ text: String) -> [Int64] {
        read(text, as: .csv).fixes.map { $0.time.nanosecondsSince1970 / 1_000_000 - 1_772_359_200_000 }
    }

    /// Berlin, Kathmandu, New York and UTC; then other moments, and something else.
    @Test(arguments: [
        ("1772355600", -3600), ("1772355600000", -3600), ("1772355603", -3600), ("1772338500", -20_700),
        ("1772377200", 18_000), ("1772359200", 0), ("1772350000", 0), ("5", 0), ("x", 0), ("", 0),
    ])
    func `an epoch gives the zone of times that name none`(_ epoch: String, _ seconds: Int64) {
        for text in [
            "epoch,time,lat,lon\n\(epoch),2026-03-01 10:00:00.25,1,2\n",
            "date,time,epoch,lat,lon\n2026-03-01,10:00:00.25,\(epoch),1,2\n",
        ] {
            #expect(Self.moments(text) == [seconds * 1000 + 250])
            #expect(read(text, as: .csv).problemTexts == [])
        }
    }

    /// Numbers that are lost, of the beginning of the recording, of the arrival at a server, and behind times without
    /// seconds.
    @Test(arguments: [
        (["10:00:00", "10:00:20", "10:15:00"], ["1772355600", "", "1772356500"], [-3600, -3580, -2700]),
        (["10:00:00", "10:15:00", "10:30:01"], ["1772355600", "1772355600", "1772355600"], [-3600, -2700, -1799]),
        (["10:00:00", "10:15:00", "10:30:00"], ["1772359200", "1772359200", "1772359200"], [0, 900, 1800]),
        (["10:00:00", "10:00:10", "10:00:20"], ["1772355600", "1772355613", "1772355622"], [-3600, -3590, -3580]),
        (["10:00", "10:00", "10:01"], ["1772355605", "1772355655", "1772355665"], [-3600, -3600, -3540]),
        (["10:00:00", "10:15:00", "10:30:00"], ["1772359000", "1772359200", "1772359200"], [0, 900, 1800]),
        (["10:00:00", "10:00:10", "16:00:20"], ["0", "1772355610", "1772355620"], [0, -3590, -3580]),
        (["10:00:02", "10:00:10", "10:30:10"], ["1772355604", "1772355613", "1772359212"], [-3598, -3590, -1790]),
    ])
    func `the first row decides for a table whether an epoch gives the zone`(
        _ times: [String], _ epochs: [String], _ seconds: [Int64]
    ) {
        let rows = zip(times, epochs).map { "2026-03-01 \($0),\($1),1,2\n" }
        #expect(Self.moments("time,epoch,lat,lon\n\(rows.joined())") == seconds.map { $0 * 1000 })
    }

    @Test func `an epoch gives both zones of a table at the end of summer time`() {
        let rows = ["02:59:59,1792889999", "02:00:00,1792890000", "02:00:01,1792890001"]
            .map { "2026-10-25 \($0),1,2\n" }
        let times = read("time,epoch,lat,lon\n\(rows.joined())", as: .csv).fixes.map(\.time.secondsSince1970)
        #expect(times == [1_792_889_999, 1_792_890_000, 1_792_890_001])
    }

    @Test(arguments: ["epoch,time,timezone", "epoch,time,zone"])
    func `an epoch changes no time whose zone the row names`(_ names: String) {
        #expect(Self.moments("\(names),lat,lon\n1772355600,2026-03-01T10:00:00,+03:00,1,2\n") == [-10_800_000])
        #expect(Self.moments("\(names),lat,lon\n1772355600,2026-03-01T10:00:00,,1,2\n") == [-3_600_000])
    }

    @Test func `a row without a position does not decide whether an epoch gives the zone`() {
        let rows = ["2026-03-01 10:00:00,1772352000,,", "2026-03-01 10:00:10,1772355610,1,2"]
        #expect(Self.moments("time,epoch,lat,lon\n\(rows.joined(separator: "\n"))\n") == [-3_590_000])
    }

    @Test(arguments: ["unixtime", "time_unix", "unix time", "utc"])
    func `of two times, the one since 1970 counts, and in rows without it another one that names its zone`(
        _ name: String
    ) {
        let rows = ["1772355600", "", "0", "x"].map { "2026-03-01T10:00:00Z,\($0),1,2\n" }
        #expect(Self.moments("datetime,\(name),lat,lon\n\(rows.joined())") == [-3_600_000, 0, 0, 0])
        let local = read("datetime,\(name),lat,lon\n\(rows.joined().replacing("Z", with: ""))", as: .csv)
        #expect(local.fixes.first?.time == Timestamp(secondsSince1970: 1_772_355_600))
        #expect(!local.fixes.contains { $0.time == Timestamp(secondsSince1970: 1_772_359_200) })
        #expect(local.problems.count >= 2)
    }

    /// At UTC+1, at UTC-5, far from Greenwich, with a clock three seconds fast, and by the minute.
    @Test(arguments: [
        ("00:10:00", "23:10:00"), ("23:10:00", "04:10:00"), ("01:00:00", "12:00:00"), ("00:10:03", "23:10:00"),
        ("00:10", "23:10:00"),
    ])
    func `beside a time of day in UTC and a local one a date around midnight is reported`(
        _ local: String, _ utc: String
    ) {
        let chunk = read("date,time,utc_time,lat,lon\n2026-03-02,\(local),\(utc),1,2\n", as: .csv)
        #expect(chunk.fixes.isEmpty && chunk.problems.map(\.kind) == [.malformed])
        let ofGPS = read("gps_date,time,utc_time,lat,lon\n2026-03-02,\(local),\(utc),1,2\n", as: .csv)
        #expect(ofGPS.fixes.map(\.time) == [Timestamp(text: Array("2026-03-02T\(utc)Z".utf8).span)])
    }

    @Test(arguments: ["2026-03-02T00:30:00+01:00", "2026-03-01T23:29:59Z", "2026-03-02 00:30:00"])
    func `a full time beside a date and a time of day in UTC changes nothing`(_ other: String) {
        let chunk = read("date,utc_time,timestamp,lat,lon\n2026-03-01,23:30:00,\(other),1,2\n", as: .csv)
        #expect(chunk.fixes.map(\.time) == [Timestamp(secondsSince1970: 1_772_407_800)])
    }

    @Test func `a local time counts where the best one has none and the row names the zone`() {
        let rows = "timezone,utc_time,time,lat,lon\n+01:00,,2026-03-01 11:00:00,1,2\n"
        #expect(Self.moments(rows) == [0])
    }

    @Test(arguments: ["1980-01-06T00:00:00Z", "1970-01-01T00:00:00Z"])
    func `a time of an unset clock gives way to another one that names its zone`(_ time: String) {
        #expect(Self.moments("time,timestamp,lat,lon\n\(time),2026-03-01T10:00:00Z,1,2\n") == [0])
    }

    @Test func `an epoch comes before created_at where there is no other time`() {
        #expect(Self.moments("created_at,epoch,lat,lon\n2026-03-01 11:00:00,1772359200,1,2\n") == [0])
    }

    @Test func `a time of day that is no local time changes no date`() {
        #expect(Self.moments("date,utc_time,time,lat,lon\n2026-03-01,15:00:00,00:05:10,1,2\n") == [18_000_000])
    }

    @Test(arguments: ["No Fix Yet", "no-fix", "GPS_FIX_NO_FIX", "No GPS fix", "not fixed", "Fix not available"])
    func `words for no fix are known in any spelling`(_ word: String) {
        #expect(Self.table("fix", word).fixes.isEmpty)
    }

    @Test func `W and V have their meaning in the columns of GPS Visualizer and NMEA alone`() {
        #expect(Self.table("status", "W", "A", "V").latitudes == [1, 2])
        #expect(read("type,time,lat,lon\nV,2026-03-01T10:00:00Z,1,2\n", as: .csv).latitudes == [1])
    }

    @Test(arguments: ["velocity (km/h)", "kph", "km/h", "velocity_kmh", "Ground Speed (km/h)"])
    func `a speed has its unit under other names, too`(_ name: String) {
        #expect(Self.table(name, "36").fixes.map(\.speed) == [10])
    }

    @Test func `a height above the sea has that name in Movebank's tables and in AirData's`() {
        #expect(Self.table("height-above-msl", "34.5").fixes.map(\.altitude) == [34.5])
        #expect(Self.table("altitude_above_seaLevel(feet)", "100").fixes.map(\.altitude) == [30.48])
    }

    @Test func `a column of local times without a zone is reported, and one with a zone is not`() {
        let row = "2026-03-01 11:00:00,1,2"
        let chunk = read("Local Time,lat,lon\n\(row)\n", as: .csv)
        #expect(chunk.latitudes == [1])
        #expect(chunk.problems.map(\.line) == [1])
        #expect(read("Local Time,lat,lon,zone\n\(row),+01:00\n", as: .csv).problems.isEmpty)
        #expect(read("Local Time,UTC Time,lat,lon\n2026-03-01 11:00:00,\(row)\n", as: .csv).problems.isEmpty)
    }

    // MARK: Dawarich and Colota

    @Test(arguments: [("inrids", [Fix.Mode?.none]), ("other", [])])
    func `the mode of OwnTracks' app in an export of Dawarich is not the fix's`(_ name: String, _ modes: [Fix.Mode?]) {
        let place = #""type":"Feature","geometry":{"type":"Point","coordinates":[2,1]}"#
        let text = #"{\#(place),"properties":{"timestamp":1772359200,"mode":1,"\#(name)":[]}}"#
        #expect(read(text + "\n", as: .ndjson).fixes.map(\.mode) == modes)
    }

    /// The app's other templates have no kind of message.
    @Test func `a message with Colota's members alone has its speed in metres a second`() {
        let text = #"{"lat":48.1,"lon":11.5,"acc":12,"vel":10.0,"batt":85,"bs":1,"tst":1772359200}"#
        #expect(read(text + "\n", as: .ndjson).fixes.map(\.speed) == [10])
    }

    /// The app writes its messages as OwnTracks does, but for the name of the course and the unit of the speed.
    @Test func `a message with Colota's course has its speed in metres a second`() {
        let text = #"{"_type":"location","lat":1,"lon":2,"tst":1772359200,"vel":13.5,"bear":180.5}"#
        let chunk = read(text + "\n", as: .ndjson)
        #expect(chunk.fixes.map(\.speed) == [13.5])
        #expect(chunk.fixes.map(\.course) == [180.5])
    }

    @Test(arguments: [("", 10.0), (#","conn":"w""#, 36 / 3.6 / 3.6), (#","topic":"owntracks/a/b""#, 36 / 3.6 / 3.6)])
    func `a message with Colota's members has its speed in metres a second`(_ members: String, _ speed: Double) throws {
        let message = #""acc":5,"batt":85,"bs":1,"tst":1772359200,"vel":10,"_type":"location"\#(members)"#
        let place = #""type":"Feature","geometry":{"type":"Point","coordinates":[2,1]}"#
        for text in [#"{"lat":1,"lon":2,\#(message)}"#, #"{\#(place),"properties":{\#(message)}}"#] {
            let found = try #require(read(text + "\n", as: .ndjson).fixes.first?.speed)
            #expect(abs(found - speed) < 1e-9)
        }
    }
}
