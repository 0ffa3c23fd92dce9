import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("GeoJSON, Overland and CalmGeo")
struct GeoJSONTests {
    private func feature(_ latitude: Int, _ properties: String = "") -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.5,\#(latitude)]},"#
            + #""properties":{"timestamp":"2026-03-01T10:00:00Z"\#(properties)}}"#
    }

    @Test
    func `every property of an Overland location has its place`() throws {
        let properties =
            #","altitude":12,"speed":3.42,"course":181,"horizontal_accuracy":5,"vertical_accuracy":4,"#
            + #""speed_accuracy":0.51,"course_accuracy":12.25,"motion":["walking","driving"],"battery_level":0.63,"wifi":"\"{""#
        let text = #"{"locations":[\#(feature(53, properties))],"current":\#(feature(1)),"trip":{"features":3}}"#
        let chunk = decode(text, as: .geojson)
        #expect(chunk.problems.isEmpty)
        #expect(
            chunk.fixes == [
                Fix(
                    time: try #require(moment("2026-03-01T10:00:00Z")),
                    coordinate: Coordinate(latitude: 53, longitude: 9.5), altitude: 12, horizontalAccuracy: 5,
                    verticalAccuracy: 4, speed: 3.42, speedAccuracy: 0.51, course: 181, courseAccuracy: 12.25,
                    activity: .driving)
            ])
    }

    @Test
    func `what Overland writes for unknown is absent`() {
        let text = feature(
            1, #","altitude":0,"speed":-1,"course":-1,"horizontal_accuracy":-1,"vertical_accuracy":-1,"motion":[]"#)
        let fix = decode(text, as: .geojson).fixes.first
        #expect(fix != nil)
        #expect(fix?.altitude == nil)
        #expect(fix?.speed == nil)
        #expect(fix?.course == nil)
        #expect(fix?.horizontalAccuracy == nil)
        #expect(fix?.activity == nil)
        #expect(decode(feature(1, #","altitude":7,"vertical_accuracy":-1"#), as: .geojson).fixes.first?.altitude == 7)
    }

    @Test
    func `trips, visits and actions are passed over and counted`() {
        let text =
            #"{"locations":[\#(feature(1, #","action":"visit""#)),\#(feature(2, #","type":"trip","start_location":{"type":"Feature"}"#)),"#
            + #"{"type":"Feature","properties":{"timestamp":"2026-03-01T10:00:00Z","action":"will_terminate"}},\#(feature(3))]}"#
        let chunk = decode(text, as: .geojson)
        #expect(chunk.problems.map(\.kind) == [.incomplete, .incomplete, .incomplete])
        #expect(chunk.fixes.map(\.coordinate.latitude) == [3])
    }

    @Test(
        arguments: [
            #","battery_state":true,"deferred":"0","motion":"in_vehicle""#, #","motion":["automotive"],"wifi":null"#,
            #","motion":["unknown","driving"],"nested":{"a":[1,{"b":[]}]}"#,
        ])
    func `other senders' ways are survived`(_ properties: String) {
        #expect(decode(feature(1, properties), as: .geojson).fixes.map(\.activity) == [.driving])
    }

    @Test(
        arguments: [
            (#""2026-03-01T12:00:00.250+0200""#, "2026-03-01T10:00:00.250Z"),
            ("1772359200.25", "2026-03-01T10:00:00.250Z"),
            ("1772359200250", "2026-03-01T10:00:00.250Z"),
        ])
    func `times are texts, seconds or milliseconds`(_ written: String, _ expected: String) {
        let text =
            #"{"type":"Feature","properties":{"time":\#(written)},"geometry":{"type":"Point","coordinates":[1,2,3]}}"#
        let chunk = decode(text, as: .geojson)
        #expect(chunk.fixes.map(\.time) == [moment(expected)])
        #expect(chunk.fixes.map(\.altitude) == [3])
    }

    @Test(
        arguments: [
            #"{"type":"FeatureCollection","name":"[features]","features":[A,B,C],"bbox":[1,2]}"#, "[A,B,C]",
            "A\nB\r\nC\n",
            #"{"locations":[A,B]}"# + "\n" + #"{"locations":[C]}"#,
            "{\"type\":\"FeatureCollection\",\n\"features\": [\nA,\nB,\nC\n]\n}\n",
            "# a comment {\nA,B,C",
        ])
    func `collections, arrays, single features, a feature a line, a body a line`(_ shape: String) {
        let text = shape.replacing("A", with: feature(1)).replacing("B", with: feature(2)).replacing(
            "C", with: feature(3))
        // The word "Feature" holds no A, B or C in capitals, so nothing else was replaced.
        let chunk = decode(text, as: .geojson)
        #expect(chunk.problemTexts == [])
        #expect(chunk.fixes.map(\.coordinate.latitude) == [1, 2, 3])
    }

    @Test
    func `a cut record is reported once and the next line is read`() {
        for end in 1..<feature(1).count {
            let text = feature(1).prefix(end) + "\n" + feature(2) + "\n" + feature(3)
            let chunk = decode(String(text), as: .geojson)
            #expect(chunk.fixes.map(\.coordinate.latitude) == [2, 3], "cut at \(end)")
            expectMessages(chunk.problemTexts, begin: ["malformed 1"])
        }
    }

    @Test
    func `a file that ends too early is reported`() {
        let chunk = decode(#"{"locations":["# + feature(1) + "," + feature(2).prefix(40), as: .geojson)
        #expect(chunk.fixes.count == 1)
        expectMessages(chunk.problemTexts, begin: ["malformed 1"])
    }

    @Test(arguments: [100, 65_536, nil])
    func `an object beyond the bound is skipped`(_ pieces: Int?) {
        let large = feature(1, #","wifi":"\#(String(repeating: "x", count: 4_200_000))""#)
        let chunk = decode(Array(#"{"locations":[\#(large),\#(feature(2))]}"#.utf8), as: .geojson, pieces: pieces)
        expectMessages(chunk.problemTexts, begin: ["oversized 1"])
        #expect(chunk.fixes.map(\.coordinate.latitude) == [2])
    }

    @Test(
        arguments: [
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"timestamp":1}}"#,
            #"{"type":"Feature","geometry":null,"properties":{"timestamp":1}}"#, "{}",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":null}"#,
        ])
    func `shapes that are no points are incomplete`(_ text: String) {
        #expect(decode(text, as: .geojson).problems.map(\.kind) == [.incomplete])
    }

    @Test
    func `what the engine itself writes as CalmGeo records reads back the same`() throws {
        let fix = Fix(
            time: try #require(moment("2026-03-01T10:00:00.250Z")),
            coordinate: Coordinate(latitude: 53.123_456_789, longitude: -9.5), altitude: 12.5,
            ellipsoidalAltitude: 57.125, horizontalAccuracy: 8.5, speed: 1.25, course: 270, flags: .simulated)
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: fix, isMoving: true, event: .motionChange, cause: .first,
            source: "replay")
        var writer = JSONWriter()
        CalmGeoRecord.write(draft, to: &writer)
        writer.raw("\n")
        let chunk = decode(writer.bytes, as: .calmgeo)
        #expect(chunk.problems.isEmpty)
        #expect(chunk.fixes == [fix])
        let array = Array("[".utf8) + writer.bytes + Array("]".utf8)
        #expect(decode(array, as: .calmgeo).fixes == [fix])
    }

    @Test
    func `the record's own time counts, not the number that old versions put into its coordinates`() {
        let text =
            #"{"id":"x","timestamp":"2026-03-01T10:00:00Z","coords":{"latitude":1,"longitude":2,"timestamp":7.5e8},"activity":{"type":"on_bicycle","confidence":67}}"#
        let chunk = decode(text, as: .calmgeo)
        #expect(chunk.fixes.map(\.time) == [moment("2026-03-01T10:00:00Z")])
        #expect(chunk.fixes.map(\.activity) == [.cycling])
    }
}
