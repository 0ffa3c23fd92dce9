import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// GeoJSON lines with a time for each place, and properties beside the geometry.
@Suite struct TimedLineTests {
    private static let times = #"["2026-03-01T10:00:00Z","2026-03-01T10:00:01Z","2026-03-01T10:00:02"]"#
    private static let places = "[[2,1,40],[2,2,41],[2,3]]"

    private static func feature(
        _ places: String, type: String = "LineString", properties: String, isGeometryFirst: Bool = true
    ) -> String {
        let geometry = #""geometry":{"type":"\#(type)","coordinates":\#(places)}"#
        let parts = isGeometryFirst ? [geometry, properties] : [properties, geometry]
        return #"{"type":"Feature",\#(parts.joined(separator: ","))}"#
    }

    private static let layouts = [
        #""properties":{"time":"2020-01-01T00:00:00Z","coordTimes":\#(times)}"#,
        #""properties":{"coordinateProperties":{"heart":[1,2,3],"times":\#(times)}}"#,
        #""properties":{"coordTimes":["1772359200",1772359201,1772359202000]}"#,
    ]

    @Test(arguments: layouts, [true, false])
    func `each place of a line has its time`(_ properties: String, _ isGeometryFirst: Bool) {
        let text = Self.feature(Self.places, properties: properties, isGeometryFirst: isGeometryFirst)
        let chunk = read(text, as: .geojson)
        #expect(chunk.latitudes == [1, 2, 3])
        #expect(chunk.fixes.map { $0.time.secondsSince1970 - 1_772_359_200 } == [0, 1, 2])
        #expect(chunk.fixes.map(\.altitude) == [40, 41, nil])
        #expect(chunk.problemTexts == [])
    }

    @Test func `a fourth number of a position is its time`() {
        let places = "[[2,1,40,1772359200],[2,2,41,1772359201000]]"
        let line = read(Self.feature(places, properties: #""properties":null"#), as: .geojson)
        #expect(line.fixes.map { $0.time.secondsSince1970 - 1_772_359_200 } == [0, 1])
        let point = Self.feature("[2,1,40,1772359200]", type: "Point", properties: #""properties":{}"#)
        #expect(read(point, as: .geojson).fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00Z")])
        let measure = read(Self.feature("[[2,1,40,0],[2,2,41,1]]", properties: #""properties":null"#), as: .geojson)
        #expect(measure.fixes.isEmpty)
        #expect(measure.problems.count == 1)
    }

    @Test func `the lines of a MultiLineString have their times in the same shape`() {
        let places = "[[[2,1],[2,2]],[[2,3]]]"
        func chunk(_ times: String) -> TrackChunk {
            let properties = #""properties":{"coordTimes":\#(times)}"#
            return read(Self.feature(places, type: "MultiLineString", properties: properties), as: .geojson)
        }
        #expect(chunk("[[1772359200,1772359201],[1772359202]]").latitudes == [1, 2, 3])
        for times in ["[[1772359200],[1772359201,1772359202]]", "[1772359200,1772359201,1772359202]", "[]"] {
            expectMessages(chunk(times).problemTexts, begin: ["incomplete 1"])
        }
    }

    @Test(arguments: [
        (#"["2026-03-01T10:00:00Z"]"#, 0), (#"["2026-03-01T10:00:00Z",null,"x"]"#, 1),
        (#""2026-03-01T10:00:00Z""#, 0),
    ])
    func `a line that lacks times is reported`(_ times: String, _ count: Int) {
        let chunk = read(Self.feature(Self.places, properties: #""properties":{"coordTimes":\#(times)}"#), as: .geojson)
        #expect(chunk.fixes.count == count)
        expectMessages(chunk.problemTexts, begin: ["incomplete 1"], as: "times \(times)")
    }

    @Test func `a line of a day is one object`() {
        let places = (0..<30_000).map { "[2.000001,\(Double($0) / 1000),40.1]" }.joined(separator: ",")
        let times = (0..<30_000).map { "\"\(Timestamp(secondsSince1970: 1_772_359_200 + Int64($0)).rfc3339())\"" }
        let properties = #""properties":{"coordTimes":[\#(times.joined(separator: ","))]}"#
        let chunk = TrackFormat.geojson.read(Array(Self.feature("[\(places)]", properties: properties).utf8))
        #expect(chunk.fixes.count == 30_000)
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: [
        #"{"latitude":"52.5","longitude":"13.5","timestamp":1772359200,"altitude":40,"velocity":"0"}"#,
        #"{"latitude":52.5,"longitude":13.5,"timestamp":"1772359200"}"#,
        #"{"latitude":null,"lat":"x","lon":7,"timestamp":1772359200}"#,
        #"{"time":"x","timestamp":"2026-03-01T10:00:00"}"#,
        #"{"timestamp":1772359200,"time":null}"#,
    ])
    func `nothing in the properties replaces the geometry or a time that is one`(_ properties: String) {
        let chunk = read(
            Self.feature("[2,1]", type: "Point", properties: #""properties":\#(properties)"#), as: .geojson)
        #expect(chunk.fixes.map(\.coordinate) == [Coordinate(latitude: 1, longitude: 2)])
        #expect(chunk.fixes.map(\.time) == [Timestamp("2026-03-01T10:00:00Z")])
        #expect(chunk.fixes.map(\.speed) == [nil])
    }

    @Test func `numbers may be texts`() {
        let text =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":["2.5","1.5","40"]},"#
            + #""properties":{"timestamp":"1772359200.25","speed":"1.5","accuracy":"8"}}"#
        let fix = read(text, as: .geojson).fixes.first
        #expect(fix?.coordinate == Coordinate(latitude: 1.5, longitude: 2.5))
        #expect(fix?.altitude == 40)
        #expect(fix?.speed == 1.5)
        #expect(fix?.horizontalAccuracy == 8)
        #expect(fix?.time == Timestamp("2026-03-01T10:00:00.25Z"))
    }

    @Test func `a text of seconds since the beginning of a recording is no time`() {
        let text = Self.feature("[2,1]", type: "Point", properties: #""properties":{"timestamp":"12"}"#)
        expectMessages(read(text, as: .geojson).problemTexts, begin: ["malformed 1"])
    }

    @Test func `OwnTracks Recorder's lines are read, and its other messages are not positions`() {
        let text = """
            2026-03-01T10:00:00Z\t*                 \t{"_type":"location","lat":1,"lon":2,"tst":1772359200,"acc":8,"vel":36,"cog":90}
            2026-03-01T10:00:01Z\tlwt               \t{"_type":"lwt","tst":1772359201}
            2026-03-01T10:00:02Z\t*                 \t{"_type":"transition","lat":9,"lon":2,"tst":1772359202,"event":"enter"}
            2026-03-01T10:00:03Z\t*                 \t{"_type":"location","lat":3,"lon":2,"tst":1772359203,"alt":40,"vac":3}

            """
        let chunk = read(text, as: .ndjson)
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.fixes.map(\.speed) == [10, nil])
        #expect(chunk.fixes.map(\.altitude) == [nil, 40])
        #expect(chunk.problems.map(\.line) == [2, 3])
        #expect(TrackFormat(sample: Array(text.utf8).span) == .ndjson)
    }

    @Test func `an encrypted line of OwnTracks Recorder is named as what may be a lost location`() {
        let text = """
            2026-03-01T10:00:00Z\tlwt               \t{"_type":"lwt","tst":1772359200}
            2026-03-01T10:00:01Z\t*                 \t{"_type":"encrypted","data":"c2VjcmV0"}
            2026-03-01T10:00:02Z\t*                 \t{"_type":"location","lat":3,"lon":2,"tst":1772359202}

            """
        let chunk = read(text, as: .ndjson)
        #expect(chunk.latitudes == [3])
        #expect(chunk.problems.map(\.kind) == [.incomplete, .incomplete])
        #expect(chunk.problems.map(\.line) == [1, 2])
        #expect(chunk.problems.map { $0.message.contains("encrypted") } == [false, true])
        #expect(!chunk.problems.contains { $0.message.contains("visit") })
    }

    @Test(arguments: ["[13.4]", "[\"\",52.5]", "[null,52.5]"])
    func `an axis that the geometry lacks is not in the properties`(_ coordinates: String) {
        let text =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(coordinates)},"#
            + #""properties":{"timestamp":"2026-03-01T10:00:00Z","latitude":48,"longitude":11}}"# + "\n"
        let chunk = read(text, as: .geojson)
        #expect(chunk.fixes.isEmpty && chunk.problems.count == 1)
    }

    @Test func `times are in a moving geometry and under the name that a server gives them, too`() {
        let moving =
            #"{"type":"Feature","temporalGeometry":{"type":"MovingPoint","datetimes":\#(Self.times),"#
            + #""coordinates":\#(Self.places),"interpolation":"Linear"},"properties":{"name":"a"}}"#
        let numbers = #""properties":{"linestringTimestamps":[1772359200000,1772359201000,1772359202000]}"#
        for text in [moving, Self.feature(Self.places, properties: numbers)] {
            let chunk = read(text, as: .geojson)
            #expect(chunk.latitudes == [1, 2, 3])
            #expect(chunk.fixes.map { $0.time.secondsSince1970 - 1_772_359_200 } == [0, 1, 2])
            #expect(chunk.problemTexts == [])
        }
    }

    @Test(arguments: ["recorded_at", "recordedAt"])
    func `a point may have the time of its recording`(_ name: String) {
        let text =
            #"{"type":"Feature","properties":{"\#(name)":"2026-03-01T10:00:00Z"},"#
            + #""geometry":{"type":"Point","coordinates":[2,1]}}"#
        #expect(read(text, as: .geojson).latitudes == [1])
    }
}
