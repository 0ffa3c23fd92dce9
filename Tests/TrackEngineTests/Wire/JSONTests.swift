import Testing
import TrackEngine

@Suite struct JSONWriterTests {
    static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            (3.4, 2, "3.4"), (3.0, 2, "3"), (3.456, 2, "3.46"), (-3.455, 1, "-3.5"), (0.5, 0, "1"), (-0.5, 0, "-1"),
            (0.004, 2, "0"), (-0.004, 2, "0"), (1e-9, 9, "0.000000001"), (52.520006599, 9, "52.520006599"),
            (180, 7, "180"), (1234567.5, 3, "1234567.5"), (1e300, 3, "1e+300"), (.infinity, 3, "null"),
            (.nan, 3, "null"), (0.05, 2, "0.05"), (10.01, 2, "10.01"),
        ] as [(Double, Int, String)])
    func `numbers have at most the decimals asked for, halves away from zero, no trailing zeros`(
        _ value: Double, _ decimals: Int, _ expected: String
    ) {
        #expect(Self.text { $0.number(value, decimals: decimals) } == expected)
    }

    @Test
    func `coordinates can be cut toward zero, as Overland does`() {
        #expect(Self.text { $0.number(9.98712349, decimals: 7, .towardZero) } == "9.9871234")
        #expect(Self.text { $0.number(-9.98712349, decimals: 7, .towardZero) } == "-9.9871234")
    }

    @Test
    func `strings escape what RFC 8259 demands`() {
        #expect(Self.text { $0.string("a\"b\\c\n\r\t\u{1}é/") } == #""a\"b\\c\n\r\t\u0001é/""#)
    }

    @Test
    func `whole numbers reach their ends`() {
        #expect(Self.text { $0.integer(Int64.min) } == "-9223372036854775808")
        #expect(Self.text { $0.integer(UInt64.max) } == "9223372036854775807")
        #expect(Self.text { $0.integer(0) } == "0")
    }
}

@Suite struct JSONParserTests {
    @Test
    func `a document comes back as it was written`() throws {
        let text = #"{"a":[1,-2.5,1e3,true,false,null],"b":{"c":"x\ny","d":""},"e":[]}"#
        let value = try JSONValue.parse(text.utf8)
        #expect(value["a"]?.array?[2] == .number(1000))
        #expect(value["b"]?["c"]?.string == "x\ny")
        var writer = JSONWriter()
        value.write(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text.replacing("1e3", with: "1000"))
    }

    @Test(
        arguments: [
            (#""\u00e9""#, "é"), (#""\ud83d\ude80""#, "🚀"), (#""\ud83d""#, "\u{fffd}"), (#""\ud83dx""#, "\u{fffd}x"),
            (#""\/\b\f""#, "/\u{8}\u{c}"), (#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
        ])
    func `escapes and surrogate pairs`(_ text: String, _ expected: String) throws {
        #expect(try JSONValue.parse(text.utf8).string == expected)
    }

    @Test(
        arguments: [
            "", " ", "{", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "01", "1.", "-", "1e", "+1", ".5", "NaN",
            "tru", "\"\\x\"", "\"\\u12\"", "\"abc", "[1] 2", "\"\u{1}\"", "1e999", "{\"a\":1,}", "'a'", "/**/1",
        ])
    func `what is not JSON is refused, with the place`(_ text: String) {
        #expect(throws: JSONError.self) { try JSONValue.parse(text.utf8) }
    }

    @Test
    func `depth is bounded`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSONValue.parse(deep.utf8) }
        #expect(throws: Never.self) { try JSONValue.parse("[[[[1]]]]".utf8, maximumDepth: 5) }
    }

    @Test
    func `mutated documents never crash`() {
        var generator = SystemRandomNumberGenerator()
        let seed = Array(#"{"locations":[{"a":[1.5e-3,"\u00e9",null]}],"result":"ok","n":-12}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? JSONValue.parse(bytes)  // either answer is right; only a crash is wrong
        }
    }
}

@Suite struct CalmGeoRecordTests {
    static func text(_ draft: RecordDraft) -> String {
        var writer = JSONWriter()
        CalmGeoRecord.write(draft, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test
    func `a full record has every member of CalmGeo's, with its names`() throws {
        let fix = Fix(
            time: try #require(Timestamp(rfc3339: "2024-09-21T11:37:49.120Z")),
            coordinate: Coordinate(latitude: 35, longitude: 139.123456789), altitude: 12, ellipsoidalAltitude: 51.5,
            horizontalAccuracy: 8.5, verticalAccuracy: 3, speed: 1.25, speedAccuracy: 0.5, course: 90,
            courseAccuracy: 10, flags: .simulated)
        let draft = RecordDraft(
            id: RecordID(rawValue: 0x6F1D_0C1E_0B7A_4B44_9C55_0A4D_2B7C_9E10), fix: fix, isMoving: true,
            event: .motionChange, cause: .first, activity: ActivityEstimate(.walking, confidence: 67), source: "s")
        let expected =
            #"{"id":"6F1D0C1E-0B7A-4B44-9C55-0A4D2B7C9E10","timestamp":"2024-09-21T11:37:49.120Z","isMoving":true,"#
            + #""event":"motionchange","coords":{"latitude":35,"longitude":139.123456789,"accuracy":8.5,"speed":1.25,"#
            + #""speedAccuracy":0.5,"heading":90,"headingAccuracy":10,"altitude":12,"altitudeAccuracy":3,"#
            + #""ellipsoidalAltitude":51.5,"mock":true,"external":false},"#
            + #""activity":{"type":"walking","confidence":67}}"#
        #expect(Self.text(draft) == expected)
    }

    @Test
    func `unknown numbers are -1, absent optionals are left out`() {
        let draft = RecordDraft(
            id: RecordID(rawValue: 1), fix: Road.fix(0), isMoving: false, cause: .distance, source: "s")
        let expected =
            #"{"id":"00000000-0000-0000-0000-000000000001","timestamp":"2026-03-01T10:00:00.000Z","isMoving":false,"#
            + #""coords":{"latitude":0.5,"longitude":10,"accuracy":-1,"speed":-1,"speedAccuracy":-1,"heading":-1,"#
            + #""headingAccuracy":-1,"altitudeAccuracy":-1,"mock":false,"external":false}}"#
        #expect(Self.text(draft) == expected)
    }
}
