import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("Formats are found out")
struct DetectionTests {
    private static let gga = sentence("GPGGA,101530,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,")

    /// What gpsd says before the first sentence.
    private static let greeting =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
        + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"# + "\r\n"
        + #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0,"scaled":false}"# + "\r\n"

    @Test(
        arguments: [
            ("# log\n\n" + gga, ReplayFormat.nmea), ("12:00:00 " + gga, .nmea), ("\u{1}\u{2}\u{3}" + gga, .nmea),
            ("[10:00:00.123] " + gga, .nmea), ("<13>Mar  1 10:00:00 gps: " + gga, .nmea), ("{gps} " + gga, .nmea),
            (#"{"type":"Feature","properties":{"nmea":"\#(gga.prefix(20))"}}"#, .geojson),
            ("<gpx><wpt><desc>" + gga.prefix(20) + "</desc></wpt></gpx>", .gpx),
            ("\\s:x*00\\" + gga, .nmea), ("\u{feff}<?xml version=\"1.0\"?><gpx></gpx>", .gpx),
            (#"{"class":"VERSION","release":"3.22"}"#, .gpsd),
            (greeting + gga, .nmea), ("2026-03-01 10:00:00: " + greeting + "2026-03-01 10:00:00: " + gga, .nmea),
            (greeting, .nmea), (#"{"class":"VERSION"}"# + "\n" + gga, .nmea),
            (greeting.replacing(#""json":false"#, with: #""json":true"#) + gga, .gpsd),
            (#"2026-03-01 10:00:00: {"class":"VERSION","release":"3.22"}"#, .gpsd), (#"{"locations":[]}"#, .geojson),
            ("[]", .geojson),
            (#"{"id":"A","coords":{"latitude":1}}"#, .calmgeo), ("time;lat;lon\n", .csv),
            ("<?xml version=\"1.0\"?><kml></kml>", .kml),
            ("<TrainingCenterDatabase></TrainingCenterDatabase>", .tcx),
            ("<gpx xmlns:t=\"http://example.org/TrainingCenterDatabase/v2\"></gpx>", .gpx),
            ("Made by a logger\nFormat,3\n\ntimestamp,lat,lon\n", .csv), (#"{"semanticSegments":[]}"#, .geojson),
            ("2026-03-01T10:00:00Z\t*  \t{\"_type\":\"location\"}\n", .calmgeo), ("<k:kml xmlns:k=\"x\"/>", .kml),
        ])
    func `by content, whatever the name`(_ text: String, _ format: ReplayFormat) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/file.xyz"
            try write(Array(text.utf8), to: path)
            let file = try ReplayFile(path: path)
            _ = try file.next()
            #expect(file.format == format)
        }
    }

    @Test
    func `sentences behind gpsd's greeting are read, and each line of the greeting is reported`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let rmc = sentence("GPRMC,101530,A,4807.038,N,01131.000,E,022.4,084.4,230324,003.1,W,A")
            for prefix in ["", "2026-03-01 10:00:00: "] {
                let lines = (Self.greeting + rmc + Self.greeting + Self.gga).split(separator: "\r\n")
                try write(Array(lines.map { prefix + $0 + "\r\n" }.joined().utf8), to: directory + "/log")
                let chunk = try replay(directory + "/log")
                #expect(chunk.fixes.count == 1)
                #expect(chunk.problems.map(\.line) == [1, 2, 3, 5, 6, 7])
            }
        }
    }

    @Test(
        arguments: [
            ("a.nmea", ReplayFormat.nmea), ("a.gpx", .gpx), ("a.gpsd", .gpsd), ("a.GeoJSON", .geojson),
            ("a.ndjson", .calmgeo), ("a.tsv", .csv), ("a.kml.gz", .kml), ("a.tcx", .tcx), ("a.rec", .calmgeo),
        ])
    func `by name where the content says nothing`(_ name: String, _ format: ReplayFormat) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array("hello".utf8), to: directory + "/" + name)
            let file = try ReplayFile(path: directory + "/" + name)
            _ = try file.next()
            #expect(file.format == format)
        }
    }

    @Test
    func `what is no format at all is refused with the names of those that are`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array("hello".utf8), to: directory + "/x")
            let error = #expect(throws: ReplayError.self) { try ReplayFile(path: directory + "/x").next() }
            expectMessage(error?.description, begin: directory + "/x", replacing: [directory: "FOLDER"])
        }
    }

    @Test(
        arguments: [
            ("nmea", ReplayFormat.nmea), ("GPX", .gpx), ("overland", .geojson), ("ndjson", .calmgeo),
            ("calmgeo", .calmgeo), ("kml", .kml),
        ])
    func `formats have names for people`(_ name: String, _ format: ReplayFormat) {
        #expect(ReplayFormat(name: name) == format)
        #expect(ReplayFormat(name: "xml") == nil)
    }
}
