import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct KMLWriterTests {
    @Test func `a document of two points`() {
        let document = SampleRecords.document(
            .kml,
            [
                SampleRecords.full,
                SampleRecords.record(2, at: SampleRecords.start.advanced(by: .seconds(2)), source: "van, \"7\" <&>"),
            ])
        #expect(
            document == """
                <?xml version="1.0" encoding="UTF-8"?>
                <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
                <Document><name>trackd</name>
                <Placemark><name>van, &quot;7&quot; &lt;&amp;&gt;</name>\
                <gx:MultiTrack><gx:interpolate>1</gx:interpolate>
                <gx:Track><altitudeMode>clampToGround</altitudeMode>
                <when>2026-03-01T10:00:00.120Z</when>
                <when>2026-03-01T10:00:02.120Z</when>
                <gx:coord>-13.405 52.52 34.5</gx:coord>
                <gx:coord>13.405 52.52 0</gx:coord>
                </gx:Track>
                </gx:MultiTrack></Placemark>
                </Document>
                </kml>

                """)
    }

    @Test func `a document without records is well-formed`() {
        #expect(XMLDocument(SampleRecords.document(.kml, [])).elements == ["kml", "Document", "name"])
    }

    @Test func `a long trip comes in pieces that touch, and no piece keeps more than 256 points`() {
        let records = (0..<600).map {
            SampleRecords.record($0, at: SampleRecords.start.advanced(by: .seconds($0)), latitude: Double($0) / 100)
        }
        let document = XMLDocument(SampleRecords.document(.kml, records))
        #expect(document.count(of: "Placemark") == 1)
        #expect(document.count(of: "gx:Track") == 3)  // 256 + 255 new + 89 new
        #expect(document.count(of: "when") == 602)
        #expect(document.count(of: "gx:coord") == 602)
        let places = document.texts["gx:coord"] ?? []
        #expect(places[255] == places[256])
        #expect(places[511] == places[512])
    }

    @Test func `each trip is a placemark`() {
        let start = SampleRecords.start
        let records = [
            SampleRecords.record(1), SampleRecords.record(2, at: start.advanced(by: .seconds(1_000))),
            SampleRecords.record(3, at: start, source: "other"),
        ]
        let document = XMLDocument(SampleRecords.document(.kml, records))
        #expect(document.texts["name"] == ["trackd", "gpsd", "gpsd", "other"])
    }
}
