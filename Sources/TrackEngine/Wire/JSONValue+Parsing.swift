/// The reason why a text is not JSON, and its position.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation that was not met.
    package let message: String
    /// The offset in bytes of the failure.
    package let offset: Int

    package var description: String { "byte \(offset): \(message)" }
}

extension JSONValue {
    /// Parses one JSON text (RFC 8259), followed only by white space.
    ///
    /// Strict, as ``JSONReader``. Bounded: `maximumDepth` levels, and never more memory than a multiple of the input.
    /// Numbers become `Double`; one that overflows is an error. Invalid UTF-8 is replaced.
    package static func parse(
        _ bytes: some Sequence<UInt8>, maximumDepth: Int = 32
    ) throws(JSONError) -> JSONValue {
        let bytes = ContiguousArray(bytes)
        var cursor = JSONReader()
        guard let value = cursor.value(bytes.span, levels: maximumDepth), cursor.isAtEnd(bytes.span) else {
            throw JSONError(message: "\(cursor.expectation)", offset: cursor.offset)
        }
        return value
    }

    /// The same for a caller that needs no reason or position of a failure.
    package init?(ifReadable bytes: some Sequence<UInt8>, maximumDepth: Int = 32) {
        do throws(JSONError) { self = try Self.parse(bytes, maximumDepth: maximumDepth) } catch { return nil }
    }
}

extension JSONReader {
    /// Returns the next value, in memory; `nil` and a failure if there is none.
    fileprivate mutating func value(_ bytes: Span<UInt8>, levels: Int) -> JSONValue? {
        guard levels > 0 else {
            fail("expected fewer levels")
            return nil
        }
        switch peek(bytes) {
        case UInt8(ascii: "{"): return object(bytes, levels: levels - 1)
        case UInt8(ascii: "["): return array(bytes, levels: levels - 1)
        case UInt8(ascii: "\""): return text(bytes).map(JSONValue.string)
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            let isTrue = isTrue(bytes)
            return isSound ? .boolean(isTrue) : nil
        case UInt8(ascii: "n"):
            skip(bytes)
            return isSound ? .null : nil
        case .some, nil:
            return number(bytes).map(JSONValue.number)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, levels: Int) -> JSONValue? {
        var members: [JSONValue.Member] = []
        beginObject(bytes)
        while let range = nextName(bytes) {
            let name = hasEscapes ? Self.unescaped(bytes.extracting(range)) : bytes.text(in: range)
            guard let value = value(bytes, levels: levels) else { return nil }
            members.append(JSONValue.Member(name, value))
        }
        return isSound ? .object(members) : nil
    }

    private mutating func array(_ bytes: Span<UInt8>, levels: Int) -> JSONValue? {
        var elements: [JSONValue] = []
        beginArray(bytes)
        while nextElement(bytes) {
            guard let value = value(bytes, levels: levels) else { return nil }
            elements.append(value)
        }
        return isSound ? .array(elements) : nil
    }
}
