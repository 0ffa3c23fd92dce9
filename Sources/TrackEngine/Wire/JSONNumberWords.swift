internal import TrackEngine

/// The words for non-finite numbers: `nan`, `-nan`, `inf` and `-inf` of C, `NaN` and `Infinity` of Python and others.
///
/// Some releases of gpsd write those of C for unknown values, although JSON does not have such words, and programs that
/// log reports write theirs.
enum NumberText {
    /// A line with `null` in place of each such word; `nil` if it has none.
    static func replacedByNull(in line: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var isText = false
        var hasFound = false
        var offset = 0
        while offset < line.count {
            if !isText, let length = lengthOfWord(at: offset, line) {
                bytes += "null".utf8
                hasFound = true
                offset += length
                continue
            }
            let byte = line[offset]
            let end = min(isText && byte == UInt8(ascii: "\\") ? offset + 2 : offset + 1, line.count)
            if byte == UInt8(ascii: "\"") { isText.toggle() }
            bytes += line.copied(offset..<end)
            offset = end
        }
        return hasFound ? bytes : nil
    }

    /// The length of such a word that begins here as a value.
    private static func lengthOfWord(at offset: Int, _ line: Span<UInt8>) -> Int? {
        guard offset > 0, ":,[ ".utf8.contains(line[offset - 1]) else { return nil }
        let start = line[offset] == UInt8(ascii: "-") ? offset + 1 : offset
        var end = start
        while end < line.count, end - start <= longest, line[end].lowercasedASCII &- UInt8(ascii: "a") < 26 { end += 1 }
        guard end == line.count || ",}] ".utf8.contains(line[end]) else { return nil }
        return words.contains(line.text(in: start..<end).lowercased()) ? end - offset : nil
    }

    private static let words: Set<String> = ["nan", "inf", "infinity"]
    private static let longest = 8
}
