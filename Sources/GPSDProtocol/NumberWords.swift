internal import TrackEngine

/// The words that C prints for non-finite numbers: `nan`, `-nan`, `inf` and `-inf`.
///
/// Some releases of gpsd write them for unknown values, although JSON does not have such words.
enum NumberWords {
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
        guard start + 3 <= line.count else { return nil }
        let word = line.extracting(start..<start + 3)
        let isEnd = start + 3 == line.count || ",}] ".utf8.contains(line[start + 3])
        return isEnd && (word.equals("nan") || word.equals("inf")) ? start + 3 - offset : nil
    }
}
