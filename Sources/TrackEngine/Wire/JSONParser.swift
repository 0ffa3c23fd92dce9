/// Why a text is not JSON, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected.
    package let message: String
    /// The offset in bytes at which it was missing.
    package let offset: Int

    package var description: String { "byte \(offset): \(message)" }
}

extension JSONValue {
    /// Reads one JSON text (RFC 8259) and nothing after it but white space.
    ///
    /// Strict: no comments, no trailing commas, no NaN. Bounded: `maximumDepth` levels, and never more memory than a
    /// multiple of the input. Numbers become `Double`; one that overflows is an error. Invalid UTF-8 is replaced.
    package static func parse(
        _ bytes: some Sequence<UInt8>, maximumDepth: Int = 32
    ) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes: ContiguousArray(bytes), maximumDepth: maximumDepth)
        return try parser.document()
    }
}

private struct JSONParser {
    let bytes: ContiguousArray<UInt8>
    let maximumDepth: Int
    var offset = 0

    init(bytes: ContiguousArray<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func document() throws(JSONError) -> JSONValue {
        let result = try value(depth: 0)
        skipWhiteSpace()
        guard offset == bytes.count else { throw error("expected the end of the text") }
        return result
    }

    private func error(_ message: String) -> JSONError { JSONError(message: message, offset: offset) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhiteSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < maximumDepth else { throw error("expected at most \(maximumDepth) levels") }
        skipWhiteSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some: return .number(try number())
        case nil: throw error("expected a value")
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[offset...].starts(with: word.utf8) else { throw error("expected \(word)") }
        offset += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        offset += 1
        var members: [JSONValue.Member] = []
        skipWhiteSpace()
        if take("}") { return .object(members) }
        repeat {
            skipWhiteSpace()
            guard next == UInt8(ascii: "\"") else { throw error("expected a member's name in quotes") }
            let name = try string()
            skipWhiteSpace()
            guard take(":") else { throw error("expected ':'") }
            members.append(JSONValue.Member(name, try value(depth: depth + 1)))
            skipWhiteSpace()
        } while take(",")
        guard take("}") else { throw error("expected ',' or '}'") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        offset += 1
        var elements: [JSONValue] = []
        skipWhiteSpace()
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipWhiteSpace()
        } while take(",")
        guard take("]") else { throw error("expected ',' or ']'") }
        return .array(elements)
    }

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw error("expected control characters to be escaped")
            default: text.append(byte)
            }
        }
        throw error("expected the closing quote")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        let byte = next
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte ?? 0)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try unicodeEscape()).utf8)
        default: throw error("expected one of \"\\/bfnrtu after a backslash")
        }
    }

    /// The character of `\uXXXX`, or of two of them that form a surrogate pair; half a pair reads as U+FFFD.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try fourHexadecimalDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let afterFirst = offset
        if first < 0xdc00, take("\\"), take("u") {
            let second = try fourHexadecimalDigits()
            if (0xdc00...0xdfff).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)) ?? "\u{fffd}"
            }
        }
        offset = afterFirst
        return "\u{fffd}"
    }

    private mutating func fourHexadecimalDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }

    /// A number in the grammar of RFC 8259 section 6.
    private mutating func number() throws(JSONError) -> Double {
        let start = offset
        _ = take("-")
        guard let first = next?.decimalDigit else { throw error("expected a value") }
        offset += 1
        if first != 0 { skipDigits() }
        if take(".") {
            guard next?.decimalDigit != nil else { throw error("expected a digit after the point") }
            skipDigits()
        }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard next?.decimalDigit != nil else { throw error("expected a digit in the exponent") }
            skipDigits()
        }
        guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), value.isFinite else {
            throw error("expected a number that fits 64-bit floating point")
        }
        return value
    }

    private mutating func skipDigits() {
        while next?.decimalDigit != nil { offset += 1 }
    }
}
