import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// XML in encodings with one byte a character.
@Suite struct ByteEncodingTests {
    private static func document(_ encoding: String, letters: [UInt8]) -> [UInt8] {
        Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><gpx><trk><name>".utf8) + letters
            + Array("</name><trkseg><trkpt lat=\"1\" lon=\"2\"><name>".utf8) + letters
            + Array("</name><time>2026-03-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>".utf8)
    }

    @Test(arguments: [
        "ISO-8859-1", "iso-8859-1", "latin1", "windows-1252", "CP1252", "ISO-8859-15", "windows-1251", "koi8-r",
    ])
    func `a file with any letters is read`(_ encoding: String) {
        let chunk = read(Self.document(encoding, letters: Array(0x80...0xff)), as: .gpx)
        #expect(chunk.latitudes == [1])
        #expect(chunk.problemTexts == [])
    }

    /// Each byte that may follow the first one of a letter, among them letters, brackets, `\`, `|` and `` ` ``.
    @Test(arguments: [
        "GB2312", "gbk", "GB18030", "Big5", "Shift_JIS", "windows-31j", "EUC-KR", "EUC-JP", "EUC-TW", "ks_c_5601-1987",
        "ibm850", "CP437", "cp866", "macintosh", "x-mac-roman", "TIS-620", "windows-874",
    ])
    func `a file with letters of several bytes is read where those of ASCII are one byte`(_ encoding: String) {
        let second: [UInt8] = (0x40...0x7e).flatMap { (byte: UInt8) -> [UInt8] in [0x83, byte] }
        let first: [UInt8] = (0xa1...0xfe).flatMap { (byte: UInt8) -> [UInt8] in [byte, 0xa1] }
        let letters = second + first
        let chunk = read(Self.document(encoding, letters: letters), as: .gpx)
        #expect(chunk.latitudes == [1])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: ["EBCDIC-CP-DE", "ISO-2022-JP", "UTF-7", "IBM037", "cp500", "HZ-GB-2312", "Johab", "UTF-32"])
    func `another encoding is reported`(_ encoding: String) {
        let chunk = read(Self.document(encoding, letters: []), as: .gpx)
        #expect(chunk.fixes.isEmpty)
        expectMessages(chunk.problemTexts, begin: ["malformed 1: encoding \(encoding)"], as: encoding)
    }

    @Test(arguments: [
        ("ISO-8859-1", [0x4b, 0xf6, 0x6e, 0x69, 0x67] as [UInt8], "König"), ("windows-1252", [0x80, 0x35], "€5"),
        ("UTF-8", Array("König".utf8), "König"),
    ])
    func `letters are the ones of the encoding`(_ encoding: String, _ letters: [UInt8], _ expected: String) {
        var tokenizer = XMLReader()
        var texts: [String] = []
        let tag = Array("<a b='".utf8) + letters + Array("'>".utf8)
        let text = letters + Array("<![CDATA[".utf8) + letters + Array("]]></a>".utf8)
        let head = Array("<?xml version='1.0' encoding='\(encoding)'?>".utf8)
        for byte in head + tag + text {
            guard let token = tokenizer.push(byte) else { continue }
            if case .start = token { texts += tokenizer.attributes.map { String(decoding: $0.value, as: UTF8.self) } }
            if case .end = token { texts.append(String(decoding: tokenizer.text, as: UTF8.self)) }
        }
        #expect(texts == [expected, expected + expected])
    }
}
