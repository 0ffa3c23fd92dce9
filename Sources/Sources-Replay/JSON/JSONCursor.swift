/// Walks over JSON (RFC 8259) in bytes, value by value, without building anything.
///
/// The caller asks for what it expects; the cursor moves behind it. Where something else stands the cursor fails once and
/// for all (``isSound``), and every further question answers `nil`. Members and elements are walked with loops:
/// ```
/// cursor.beginObject(bytes)
/// while let name = cursor.nextName(bytes) { … read or skip the value … }
/// ```
struct JSONCursor {
    /// How deep values may nest before they count as malformed; what is skipped is walked with recursion.
    private static let maximumDepth = 32

    /// Where the cursor stands.
    private(set) var offset: Int
    /// Whether everything so far was as expected.
    private(set) var isSound = true
    /// Whether a comma must come before the next member or element. One flag serves all levels: an inner container ends
    /// with it set, which is what its parent needs.
    private var needsComma = false

    init(at offset: Int = 0) {
        self.offset = offset
    }

    /// Marks the text as malformed.
    mutating func fail() {
        isSound = false
    }

    /// The next byte that is no white space; `nil` at the end or after a failure.
    @inline(__always)
    mutating func peek(_ bytes: Span<UInt8>) -> UInt8? {
        guard isSound, offset < bytes.count else { return nil }
        let byte = bytes[offset]
        return byte > 0x20 ? byte : peekBehindSpace(bytes)
    }

    private mutating func peekBehindSpace(_ bytes: Span<UInt8>) -> UInt8? {
        var position = offset
        while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
        offset = position
        return position < bytes.count ? bytes[position] : nil
    }

    @inline(__always)
    private mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    // MARK: Containers

    /// Enters an object.
    @inline(__always)
    mutating func beginObject(_ bytes: Span<UInt8>) {
        needsComma = false
        if !take("{", bytes) { fail() }
    }

    /// The name of the object's next member, as bytes between quotes; the cursor then stands before its value. `nil`
    /// behind the last one.
    @inline(__always)
    mutating func nextName(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard nextMember("}", bytes) else { return nil }
        guard let name = string(bytes), take(":", bytes) else {
            fail()
            return nil
        }
        return name
    }

    /// Enters an array.
    @inline(__always)
    mutating func beginArray(_ bytes: Span<UInt8>) {
        needsComma = false
        if !take("[", bytes) { fail() }
    }

    /// Whether another element follows, before which the cursor then stands; false behind the last one.
    @inline(__always)
    mutating func nextElement(_ bytes: Span<UInt8>) -> Bool {
        nextMember("]", bytes)
    }

    @inline(__always)
    private mutating func nextMember(_ end: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        if take(end, bytes) {
            needsComma = true
            return false
        }
        if needsComma, !take(",", bytes) { fail() }
        needsComma = true
        return isSound
    }

    // MARK: Values

    /// The bytes of a string between its quotes, with escapes as they stand; `nil` and a failure for anything else.
    @inline(__always)
    mutating func string(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard take("\"", bytes) else {
            fail()
            return nil
        }
        let start = offset
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                offset = position + 1
                return start..<position
            }
            if byte < 0x20 { break }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        fail()
        return nil
    }

    /// A number; `nil` without failure for any other value, which is skipped.
    @inline(__always)
    mutating func number(_ bytes: Span<UInt8>) -> Double? {
        guard let next = peek(bytes) else {
            fail()
            return nil
        }
        guard next == UInt8(ascii: "-") || next &- UInt8(ascii: "0") < 10 else {
            skip(bytes)
            return nil
        }
        guard let value = Double(decimalAt: &offset, in: bytes) else {
            fail()
            return nil
        }
        return value
    }

    /// A string if one stands here; `nil` without failure for any other value, which is skipped.
    mutating func stringOrSkip(_ bytes: Span<UInt8>) -> Range<Int>? {
        if peek(bytes) == UInt8(ascii: "\"") { return string(bytes) }
        skip(bytes)
        return nil
    }

    /// Whether `true` stands here; any other value is skipped.
    mutating func isTrue(_ bytes: Span<UInt8>) -> Bool {
        let isTrue = peek(bytes) == UInt8(ascii: "t")
        skip(bytes)
        return isTrue
    }

    /// Moves behind one value of any kind.
    mutating func skip(_ bytes: Span<UInt8>) {
        skip(bytes, depth: 0)
    }

    private mutating func skip(_ bytes: Span<UInt8>, depth: Int) {
        guard depth < Self.maximumDepth, let next = peek(bytes) else { return fail() }
        switch next {
        case UInt8(ascii: "\""): _ = string(bytes)
        case UInt8(ascii: "{"):
            beginObject(bytes)
            while nextName(bytes) != nil { skip(bytes, depth: depth + 1) }
        case UInt8(ascii: "["):
            beginArray(bytes)
            while nextElement(bytes) { skip(bytes, depth: depth + 1) }
        case UInt8(ascii: "t"): skip("true", bytes)
        case UInt8(ascii: "f"): skip("false", bytes)
        case UInt8(ascii: "n"): skip("null", bytes)
        default: if Double(decimalAt: &offset, in: bytes) == nil { fail() }
        }
    }

    private mutating func skip(_ word: StaticString, _ bytes: Span<UInt8>) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes.extracting(offset..<end).equals(word) else { return fail() }
        offset = end
    }

    /// Whether the text ends here, but for white space; fails where it does not.
    mutating func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
        if peek(bytes) != nil { fail() }
        return isSound
    }
}
