import TestSupport
import Testing
import TrackEngine
import TrackEngineReplay

@Suite("Formats are found out")
struct DetectionTests {
    private static let gga = sentence("GPGGA,101530,4807.038,N,01131.000,E,1,08,0.9,,M,,M,,")

    @Test(
        "by content, whatever the name",
        arguments: [
            ("# log\n\n" + gga, ReplayFormat.nmea), ("12:00:00 " + gga, .nmea), ("\u{1}\u{2}\u{3}" + gga, .nmea),
            ("\\s:x*00\\" + gga, .nmea), ("\u{feff}<?xml version=\"1.0\"?><gpx></gpx>", .gpx),
            (#"{"class":"VERSION","release":"3.22"}"#, .gpsd), (#"{"locations":[]}"#, .geojson), ("[]", .geojson),
            (#"{"id":"A","coords":{"latitude":1}}"#, .calmgeo), ("time;lat;lon\n", .csv),
            ("<?xml version=\"1.0\"?><kml></kml>", .kml),
            ("<TrainingCenterDatabase></TrainingCenterDatabase>", .tcx),
            ("<gpx xmlns:t=\"http://example.org/TrainingCenterDatabase/v2\"></gpx>", .gpx),
            ("Made by a logger\nFormat,3\n\ntimestamp,lat,lon\n", .csv), (#"{"semanticSegments":[]}"#, .geojson),
            ("2026-03-01T10:00:00Z\t*  \t{\"_type\":\"location\"}\n", .calmgeo), ("<k:kml xmlns:k=\"x\"/>", .kml),
        ])
    func content(_ text: String, _ format: ReplayFormat) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/file.xyz"
            try write(Array(text.utf8), to: path)
            let file = try ReplayFile(path: path)
            _ = try file.next()
            #expect(file.format == format)
        }
    }

    @Test(
        "by name where the content says nothing",
        arguments: [
            ("a.nmea", ReplayFormat.nmea), ("a.gpx", .gpx), ("a.gpsd", .gpsd), ("a.GeoJSON", .geojson),
            ("a.ndjson", .calmgeo), ("a.tsv", .csv), ("a.kml.gz", .kml), ("a.tcx", .tcx), ("a.rec", .calmgeo),
        ])
    func name(_ name: String, _ format: ReplayFormat) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array("hello".utf8), to: directory + "/" + name)
            let file = try ReplayFile(path: directory + "/" + name)
            _ = try file.next()
            #expect(file.format == format)
        }
    }

    @Test("what is no format at all is refused with the names of those that are")
    func unknown() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array("hello".utf8), to: directory + "/x")
            let error = #expect(throws: ReplayError.self) { try ReplayFile(path: directory + "/x").next() }
            let expectation = "/x: expected one of the formats nmea, gpx, gpsd, geojson, calmgeo, csv, kml, tcx"
            #expect(error?.description.hasSuffix(expectation) == true)
        }
    }

    @Test(
        "formats have names for people",
        arguments: [
            ("nmea", ReplayFormat.nmea), ("GPX", .gpx), ("overland", .geojson), ("ndjson", .calmgeo),
            ("calmgeo", .calmgeo), ("kml", .kml),
        ])
    func names(_ name: String, _ format: ReplayFormat) {
        #expect(ReplayFormat(name: name) == format)
        #expect(ReplayFormat(name: "xml") == nil)
    }
}
