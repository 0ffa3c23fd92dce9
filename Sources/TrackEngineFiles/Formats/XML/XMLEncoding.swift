internal import TrackEngine

/// The encoding in an XML declaration.
///
/// A readable document that declares UTF-16 has been converted (``DocumentText``), or its declaration is wrong.
enum XMLEncoding {
    /// UTF-8, including its subset ASCII.
    case utf8
    /// ISO-8859-1, and windows-1252, which has letters in place of control characters.
    case latin1
    /// Any other encoding.
    case foreign(String)

    /// The encoding in a declaration; `nil` if there is none.
    ///
    /// - Parameter declaration: The text between `<?` and `?>`; other instructions have no encoding.
    init?(declaration: Span<UInt8>) {
        guard declaration.count > 4, declaration.extracting(0..<4).equals("xml "),
            let range = Self.encodingRange(declaration)
        else { return nil }
        let name = declaration.text(in: range)
        switch name.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": self = .utf8
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "windows-1252", "cp1252": self = .latin1
        default: self = .foreign(name)
        }
    }

    /// Whether an encoding extends ASCII: then all parts of a fix can be read, regardless of the other letters.
    ///
    /// In the encodings of China, Japan and Korea a letter has several bytes, and those after the first may be letters,
    /// digits, brackets, `\`, `|` or a grave accent, but never `<`, `>`, `&` or a quote. In EBCDIC, UTF-7, ISO-2022, HZ
    /// and Johab they may.
    static func isReadableWithoutLetters(_ name: String) -> Bool {
        let name = name.lowercased()
        if families.contains(where: { name.hasPrefix($0) }) { return true }
        let isCodePage = ["cp", "ibm", "dos-", "windows-"].contains { name.hasPrefix($0) }
        return isCodePage && codePages.contains(String(name.drop { !$0.isNumber }))
    }

    /// How the names of encodings that extend ASCII begin.
    private static let families = [
        "iso-8859-", "iso8859-", "iso_8859-", "latin", "windows-125", "cp125", "koi8-", "gb2312", "gbk", "gb18030",
        "big5", "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "euc", "x-euc", "ks_c_5601", "mac", "x-mac",
        "tis-620",
    ]

    /// The code pages of DOS and Windows; others of IBM are EBCDIC.
    private static let codePages: Set = [
        "437", "720", "737", "775", "850", "852", "855", "857", "858", "860", "861", "862", "863", "864", "865", "866",
        "869", "874", "932", "936", "949", "950",
    ]

    /// The character of a byte in windows-1252, as UTF-8.
    static func utf8(latin1 byte: UInt8) -> String.UTF8View {
        let isControl = (0x80..<0xa0).contains(byte)
        return String(Unicode.Scalar(isControl ? windows[Int(byte - 0x80)] : UInt16(byte)) ?? "\u{fffd}").utf8
    }

    /// The characters of 0x80 to 0x9f; the five bytes without one remain control characters.
    private static let windows: [UInt16] = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d,
        0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d,
        0x17e, 0x178,
    ]

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
