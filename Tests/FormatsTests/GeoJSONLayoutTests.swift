import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// JSON laid out over lines in whatever way, and where a line that begins with a brace begins a new document.
@Suite struct GeoJSONLayoutTests {
    /// A feature as one line, which has objects in arrays and arrays in objects.
    private static func feature(_ latitude: Int) -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.5,\#(latitude)]},"properties":"#
            + #"{"seen":[{"name":"a, {b}"},{"tags":[[{"c":{}}]]}],"timestamp":"2026-03-01T10:00:00Z"}}"#
    }

    /// The same JSON with a line end after each bracket and comma, as `json.dumps(…, indent=0)` makes it.
    private static func spread(_ json: String, braceAlone: Bool) -> String {
        var text = ""
        var isString = false
        for character in json {
            if character == "\"" { isString.toggle() }
            guard !isString else {
                text.append(character)
                continue
            }
            switch character {
            case "}", "]": text += "\n\(character)"
            case "{", "[": text += (braceAlone && text.hasSuffix(":") ? "\n" : "") + "\(character)\n"
            case ",": text += ",\n"
            default: text.append(character)
            }
        }
        return text.replacing("{\n\n}", with: "{\n}")
    }

    private static let layouts: [@Sendable ([String]) -> String] = [
        { "{\"type\":\"FeatureCollection\",\"crs\":{\"a\":[{}]},\"features\":[\($0.joined(separator: ","))]}" },
        { "{\"locations\":[\($0.joined(separator: ","))],\"current\":\($0[0])}" },
        { "[\($0.joined(separator: ","))]" },
    ]

    @Test(arguments: layouts.indices, [false, true])
    func `one document spread over lines, with braces at their beginnings, is one document`(
        _ layout: Int, _ braceAlone: Bool
    ) {
        let text = Self.spread(Self.layouts[layout]((1...30).map(Self.feature)), braceAlone: braceAlone)
        let chunk = read(text + "\n", as: .geojson)
        #expect(chunk.latitudes == (1...30).map(Double.init))
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: [false, true])
    func `documents spread over lines may follow each other, as lines or as a text sequence`(_ braceAlone: Bool) {
        let features = (1...5).map { Self.spread(Self.feature($0), braceAlone: braceAlone) }
        for text in [features.joined(separator: "\n"), features.map { "\u{1e}\($0)\n" }.joined()] {
            let chunk = read(text, as: .geojson)
            #expect(chunk.latitudes == [1, 2, 3, 4, 5])
            #expect(chunk.problemTexts == [])
        }
    }

    @Test func `one document a line is one document a line, wherever one of them is cut`() {
        let lines = (1...4).map(Self.feature)
        for end in 1..<lines[1].count {
            let text = [lines[0], String(lines[1].prefix(end)), lines[2], lines[3]].joined(separator: "\n")
            let chunk = TrackFormat.geojson.read(Array(text.utf8))
            #expect(chunk.latitudes == [1, 3, 4], "cut at \(end)")
            expectMessages(chunk.problemTexts, begin: ["malformed 2"])
        }
    }

    @Test func `of the line before the last that is cut, the last is read`() {
        for end in 1..<Self.feature(1).count {
            let text = Self.feature(1).prefix(end) + "\n" + Self.feature(2)
            let chunk = TrackFormat.geojson.read(Array(text.utf8))
            #expect(chunk.latitudes == [2], "cut at \(end)")
            #expect(chunk.problems.count == 1, "cut at \(end)")
        }
    }

    @Test func `a text sequence goes on after a document that is cut, even within a string`() {
        for end in 1..<Self.feature(1).count {
            let text = "\u{1e}" + Self.feature(1).prefix(end) + "\u{1e}" + Self.feature(2) + "\n"
            let chunk = TrackFormat.geojson.read(Array(text.utf8))
            #expect(chunk.latitudes == [2], "cut at \(end)")
            #expect(chunk.problems.count == 1, "cut at \(end): \(chunk.problemTexts)")
        }
    }

    @Test func `a line that is cut in a collection with a feature a line costs that feature`() {
        let lines = (1...4).map(Self.feature)
        for end in 1..<lines[1].count {
            let cut = lines[1].prefix(end)
            let text = "{\"features\":[\n\(lines[0]),\n\(cut)\n\(lines[2]),\n\(lines[3])\n]}\n"
            #expect(TrackFormat.geojson.read(Array(text.utf8)).latitudes == [1, 3, 4], "cut at \(end)")
        }
    }

    @Test func `endless beginnings of objects cost no more than their length`() {
        let text = String(repeating: "{\"a\":\n", count: 200_000) + Self.feature(1)
        let chunk = TrackFormat.geojson.read(Array(text.utf8))
        #expect(chunk.latitudes == [1])
        #expect(chunk.problems.count <= 200_000)
    }

    @Test(arguments: ["[", "[1,", "{\"a\":"])
    func `a cut line in a long collection costs no other feature, in whatever bracket it ends`(_ bracket: String) {
        let features = (1...600).map { $0 == 7 ? "{\"a\":" + bracket : Self.feature($0) + "," }
        let text = "{\"features\":[\n" + features.joined(separator: "\n") + "\n]}\n"
        #expect(text.utf8.count > 80_000)
        let chunk = read(text, as: .geojson)
        #expect(chunk.latitudes == (1...600).filter { $0 != 7 }.map(Double.init))
        #expect(chunk.problems.first?.line == 8)
    }

    @Test func `a feature that is spread over lines and too large is reported, and the next one is read`() {
        var features = (1...3).map { Self.spread(Self.feature($0), braceAlone: true) }
        features[1] = features[1].replacing("{\n}", with: "[" + String(repeating: "{\n},", count: 1_100_000) + "1]")
        let chunk = TrackFormat.geojson.read(Array("{\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n".utf8))
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.problems.map(\.kind) == [.oversized])
    }

    @Test func `Traccar's positions have the receiver's time, speeds in knots, and some that are not valid`() {
        func position(_ latitude: Int, isValid: Bool = true) -> String {
            #"{"id":7,"deviceId":1,"serverTime":"2026-03-01T10:00:07.000+00:00","deviceTime":"2026-03-01T10:00:05.000+00:00","#
                + #""fixTime":"2026-03-01T10:00:00.000+00:00","valid":\#(isValid),"latitude":\#(latitude),"longitude":13.405,"#
                + #""altitude":40.0,"speed":3600.0,"course":90.0,"attributes":{"motion":true,"batteryLevel":80}}"#
        }
        let chunk = read("[\(position(1)),\(position(2, isValid: false)),\(position(3))]", as: .geojson)
        #expect(chunk.latitudes == [1, 3])
        #expect(chunk.fixes.map(\.time.secondsSince1970) == [1_772_359_200, 1_772_359_200])
        #expect(chunk.fixes.map(\.speed) == [1852, 1852])
        #expect(chunk.fixes.map(\.course) == [90, 90])
        expectMessages(chunk.problemTexts, begin: ["incomplete 1"])
    }

    @Test func `a device's time counts where there is no other`() {
        let chunk = read(
            #"{"deviceTime":"2026-03-01T10:00:00Z","latitude":1,"longitude":2,"speed":10,"valid":false}"#, as: .geojson)
        #expect(chunk.fixes.map(\.time.secondsSince1970) == [1_772_359_200])
        #expect(chunk.fixes.map(\.speed) == [10])
    }

    @Test func `the time of the fix that is a duration is no time beside a timestamp`() {
        let chunk = read(
            #"{"timestamp":"2026-03-01T10:00:00Z","fixTime":1.5,"latitude":1,"longitude":2}"#, as: .geojson)
        #expect(chunk.fixes.map(\.time.secondsSince1970) == [1_772_359_200])
    }

    @Test func `OwnTracks Recorder's reply is a list of locations, and data of another object is none`() {
        let location = #"{"_type":"location","tst":1772359200,"lat":1,"lon":2,"vel":36,"data":[{"lat":5,"lon":5}]}"#
        for text in [#"{"count":1,"data":[\#(location)],"status":200}"#, "[\(location)]", location] {
            let chunk = read(text, as: .geojson)
            #expect(chunk.latitudes == [1])
            #expect(chunk.fixes.map(\.speed) == [10])
            #expect(chunk.problemTexts == [])
        }
        let properties = #"{"tid":"a","tst":1772359200,"vel":36,"cog":90,"address":"Here 1"}"#
        let feature = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":\#(properties)}"#
        let features = read(#"{"type":"FeatureCollection","features":[\#(feature)]}"#, as: .geojson)
        #expect(features.latitudes == [1] && features.fixes.map(\.speed) == [10])
        #expect(features.fixes.map(\.time.secondsSince1970) == [1_772_359_200])
        let counted = location.replacing(#""data":"#, with: #""count":3,"data":"#)
        #expect(read("\(counted)\n\(counted)\n", as: .geojson).latitudes == [1, 1])
        let other = Self.feature(3).replacing(#""properties":"#, with: #""count":1,"data":[{"a":1}],"properties":"#)
        let chunk = read(#"{"type":"FeatureCollection","features":[\#(other),\#(Self.feature(4))]}"#, as: .geojson)
        #expect(chunk.latitudes == [3, 4])
        #expect(chunk.problemTexts == [])
    }
}
