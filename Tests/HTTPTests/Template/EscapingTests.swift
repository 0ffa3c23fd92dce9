import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// Whatever a text holds, what it is put into stays what it is.
@Suite("Texts in templates are escaped for where they stand")
struct EscapingTests {
    /// Texts that mean something somewhere, and some by chance.
    static let texts: [String] = {
        var random = SeededGenerator(seed: 20_260_301)
        let marks = Array("\"\\{}[]%,;=&?#/+ \n\r\t\u{0}\u{7f}\u{85}\u{2028}'<>|`^ä€🚐\u{202e}:ab1".unicodeScalars)
        let chance = (0..<300).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                text.append(marks.randomElement(using: &random) ?? "x")
            }
            return String(text)
        }
        return ["%{latitude}", "a\"b", "\\", "a\\", "\\\"", "%00", "x,y", "x\ny", "\u{0}", "}", "a=b c"] + chance
    }()

    private func body(_ template: String, _ format: HTTPSink.Configuration.Format, _ text: String) throws -> String {
        try TemplateSamples.body(template, format, device: DeviceID(rawValue: text))
    }

    @Test func `JSON stays JSON and gives the text back`() throws {
        for text in Self.texts {
            // A configuration refuses control characters in the device's name; templates do not rely on it.
            let written = try body(#"{"a":%{device},"b":"<%{device}>","%{device}":1}"#, .json, text)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: Any], "\(text.debugDescription)"
            )
            #expect(object["a"] as? String == text || text == "a" || text == "b")
            if text != "b" { #expect(object["b"] as? String == "<\(text)>") }
        }
    }

    @Test func `an address has no raw bytes and gives the text back`() throws {
        for text in Self.texts {
            let configuration = TemplateSamples.configuration(
                "http://127.0.0.1:9/%{device}/x?lat=%{latitude}&lon=%{longitude}&d=%{device}&e=1",
                device: DeviceID(rawValue: text))
            let url = try TemplateSamples.request(Samples.full, configuration).url
            #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
            let parts = try #require(URLComponents(string: url))
            #expect(parts.queryItems?.map(\.name) == ["lat", "lon", "d", "e"])
            #expect(parts.queryItems?[2].value == text)
            #expect(parts.percentEncodedPath.split(separator: "/").count == 2)
        }
    }

    @Test func `an address that is accepted is sent as it is shown`() throws {
        var random = SeededGenerator(seed: 32)
        let marks = [
            "%", "%20", "%25", "[", "]", "'", "(", "*", "+", "|", ":", "@", "!", "$", ",", ";", "=", "&", "?", "/", "~",
            "a", "é", "^",
        ]
        var accepted = 0
        for _ in 0..<3000 {
            let target = (0..<6).map { _ in marks.randomElement(using: &random) ?? "" }.joined()
            guard let endpoint = Endpoint(ifReadable: "http://example.org/x" + target) else { continue }
            accepted += 1
            let url = try #require(URL(string: endpoint.text))
            #expect(url.absoluteString == endpoint.text)
        }
        #expect(accepted > 500)
    }

    @Test func `a form has its parameters and no others`() throws {
        for text in Self.texts {
            let items = try body("a=%{device}&b=1", .form, text).split(separator: "&").map { $0.split(separator: "=") }
            #expect(items.count == 2 && items[0].last.flatMap { String($0).removingPercentEncoding } == text)
        }
    }

    @Test func `CSV stays one row with its fields`() throws {
        for text in Self.texts {
            for template in ["1,%{device},2", #"1,"%{device}",2"#] {
                let row = try body(template, .csv, text)
                #expect(!row.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x85 || $0.value == 0x2028 })
                #expect(Self.fields(of: row).count == 3, "\(row)")
            }
        }
    }

    @Test func `the line protocol stays one line with its items`() throws {
        for text in Self.texts {
            let line = try body("m,d=%{device},z=1 t=%{device},x=%{longitude} 5", .influx, text)
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f })
            #expect(Self.items(of: line) == [3, 2, 1], "\(line)")
        }
    }

    /// The fields of a row, by RFC 4180.
    private static func fields(of row: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in row.unicodeScalars {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                fields.append("")
            } else {
                fields[fields.count - 1].unicodeScalars.append(character)
            }
        }
        return isQuoted ? [] : fields
    }

    /// How many items the sections of a line have, read with its escapes.
    private static func items(of line: String) -> [Int] {
        var sections = [1]
        var isQuoted = false
        var isEscaped = false
        for character in line.unicodeScalars {
            switch character {
            case _ where isEscaped: isEscaped = false
            case "\\": isEscaped = true
            case "\"" where sections.count == 2: isQuoted.toggle()
            case "," where !isQuoted: sections[sections.count - 1] += 1
            case " " where !isQuoted: sections.append(1)
            case _: break
            }
        }
        return isQuoted ? [] : sections
    }
}
