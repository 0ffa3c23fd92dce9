import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct GPXWriterTests {
    @Test func `a document with all there is and one with nothing but place and time`() {
        let document = SampleRecords.document(.gpx, [SampleRecords.full, SampleRecords.bare])
        #expect(
            document.split(separator: "\n").dropFirst(2).joined(separator: "\n") == """
                <trk><name>van, &quot;7&quot; &lt;&amp;&gt;</name><trkseg>
                <trkpt lat="52.52" lon="-13.405"><ele>34.5</ele><time>2026-03-01T10:00:00.120Z</time>\
                <geoidheight>39.75</geoidheight><fix>3d</fix><sat>10</sat><hdop>0.9</hdop><pdop>1.6</pdop>\
                <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>10</gpxtpx:speed>\
                <gpxtpx:course>271.25</gpxtpx:course></gpxtpx:TrackPointExtension>\
                <te:accuracy>4.895</te:accuracy><te:verticalAccuracy>3.92</te:verticalAccuracy>\
                <te:id>00000000-0000-0000-0000-000000000001</te:id><te:event>motionchange</te:event>\
                </extensions></trkpt>
                </trkseg></trk>
                <trk><name>gpsd</name><trkseg>
                <trkpt lat="-0.0005" lon="179.999999999"><time>2026-03-01T10:00:01.120Z</time>\
                <extensions><te:id>00000000-0000-0000-0000-000000000002</te:id></extensions></trkpt>
                </trkseg></trk>
                </gpx>
                """)
    }

    @Test func `the root element declares version 1.1 and every prefix`() {
        let root = SampleRecords.document(.gpx, []).split(separator: "\n")[1]
        #expect(root.hasPrefix(#"<gpx version="1.1" creator="trackd" xmlns="http://www.topografix.com/GPX/1/1" "#))
        #expect(root.contains(#"xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2""#))
        #expect(root.contains(#"xmlns:te=""#))
    }

    @Test func `a real parser reads back the name and the points`() {
        let document = XMLDocument(SampleRecords.document(.gpx, [SampleRecords.full, SampleRecords.bare]))
        #expect(document.texts["name"] == ["van, \"7\" <&>", "gpsd"])
        #expect(document.texts["time"] == ["2026-03-01T10:00:00.120Z", "2026-03-01T10:00:01.120Z"])
    }

    @Test func `a document without records is well-formed`() {
        #expect(XMLDocument(SampleRecords.document(.gpx, [])).elements == ["gpx"])
    }

    @Test func `trips are segments and sources are tracks`() {
        let start = SampleRecords.start
        let document = XMLDocument(
            SampleRecords.document(
                .gpx,
                [
                    SampleRecords.record(1), SampleRecords.record(2, at: start.advanced(by: .seconds(10))),
                    SampleRecords.record(3, at: start.advanced(by: .seconds(1_000))),
                    SampleRecords.record(4, at: start, source: "other"),
                ]))
        #expect(document.count(of: "trk") == 2)
        #expect(document.count(of: "trkseg") == 3)
        #expect(document.count(of: "trkpt") == 4)
    }

    @Test(arguments: [
        (Fix.Status.differential, "dgps"), (.rtkFixed, "dgps"), (.rtkFloat, "dgps"), (.precise, "pps"), (.normal, "2d"),
    ])
    func `the kind of fix is a word of the schema`(status: Fix.Status, word: String) {
        let fix = Fix(
            time: SampleRecords.start, coordinate: Coordinate(latitude: 1, longitude: 2), mode: .twoDimensional,
            status: status)
        let record = RecordDraft(id: RecordID(rawValue: 1), fix: fix, isMoving: true, cause: .first, source: "s")
        #expect(XMLDocument(SampleRecords.document(.gpx, [record])).texts["fix"] == [word])
    }
}
