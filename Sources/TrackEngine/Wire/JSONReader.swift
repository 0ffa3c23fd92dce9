/// Reads JSON (RFC 8259) from bytes, value by value, without building a document.
///
/// The only JSON parser: hand-written decoders use it, and it builds ``JSONValue``. The caller asks for the value that
/// it expects, and the cursor moves past it. At any other value the cursor fails permanently (``isSound``), and every
/// further call returns `nil`. Members and elements are read in loops:
/// ```
/// cursor.beginObject(bytes)
/// while let name = cursor.nextName(bytes) { … read or skip the value … }
/// ```
/// Strict: no comments, no trailing commas, no NaN, escapes and numbers in the grammar of the RFC.
///
/// Code that runs for each member is inlinable, because a call into another module costs as much as the work itself.
@usableFromInline
package struct JSONReader {
    /// The maximum nesting depth; deeper values count as malformed, because skipping them is recursive.
    static let maximumDepth = 32

    /// The position of the cursor; after a failure, the position of the failure.
    @usableFromInline package var offset: Int
    /// Whether all values so far were as expected.
    @usableFromInline package var isSound: Bool
    /// Whether a comma must come before the next member or element. One flag serves all levels: it is set at the end of
    /// an inner container, as its parent requires.
    @usableFromInline var needsComma: Bool
    /// Whether the latest string contains a backslash.
    @usableFromInline package var hasEscapes: Bool
    /// The expectation that was not met where the cursor failed.
    @usableFromInline package var expectation: StaticString

    /// Creates a cursor before a value.
    @inlinable
    package init(at offset: Int = 0) {
        self.offset = offset
        isSound = true
        needsComma = false
        hasEscapes = false
        expectation = "expected JSON"
    }

    /// Marks the text as malformed; of several failures the first counts.
    @usableFromInline
    @inline(never)
    package mutating func fail(_ expectation: StaticString) {
        guard isSound else { return }
        isSound = false
        self.expectation = expectation
    }

    /// Returns the next byte that is not white space; `nil` at the end or after a failure.
    @inlinable
    @inline(__always)
    package mutating func peek(_ bytes: Span<UInt8>) -> UInt8? {
        guard isSound, offset < bytes.count else { return nil }
        let byte = bytes[offset]
        return byte > 0x20 ? byte : peekBehindSpace(bytes)
    }

    @usableFromInline
    mutating func peekBehindSpace(_ bytes: Span<UInt8>) -> UInt8? {
        var position = offset
        while position < bytes.count, bytes[position].isWhiteSpace { position += 1 }
        offset = position
        return position < bytes.count ? bytes[position] : nil
    }

    @inlinable
    @inline(__always)
    mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// Whether only white space is left; otherwise the cursor fails.
    package mutating func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
        if peek(bytes) != nil { fail("expected the end of the text") }
        return isSound
    }
}

// MARK: - Containers

extension JSONReader {
    /// Enters an object.
    @inlinable
    @inline(__always)
    package mutating func beginObject(_ bytes: Span<UInt8>) {
        needsComma = false
        if !take("{", bytes) { fail("expected an object") }
    }

    /// Returns the name of the object's next member, as bytes between quotes, and moves to its value. `nil` after the
    /// last one.
    @inlinable
    @inline(__always)
    package mutating func nextName(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard nextMember("}", bytes) else { return nil }
        guard let name = string(bytes), take(":", bytes) else {
            fail("expected ':' behind a member's name")
            return nil
        }
        return name
    }

    /// Enters an array.
    @inlinable
    @inline(__always)
    package mutating func beginArray(_ bytes: Span<UInt8>) {
        needsComma = false
        if !take("[", bytes) { fail("expected an array") }
    }

    /// Returns whether another element follows, and moves to it; false after the last one.
    @inlinable
    @inline(__always)
    package mutating func nextElement(_ bytes: Span<UInt8>) -> Bool {
        nextMember("]", bytes)
    }

    @inlinable
    @inline(__always)
    mutating func nextMember(_ end: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        if take(end, bytes) {
            needsComma = true
            return false
        }
        if needsComma, !take(",", bytes) { fail("expected ',' or the end of the object or array") }
        needsComma = true
        return isSound
    }
}

// MARK: - Values

extension JSONReader {
    /// Returns the bytes of a string between its quotes, with escapes unresolved; `nil` and a failure for any other
    /// value.
    @inlinable
    @inline(__always)
    package mutating func string(_ bytes: Span<UInt8>) -> Range<Int>? {
        hasEscapes = false
        guard take("\"", bytes) else {
            fail("expected a text in quotes")
            return nil
        }
        let start = offset
        var position = start
        while true {
            position = bytes.endOfPlainText(from: position)
            guard position < bytes.count else { break }
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                offset = position + 1
                return start..<position
            }
            if byte < 0x20 { break }
            guard let next = endOfEscape(at: position, bytes) else { return nil }
            hasEscapes = true
            position = next
        }
        offset = position
        fail("expected the closing quote, and control characters to be escaped")
        return nil
    }

    /// Returns a number; skips any other value and returns `nil` without failure.
    @inlinable
    @inline(__always)
    package mutating func number(_ bytes: Span<UInt8>) -> Double? {
        guard let next = peek(bytes), next == UInt8(ascii: "-") || next &- UInt8(ascii: "0") < 10 else {
            skip(bytes)
            return nil
        }
        var position = offset
        if let number = NumberReader(at: &position, in: bytes), isPlain(number, end: position, bytes),
            let value = number.value
        {
            offset = position
            return value
        }
        return numberInFull(bytes)
    }

    /// Whether the number here follows the grammar of RFC 8259 section 6, without an exponent.
    @inlinable
    @inline(__always)
    func isPlain(_ number: NumberReader, end: Int, _ bytes: Span<UInt8>) -> Bool {
        guard hasGoodDigits(number, bytes) else { return false }
        return end >= bytes.count || bytes[end] | 0x20 != UInt8(ascii: "e")
    }

    /// Whether there are digits on both sides of the point, and no zero before other digits.
    @inlinable
    @inline(__always)
    func hasGoodDigits(_ number: NumberReader, _ bytes: Span<UInt8>) -> Bool {
        guard !number.hasPoint || number.decimals > 0 else { return false }
        let first = number.isNegative ? offset + 1 : offset
        let digit = bytes[first] &- UInt8(ascii: "0")
        guard digit == 0 else { return digit < 10 }
        return first + 1 >= bytes.count || bytes[first + 1] &- UInt8(ascii: "0") >= 10
    }

    /// Returns a string if it is the next value; skips any other value and returns `nil` without failure.
    package mutating func stringOrSkip(_ bytes: Span<UInt8>) -> Range<Int>? {
        if peek(bytes) == UInt8(ascii: "\"") { return string(bytes) }
        skip(bytes)
        return nil
    }

    /// Returns whether the next value is `true`; any other value is skipped.
    package mutating func isTrue(_ bytes: Span<UInt8>) -> Bool {
        let isTrue = peek(bytes) == UInt8(ascii: "t")
        skip(bytes)
        return isTrue && isSound
    }

    /// Moves past one value of any kind.
    @usableFromInline
    package mutating func skip(_ bytes: Span<UInt8>) {
        skip(bytes, depth: 0)
    }

    private mutating func skip(_ bytes: Span<UInt8>, depth: Int) {
        guard depth < Self.maximumDepth else { return fail("expected at most 32 levels") }
        switch peek(bytes) {
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
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): skipNumber(bytes)
        case .some, nil: fail("expected a value")
        }
    }

    /// Skips a number without computing it.
    private mutating func skipNumber(_ bytes: Span<UInt8>) {
        var position = offset
        if let number = NumberReader(at: &position, in: bytes), isPlain(number, end: position, bytes) {
            offset = position
        } else {
            _ = numberInFull(bytes)
        }
    }

    private mutating func skip(_ word: StaticString, _ bytes: Span<UInt8>) {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes.extracting(offset..<end).equals(word) else {
            return fail("expected true, false or null")
        }
        offset = end
    }

    /// Reads the rare numbers (an exponent, more digits than a `Double` holds), and fails if there is no number.
    @usableFromInline
    @inline(never)
    mutating func numberInFull(_ bytes: Span<UInt8>) -> Double? {
        var position = offset
        guard let number = NumberReader(at: &position, in: bytes), hasGoodDigits(number, bytes) else {
            fail("expected a number as JSON writes it")
            return nil
        }
        guard let value = Double(decimalAt: &offset, in: bytes) else {
            fail("expected a number that fits 64-bit floating point")
            return nil
        }
        return value
    }
}
