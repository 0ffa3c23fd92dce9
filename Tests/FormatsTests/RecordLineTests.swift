import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// CalmGeo's records: one JSON object a line, or an array of them.
@Suite struct RecordLineTests {
    private static func record(_ latitude: Int, _ more: String = "", coords: String = "") -> String {
        #"{"timestamp":"2026-03-01T10:00:00Z","coords":{"latitude":\#(latitude),"longitude":2\#(coords)}\#(more)}"#
    }

    @Test func `records stand in lines or in an array, behind comments, blank lines and white space`() {
        let records = (1...3).map { Self.record($0) }
        for (begin, separator, end) in [
            ("", "\n", ""), ("# a\n\n\n", "\n\n# b\n", "\n"), ("[", ",", "]"), ("\n [\n", ",\n", "\n]\n"),
            ("# a\n[ ", " , ", " ]"),
        ] {
            let text = begin + records.joined(separator: separator) + end
            let chunk = read(text, as: .ndjson)
            #expect(chunk.latitudes == [1, 2, 3])
            #expect(chunk.problemTexts == [])
        }
    }

    @Test(arguments: [
        "nonsense", "{", "}", "{}}", "[1,2]", "null", "17", "\"text\"", "{\"coords\":{\"latitude\":1,\"longitude\":2}",
        "{\"timestamp\":\"2026-03-01T10:00:00Z\" \"coords\":{}}", "{\"a\":01}", "{'a':1}", "{\"a\":1,}", "{\"a\"}",
    ])
    func `a line that is no JSON object is reported, and the next one is read`(_ line: String) {
        let chunk = read([Self.record(1), line, Self.record(3)].joined(separator: "\n"), as: .ndjson)
        #expect(chunk.latitudes == [1, 3])
        expectMessages(chunk.problemTexts, begin: ["malformed 2"])
    }

    @Test(arguments: [
        ("{}", "incomplete 1"), (#"{"coords":{"latitude":1,"longitude":2}}"#, "incomplete 1"),
        (#"{"timestamp":"2026-03-01T10:00:00Z","coords":{"latitude":1}}"#, "incomplete 1"),
        (#"{"timestamp":"2026-03-01T10:00:00Z","coords":null}"#, "incomplete 1"),
        (#"{"timestamp":"2026-03-01T10:00:00Z","coords":{"latitude":"x","longitude":2}}"#, "incomplete 1"),
        (#"{"timestamp":true,"coords":{"latitude":1,"longitude":2}}"#, "malformed 1"),
    ])
    func `an object that is no record says what is missing`(_ line: String, _ problem: String) {
        let chunk = read(line + "\n", as: .ndjson)
        #expect(chunk.fixes.isEmpty)
        expectMessages(chunk.problemTexts, begin: [problem], as: line)
    }

    @Test func `unknown members, of any shape, are passed over`() {
        for more in [
            #","a":null"#, #","a":[{"coords":{"latitude":9}}]"#, #","a":"\"}{\\""#, #","é":"\u00e9""#,
        ] {
            let chunk = read(Self.record(1, more, coords: more), as: .ndjson)
            #expect(chunk.latitudes == [1], "\(more)")
            #expect(chunk.problemTexts == [])
        }
    }

    @Test(
        arguments: [
            ("still", Activity.stationary), ("on_foot", .walking), ("walking", .walking), ("running", .running),
            ("on_bicycle", .cycling), ("in_vehicle", .driving), ("automotive", .driving), ("unknown", nil),
            ("sailing", nil),
            ("", nil),
        ] as [(String, Activity?)])
    func `an activity is known by the words of phones, and any other word is none`(
        _ word: String, _ activity: Activity?
    ) {
        let text = Self.record(1, #","activity":{"confidence":100,"type":"\#(word)"}"#)
        #expect(read(text, as: .ndjson).fixes.map(\.activity) == [activity])
    }
}
