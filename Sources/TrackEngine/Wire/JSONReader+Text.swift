extension JSONReader {
    /// Returns the text of a string with its escapes resolved; `nil` and a failure for any other value. Invalid UTF-8
    /// and half surrogate pairs are replaced.
    package mutating func text(_ bytes: Span<UInt8>) -> String? {
        guard let range = string(bytes) else { return nil }
        return hasEscapes ? Self.unescaped(bytes.extracting(range)) : bytes.text(in: range)
    }

    /// Returns the text of a string if it is the next value; skips any other value and returns `nil` without failure.
    package mutating func textOrSkip(_ bytes: Span<UInt8>) -> String? {
        if peek(bytes) == UInt8(ascii: "\"") { return text(bytes) }
        skip(bytes)
        return nil
    }

    /// Returns the meaning of the name of a member that ``nextName(_:)`` has just returned.
    @inlinable
    @inline(__always)
    package func meaning<Meaning>(
        of name: Range<Int>, _ bytes: Span<UInt8>, _ names: borrowing NameTable<Meaning>
    ) -> Meaning? {
        if let known = names[bytes, name] { return known }
        return hasEscapes ? names[Array(Self.unescaped(bytes.extracting(name)).utf8).span] : nil
    }

    /// Returns the text of a string's bytes, in which every escape is known to be complete.
    @usableFromInline
    package static func unescaped(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "\\") {
                text.append(contentsOf: String(character(at: &offset, bytes)).utf8)
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the end of an escape; `nil` and a failure if the backslash begins none.
    @usableFromInline
    @inline(never)
    mutating func endOfEscape(at start: Int, _ bytes: Span<UInt8>) -> Int? {
        let kind = start + 1 < bytes.count ? bytes[start + 1] : 0
        if kind == UInt8(ascii: "u") {
            if Self.codeUnit(at: start, bytes) != nil { return start + 6 }
            offset = start
            fail("expected four hexadecimal digits")
            return nil
        }
        if Self.character(ofEscape: kind) != nil { return start + 2 }
        offset = start
        fail("expected one of \"\\/bfnrtu after a backslash")
        return nil
    }

    /// Returns the character of the escape at an offset, and moves the offset to its end: that of `\uXXXX`, or of two
    /// of them that form a surrogate pair.
    private static func character(at offset: inout Int, _ bytes: Span<UInt8>) -> Unicode.Scalar {
        guard let first = codeUnit(at: offset, bytes) else {
            defer { offset += 2 }
            return offset + 1 < bytes.count ? character(ofEscape: bytes[offset + 1]) ?? "\u{fffd}" : "\u{fffd}"
        }
        offset += 6
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xdc00, let second = codeUnit(at: offset, bytes), (0xdc00...0xdfff).contains(second) else {
            return "\u{fffd}"
        }
        offset += 6
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)) ?? "\u{fffd}"
    }

    /// Returns the character for the letter after a backslash; `nil` for an unknown letter.
    private static func character(ofEscape letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{c}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    /// Returns the number of `\uXXXX` at an offset; `nil` if there is no such escape.
    private static func codeUnit(at offset: Int, _ bytes: Span<UInt8>) -> UInt32? {
        guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt32 = 0
        for index in (offset + 2)..<(offset + 6) {
            guard let digit = bytes[index].hexadecimalDigit else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
