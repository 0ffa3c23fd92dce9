/// Percent-encoding of URLs (RFC 3986 section 2.1). A plus sign does not mean a blank.
package enum PercentEncoding {
    /// The text without its escapes; `nil` for an invalid escape or invalid UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether two hexadecimal digits follow each percent sign.
    package static func hasWholeEscapes(_ text: some StringProtocol) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy { digit($0) != nil } }
    }

    /// The text with all characters escaped except the unreserved ones (RFC 3986 section 2.3).
    package static func encoded(_ text: some StringProtocol) -> String { encoded(text) { !isUnreserved($0) } }

    /// The text with the bytes escaped that meet a condition.
    package static func encoded(_ text: some StringProtocol, where isEscaped: (UInt8) -> Bool) -> String {
        String(decoding: text.utf8.flatMap { isEscaped($0) ? Array(encoded($0).utf8) : [$0] }, as: UTF8.self)
    }

    /// The escape for a byte.
    package static func encoded(_ byte: UInt8) -> String {
        String(decoding: [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]], as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._~".utf8.contains(byte)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
