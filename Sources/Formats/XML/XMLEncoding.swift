internal import TrackEngine

/// Which encodings of XML are read: UTF-8, and ASCII, which is part of it.
///
/// A declaration that says UTF-16 and yet can be read has been converted (``DocumentText``), or is wrong.
enum XMLEncoding {
    private static let readable = ["utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be"]

    /// The encoding that an XML declaration names, where it is none of those; `nil` where it is, or names none.
    ///
    /// - Parameter declaration: what stands between `<?` and `?>`; an instruction that is no declaration names none.
    static func foreignName(inDeclaration declaration: Span<UInt8>) -> String? {
        guard declaration.count > 4, declaration.extracting(0..<4).equals("xml "),
            let name = encodingRange(declaration)
        else { return nil }
        let text = declaration.text(in: name)
        return readable.contains(text.lowercased()) ? nil : text
    }

    private static func encodingRange(_ declaration: Span<UInt8>) -> Range<Int>? {
        let word: StaticString = "encoding"
        let length = word.utf8CodeUnitCount
        guard
            let found = (0...max(0, declaration.count - length)).first(where: {
                $0 + length <= declaration.count && declaration.extracting($0..<($0 + length)).equals(word)
            })
        else { return nil }
        var start = found + length
        while start < declaration.count, !isQuote(declaration[start]) { start += 1 }
        guard start < declaration.count, let end = declaration.offset(of: declaration[start], from: start + 1) else {
            return nil
        }
        return (start + 1)..<end
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }
}
