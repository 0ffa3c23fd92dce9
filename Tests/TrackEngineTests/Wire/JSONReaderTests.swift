import TestSupport
import Testing
import TrackEngine

@Suite("Walking over JSON")
struct JSONReaderTests {
    private enum Name {
        case latitude, longitude
    }

    private static let names = NameTable<Name>(["lat": .latitude, "lon": .longitude])

    /// The numbers of `lat` and `lon` in an object, and whether the whole of it is JSON.
    private func read(_ text: String) -> (numbers: [Double?], isSound: Bool) {
        let bytes = Array(text.utf8)
        var numbers: [Double?] = [nil, nil]
        var cursor = JSONReader()
        cursor.beginObject(bytes.span)
        while let name = cursor.nextName(bytes.span) {
            switch cursor.meaning(of: name, bytes.span, Self.names) {
            case .latitude: numbers[0] = cursor.number(bytes.span)
            case .longitude: numbers[1] = cursor.number(bytes.span)
            case nil: cursor.skip(bytes.span)
            }
        }
        return (numbers, cursor.isAtEnd(bytes.span))
    }

    @Test(
        arguments: [
            #"{"lat":1.5,"lon":-2}"#, #"{"lon":-2,"x":{"lat":[9,{"lon":8}]},"lat":1.5}"#,
            " {\t\"lat\" :\r\n1.5 , \"lon\" : -2.0 } ", #"{"l\u0061t":15e-1,"l\u006Fn":-2E0}"#,
            #"{"":null,"latitude":7,"la":7,"lat":1.5,"s":"a \"lat\":3","lon":-2,"t":true,"f":false}"#,
        ])
    func `members are found among any others, in any order and spacing, and under an escaped name`(_ text: String) {
        let found = read(text)
        #expect(found.isSound)
        #expect(found.numbers == [1.5, -2])
    }

    @Test(arguments: ["null", "true", "\"1.5\"", "[1.5]", "{}"])
    func `a value of another type is no number and no failure`(_ value: String) {
        let found = read("{\"lat\":\(value),\"lon\":-2}")
        #expect(found.isSound)
        #expect(found.numbers == [nil, -2])
    }

    @Test(
        arguments: [
            "01", "-01", "1.", "-", "+1", ".5", "-.5", "1e", "1e+", "1.e3", "0x1", "NaN", "tru", "nulL", "1 2", "'1'",
            "1,",
            "\"\\x\"", "\"\\u12g4\"", "\"\\", "\"a\nb\"", "[1,]", "[1 2]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "]", "",
            "1e999", String(repeating: "[", count: 10_000),
        ])
    func `it is as strict as JSON, in what it reads and in what it skips`(_ value: String) {
        for name in ["lat", "x"] {
            #expect(!read("{\"\(name)\":\(value)}").isSound, "\(name)")
            #expect(!read("{\"\(name)\":\(value)").isSound, "\(name)")
        }
        #expect(throws: JSONError.self) { try JSONValue.parse("{\"x\":\(value)}".utf8) }
    }

    @Test(
        arguments: [
            "0", "-0", "0.1", "-0.000000001", "48.117300000", "1e1", "4.81173E+01", "12345678901234567890e-18",
            "48.11730000000000000001", "9007199254740993", "0.30000000000000004", "123456789012345678", "5e-324",
        ])
    func `a number is the nearest Double to what is written`(_ text: String) throws {
        #expect(read("{\"lat\":\(text)}").numbers[0] == Double(text))
        #expect(try JSONValue.parse(text.utf8).number == Double(text))
    }

    @Test
    func `the first failure stays, with its place`() {
        let bytes = Array(#"{"a":[1,x],"b":}"#.utf8)
        var cursor = JSONReader()
        cursor.skip(bytes.span)
        cursor.fail("something else")
        #expect(!cursor.isSound)
        #expect(cursor.offset == 8)
        expectMessage("\(cursor.expectation)")
        #expect(cursor.peek(bytes.span) == nil)
        #expect(cursor.nextName(bytes.span) == nil)
        #expect(cursor.number(bytes.span) == nil)
    }

    @Test
    func `a table finds each of its names and no other`() {
        let table = NameTable<Int>(["a": 1, "b": 2, "ab": 3, "ba": 4, "aXb": 5, "aYb": 6, "longitude": 7])
        let expected = ["a": 1, "b": 2, "ab": 3, "ba": 4, "aXb": 5, "aYb": 6, "longitude": 7]
        for (name, meaning) in expected { #expect(table[Array(name.utf8).span] == meaning) }
        for name in ["", "c", "aa", "aZb", "longitudE", "longitud", "longitudes", "\u{0}"] {
            #expect(table[Array(name.utf8).span] == nil)
        }
    }
}
