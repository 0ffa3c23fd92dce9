import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Placemarks of KML with a span of time, with several times or places, and without any.
@Suite struct KMLSpanTests {
    private static let span =
        "<TimeSpan><begin>2026-03-01T08:00:00Z</begin><end>2026-03-01T09:00:00Z</end></TimeSpan>"

    private static func point(_ latitude: Int) -> String { "<Point><coordinates>2,\(latitude),0</coordinates></Point>" }

    private static func read(_ placemarks: String...) -> TrackChunk {
        let body = placemarks.map { "<Placemark>\($0)</Placemark>\n" }.joined()
        return FormatsTests.read("<kml><Document>\n\(body)</Document></kml>\n", as: .kml)
    }

    @Test(arguments: [span + point(1), point(1) + span])
    func `a point with a span was there at its begin`(_ placemark: String) {
        let chunk = Self.read(placemark)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T08:00:00Z")])
        #expect(chunk.latitudes == [1])
        #expect(chunk.problemTexts == [])
    }

    @Test func `of a line with a span the first place has a time, and the others are reported`() {
        let places = (1...200).map { "2.000000,\($0 / 10).5,0" }.joined(separator: " ")
        let chunk = Self.read("<LineString><coordinates>\(places)</coordinates></LineString>" + Self.span)
        #expect(chunk.latitudes == [0.5])
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T08:00:00Z")])
        expectMessages(chunk.problemTexts, begin: ["incomplete 2: LineString"])
    }

    private static let stamp = "<TimeStamp><when>2026-03-01T10:00:00Z</when></TimeStamp>"
    private static let line = "<LineString><coordinates>2,1,0 2,2,0</coordinates></LineString>"

    @Test(arguments: [stamp + line, line + stamp])
    func `where an object was on a line at its time nobody knows, and that is reported`(_ placemark: String) {
        let chunk = Self.read(placemark, Self.stamp + Self.point(3))
        #expect(chunk.latitudes == [3])
        expectMessages(chunk.problemTexts, begin: ["incomplete 2: LineString"])
    }

    @Test func `a line beside a point, with an empty time or with a wrong one is reported`() {
        let wrong = "<TimeStamp><when>yesterday</when></TimeStamp>"
        let chunk = Self.read(
            Self.stamp + "<MultiGeometry>\(Self.point(1))\(Self.line)</MultiGeometry>", wrong + Self.line,
            "<TimeStamp><when/></TimeStamp>" + Self.line, Self.line)
        #expect(chunk.latitudes == [1])
        #expect(chunk.problems.map(\.kind) == [.incomplete, .malformed, .incomplete])
        #expect(chunk.problems.map(\.line) == [2, 3, 6])
    }

    @Test func `a time stamp counts before a span, and a view's time never`() {
        let stamp = "<TimeStamp><when>2026-03-01T10:00:00Z</when></TimeStamp>"
        let view = "<LookAt><gx:TimeStamp><when>2001-01-01T00:00:00Z</when></gx:TimeStamp></LookAt>"
        for placemark in [Self.span + stamp + Self.point(1), stamp + Self.span + view + Self.point(1)] {
            let chunk = Self.read(placemark)
            #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00Z")])
            #expect(chunk.problemTexts == [])
        }
    }

    @Test func `of several points at one time none counts, and that is reported`() {
        let both = "<MultiGeometry>\(Self.point(1))\(Self.point(2))</MultiGeometry>"
        let chunk = Self.read(Self.span + both, Self.span + Self.point(3))
        #expect(chunk.latitudes == [3])
        expectMessages(chunk.problemTexts, begin: ["incomplete 2: Placemark"])
    }

    @Test func `points without a time are reported together`() {
        let chunk = Self.read(Self.point(1), Self.span + Self.point(2), Self.point(3))
        #expect(chunk.latitudes == [2])
        expectMessages(chunk.problemTexts, begin: ["incomplete 5"])
    }

    @Test func `a date alone begins with the day`() {
        let chunk = Self.read("<TimeSpan><begin>2026-03-01</begin><end>2026-03-02</end></TimeSpan>" + Self.point(1))
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T00:00:00Z")])
        #expect(chunk.problemTexts == [])
    }

    private static let end = "<TimeSpan><end>2026-03-01T09:00:00Z</end></TimeSpan>"

    @Test(arguments: [end + point(1), point(1) + end, point(1) + "<TimeSpan><begin/>" + end.dropFirst(10)])
    func `a point with the end of a span alone was there until then`(_ placemark: String) {
        let chunk = Self.read(placemark)
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T09:00:00Z")])
        #expect(chunk.problemTexts == [])
    }

    @Test func `the first place of a line is not the one at the end of its span`() {
        let chunk = Self.read(Self.end + Self.line, Self.end + Self.point(3))
        #expect(chunk.latitudes == [3])
        expectMessages(chunk.problemTexts, begin: ["incomplete 2: LineString"])
    }

    @Test func `the end of a span is not its damaged begin`() {
        let span = Self.span.replacing("</begin>", with: "/begin>")
        let chunk = Self.read(span + Self.point(1), Self.span + Self.point(2))
        #expect(chunk.latitudes == [2])
    }

    @Test func `the date of an end alone is a whole day, and reported`() {
        let chunk = Self.read("<TimeSpan><end>2026-03-01</end></TimeSpan>" + Self.point(1), Self.span + Self.point(2))
        #expect(chunk.latitudes == [2])
        expectMessages(chunk.problemTexts, begin: ["malformed 2"])
    }
}
