/// The words for non-finite numbers: `nan`, `-nan`, `inf` and `-inf` of C, `NaN` and `Infinity` of Python and others.
///
/// JSON does not have such words. Some releases of gpsd write those of C for unknown values, and programs that log
/// reports or send points write theirs.
package enum JSONNumberText {
    /// The text with `null` in place of each such word outside of strings; `nil` if it has none.
    package static func replacedByNull(in text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var copied = 0
        var isText = false
        var offset = 0
        while offset < text.count {
            if !isText, let length = lengthOfWord(at: offset, text) {
                bytes += text.copied(copied..<offset) + "null".utf8
                offset += length
                copied = offset
                continue
            }
            switch text[offset] {
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "\\") where isText: offset += 1
            default: break
            }
            offset += 1
        }
        return copied > 0 ? bytes + text.copied(copied..<text.count) : nil
    }

    /// The length of such a word that begins here as a value.
    private static func lengthOfWord(at offset: Int, _ text: Span<UInt8>) -> Int? {
        guard offset > 0, text[offset - 1].isWhiteSpace || ":,[".utf8.contains(text[offset - 1]) else { return nil }
        let start = text[offset] == UInt8(ascii: "-") ? offset + 1 : offset
        var end = start
        while end < text.count, end - start <= longest, text[end].lowercasedASCII &- UInt8(ascii: "a") < 26 { end += 1 }
        guard end == text.count || text[end].isWhiteSpace || ",}]".utf8.contains(text[end]) else { return nil }
        return words.contains(text.text(in: start..<end).lowercased()) ? end - offset : nil
    }

    private static let words: Set<String> = ["nan", "inf", "infinity"]
    private static let longest = 8
}

extension JSONValue {
    /// Parses JSON in which words for non-finite numbers count as `null`; `nil` for any other text.
    package init?(readingNumberWords bytes: [UInt8], maximumDepth: Int = 32) {
        let strict = JSONValue(ifReadable: bytes, maximumDepth: maximumDepth)
        let value =
            strict
            ?? JSONNumberText.replacedByNull(in: bytes.span).flatMap {
                JSONValue(ifReadable: $0, maximumDepth: maximumDepth)
            }
        guard let value else { return nil }
        self = value
    }
}
