import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

/// Keys and values as messages show them, where a blank may be missing after a colon.
@Suite struct ShownKeyTests {
    @Test(arguments: [
        ("token", "token"), ("token:SECRET", "token:…"), ("token:", "token:…"), ("a.b-c_9", "a.b-c_9"),
        ("a:b:c", "a:…"), (":SECRET", "a key of 7 characters"), ("", "a key of 0 characters"),
        ("two words", "a key of 9 characters"), ("schlüssel", "a key of 9 characters"),
        ("two words:SECRET", "a key of 16 characters"), (String(repeating: "k", count: 32), "k*32"),
        (String(repeating: "k", count: 33), "a key of 33 characters"),
        (String(repeating: "k", count: 32) + ":SECRET", "k*32:…"),
    ])
    func `a key is shown up to its colon, if that looks like a name`(_ key: String, _ shown: String) {
        #expect(key.shownAsKey.replacing(String(repeating: "k", count: 32), with: "k*32") == shown)
    }

    /// Texts of names, colons, blanks of every kind, and what may follow a colon.
    private static let texts: [String] = {
        let parts = [
            "a", "Z", "0", "_", "-", "key", "SECRET", ":", ":", "::", "/", "//", " ", " ", "\t", "\n", "\r\n", "\u{85}",
            "\u{a0}", "\u{2028}", "\u{3000}", "ü", "u\u{308}", "\u{308}", "😀", ".", "\"", "\u{200b}", "{", "1:",
        ]
        var random = SeededGenerator(seed: 0x5ec2e7)
        return (0..<20_000).map { _ in
            (0..<Int.random(in: 0...9, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        }
    }()

    private static func node(_ text: String, isQuoted: Bool = false) -> ConfigurationNode {
        ConfigurationNode(.scalar(.init(text, isQuoted: isQuoted)), .none)
    }

    @Test func `a value is cut behind a name and a colon in it, wherever a blank is missing`() {
        var cut = 0
        for text in Self.texts where Double(text) == nil && !["true", "false", "", "~", "null"].contains(text) {
            var expected = text
            if let match = text.firstMatch(of: /\s([A-Za-z0-9_\-]+):[^\s\/]/) {
                expected = String(text[..<match.output.1.endIndex]) + ":…"
                cut += 1
            }
            #expect(Self.node(text).shown == expected.quoted(atMost: 80), "\(text.debugDescription)")
            #expect(Self.node(text, isQuoted: true).shown == text.quoted(atMost: 80), "a quoted text is one value")
        }
        #expect(cut > 500)
    }

    @Test func `a section that is a key and a value without a blank gets the hint about it`() throws {
        var hints = 0
        for text in Self.texts where !Self.node(text).isNull {
            let report = ProblemReport()
            _ = TableDecoder(path: "log", layers: [Self.node(text)], report)
            #expect(report.problems.count == 1)
            let message = try #require(report.problems.first).message
            #expect(message.hasPrefix("log = …: "), "the text may be a secret")
            let lacksBlank = text.firstMatch(of: /^[A-Za-z0-9_\-]+:[^\s\/]/) != nil
            if lacksBlank { hints += 1 }
            #expect(message.hasSuffix("a blank after each colon") == lacksBlank, "\(text.debugDescription)")
        }
        #expect(hints > 500)
    }
}
