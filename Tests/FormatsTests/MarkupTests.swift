import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// What XML allows, in the two formats that are XML: the same point, however it is written.
@Suite struct MarkupTests {
    private static let time = "2026-03-01T10:00:00Z"

    private static func check(_ text: String, as format: TrackFormat) {
        let chunk = read(text, as: format)
        #expect(chunk.problemTexts == [], "\(text)")
        #expect(chunk.fixes.map(\.time) == [Timestamp(time)], "\(text)")
        #expect(chunk.fixes.map(\.coordinate) == [Coordinate(latitude: 1, longitude: 2)], "\(text)")
    }

    @Test(arguments: [
        "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>T</time></trkpt></trkseg></trk></gpx>",
        "<gpx><trk><trkseg><trkpt\n\tlon = \"2\"\r\n  lat\n=\n'1' ><time >\n T \n</time\n></trkpt ></trkseg></trk></gpx>",
        "<a:gpx xmlns:a='x'><a:trk><a:trkseg><a:trkpt lat='1' lon='2'><a:time>T</a:time></a:trkpt></a:trkseg></a:trk></a:gpx>",
        "<?xml version='1.0'?><?style a?b?><gpx><trkpt lat='&#49;' lon='&#x32;'><time>T</time></trkpt></gpx><!-- end -->",
        "<gpx><!-- <trkpt lat='9' lon='9'> --><trkpt lat='1' lon='2'><time><!-- a -->T<!----></time></trkpt></gpx>",
        "<gpx><trkpt lat='1' lon='2'><time><![CDATA[T]]></time><desc><![CDATA[</trkpt>]]></desc></trkpt></gpx>",
        "<gpx><trkpt lat='1' lon='2'><name>&lt;time&gt;x&lt;/time&gt; &amp;amp; &quot;&apos;</name><time>T</time></trkpt></gpx>",
        "<!DOCTYPE gpx [<!ELEMENT a (b)><!ENTITY c '<trkpt>'>]><gpx><trkpt lat='1' lon='2'><time>T</time></trkpt></gpx>",
        "<gpx><trkpt lat='1' lon='2' xml:lang='de' a:lat2='7'><ele/><ele></ele><time>T</time><sat/></trkpt></gpx>",
        "<gpx><metadata><time>2001-01-01T00:00:00Z</time></metadata><trkpt lat='1' lon='2'><time>T</time></trkpt></gpx>",
        "<gpx><trkpt lat='1' lon='2'><link><time>x</time></link><time>T</time><a><b><c/></b></a></trkpt></gpx>",
    ])
    func `a track point of GPX is one in whatever way XML allows to write it`(_ text: String) {
        Self.check(
            text.replacing("T<", with: Self.time + "<").replacing("T]", with: Self.time + "]")
                .replacing(" T \n", with: " \(Self.time) \n"), as: .gpx)
    }

    @Test(arguments: [
        "<kml><gx:Track><when>T</when><gx:coord>2 1 0</gx:coord></gx:Track></kml>",
        "<kml><Track><when>\n T\n</when><coord>\n2 1\n</coord></Track></kml>",
        "<k:kml xmlns:k='x'><k:Track><k:when>T</k:when><k:coord>2.0 1e0</k:coord></k:Track></k:kml>",
        "<kml><Placemark><TimeStamp><when>T</when></TimeStamp><Point><coordinates> 2,1,0 </coordinates></Point></Placemark></kml>",
        "<kml><Placemark><Point><coordinates>2,1</coordinates></Point><TimeStamp><when>T</when></TimeStamp></Placemark></kml>",
        "<kml><Placemark><!-- a --><Point><coordinates><![CDATA[2,1]]></coordinates></Point><TimeStamp><when>T</when></TimeStamp></Placemark></kml>",
        "<kml><Placemark><LineString><coordinates>9,9 8,8</coordinates></LineString></Placemark>"
            + "<gx:Track><when>T</when><gx:coord>2 1 0</gx:coord></gx:Track></kml>",
        "<kml><Placemark><name>9,9</name></Placemark>"
            + "<gx:Track><when>T</when><gx:coord>2 1 0</gx:coord></gx:Track></kml>",
        "<kml><gx:MultiTrack><gx:Track><when>T</when><gx:coord>2 1 0</gx:coord></gx:Track>"
            + "<gx:Track><when>T</when><gx:coord>2 1 0</gx:coord></gx:Track></gx:MultiTrack></kml>",
    ])
    func `a point of KML is one in whatever way XML allows to write it`(_ text: String) {
        Self.check(text.replacing("T<", with: Self.time + "<").replacing("T\n", with: Self.time + "\n"), as: .kml)
    }

    @Test(
        arguments: [
            ("clampToGround", "12.5", 12.5), ("clampToGround", "0", nil), ("absolute", "0", 0),
            ("absolute", "-430", -430),
            ("relativeToGround", "5", nil), ("relativeToSeaFloor", "5", nil),
        ] as [(String, String, Double?)])
    func `a height of KML is one above the sea where its mode says so`(
        _ mode: String, _ height: String, _ altitude: Double?
    ) {
        let track =
            "<gx:Track><altitudeMode>\(mode)</altitudeMode><when>\(Self.time)</when><gx:coord>2 1 \(height)</gx:coord></gx:Track>"
        let point =
            "<Placemark><TimeStamp><when>\(Self.time)</when></TimeStamp><Point><altitudeMode>\(mode)</altitudeMode>"
            + "<coordinates>2,1,\(height)</coordinates></Point></Placemark>"
        for text in [track, point] {
            #expect(read("<kml>\(text)</kml>", as: .kml).fixes.map(\.altitude) == [altitude])
        }
    }

    @Test func `a tag that is cut costs its own point, and the tag behind it is read`() {
        let point = "<trkpt lat='9' lon='2'><time>\(Self.time)</time></trkpt>"
        for end in 1..<point.count {
            let text = "<gpx>\(point.prefix(end))\(point.replacing("9", with: "1"))</gpx>"
            let chunk = TrackFormat.gpx.read(Array(text.utf8))
            #expect(chunk.latitudes.contains(1), "cut at \(end): \(chunk.problemTexts)")
            #expect(!chunk.problems.isEmpty, "cut at \(end)")
        }
    }

    @Test func `a time of a placemark that is none is reported, and of one without a place nothing is said`() {
        let point = "<Point><coordinates>2,1</coordinates></Point>"
        let text =
            "<kml>\n<Placemark><TimeStamp><when>2026</when></TimeStamp>\(point)</Placemark>\n"
            + "<Placemark><TimeStamp><when>2026-03</when></TimeStamp></Placemark>\n"
            + "<Placemark><TimeStamp><when/></TimeStamp>\(point)</Placemark>\n"
            + "<Placemark>\(point)<TimeStamp><when>\(Self.time)</when></TimeStamp></Placemark>\n</kml>"
        let chunk = read(text, as: .kml)
        #expect(chunk.latitudes == [1])
        expectMessages(chunk.problemTexts, begin: ["malformed 2: when", "incomplete 6"])
    }

    @Test(arguments: [TrackFormat.gpx, .kml])
    func `depths, names and texts of any length do no harm`(_ format: TrackFormat) {
        let text = PointDocument.text(format, Point.numbered(3))
        let place = format == .gpx ? "<trkseg>" : "<Document>"
        let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
        let long = "<note b='\(String(repeating: "x", count: 5000))'>\(String(repeating: "y", count: 5000))</note>"
        let name = "<\(String(repeating: "n", count: 128))/>"
        for odd in [deep, long, name] {
            let chunk = read(text.replacing(place, with: place + odd), as: format)
            #expect(chunk.latitudes == [1, 2, 3])
            #expect(chunk.problemTexts == [])
        }
    }
}
