internal import TrackEngine

/// Splits XML 1.0 in UTF-8 or ISO-8859-1 into tags and text, one byte at a time, in bounded memory.
///
/// It supports only the features that a reader of data files needs: names without their namespace prefix, attributes
/// and text with resolved entities, CDATA as text. Comments, processing instructions and a DOCTYPE with its internal
/// subset are skipped, so no entity can be defined or expanded. End tags are not matched with start tags. After a
/// defect it continues with the next tag.
package struct XMLReader: Sendable {
    /// The token that a byte completed. ``name``, ``attributes`` and ``text`` of the tokenizer have the details.
    package enum Token: Sendable {
        /// A start tag.
        case start
        /// A start tag without content: `<a/>`.
        case empty
        /// An end tag; ``text`` is the text since the previous tag.
        case end
        /// An encoding in the XML declaration that is neither UTF-8 nor ISO-8859-1.
        case foreignEncoding(String)
        /// Invalid XML, with the expectation.
        case defect(StaticString)
    }

    /// An attribute of the latest tag.
    package struct Attribute: Sendable {
        package let name: [UInt8]
        package let value: [UInt8]
    }

    private enum State: Sendable {
        /// Between tags. Changes to `markup` at `<`, to `entity` at `&`.
        case text
        /// After `<`: the next byte decides the kind.
        case markup
        /// In the name of a start tag.
        case startName
        /// In the name of an end tag.
        case endName
        /// In a start tag, before an attribute, `/` or `>`.
        case tag
        /// After `/` in a start tag, where only `>` is allowed.
        case emptyTag
        /// In the name of an attribute.
        case attributeName
        /// After `=`, where a quote is required.
        case beforeValue
        /// In an attribute's value, up to this quote.
        case value(quote: UInt8)
        /// In an entity, within an attribute's value (with this quote) or, without a quote, within text.
        case entity(quote: UInt8?)
        /// After `<!`: a comment, CDATA or a DOCTYPE, depending on `scratch`.
        case declaration
        /// In a comment or processing instruction, up to its end: `-->`, `?>`.
        case skipped(MarkupKind, matched: Int)
        /// In CDATA, after `matched` bytes of its end `]]>`.
        case cdata(matched: Int)
        /// In a DOCTYPE with this many open `[` and `<`.
        case doctype(depth: Int)
    }

    private enum MarkupKind: Sendable {
        case comment, instruction
    }

    private static let maximumName = 128
    private static let maximumValue = 1024
    private static let maximumAttributes = 32

    /// The latest tag's name, without its prefix.
    package private(set) var name: [UInt8] = []
    /// The latest start tag's attributes.
    package private(set) var attributes: [Attribute] = []
    /// The text since the latest tag, at most ``maximumText`` bytes of it.
    package private(set) var text: [UInt8] = []
    /// The maximum length of a stored text, in bytes.
    package let maximumText: Int
    private var state = State.text
    /// Whether each byte of a text is a character of ISO-8859-1.
    private var isLatin1 = false
    private var attributeName: [UInt8] = []
    private var value: [UInt8] = []
    private var scratch: [UInt8] = []
    /// Whether a tag has followed the latest NUL, so that another NUL is reported.
    private var hasTagBehindHole = true

    /// A tokenizer at the beginning of a document.
    ///
    /// - Parameter maximumText: The maximum length of a stored text, in bytes; the rest is skipped.
    package init(maximumText: Int = 1024) { self.maximumText = maximumText }

    /// Processes the next byte and returns the token that it completes.
    package mutating func push(_ byte: UInt8) -> Token? {
        if byte == 0 { return passHole() }
        switch state {
        case .text: return textByte(byte)
        case .markup: return markupByte(byte)
        case .startName: return startNameByte(byte)
        case .endName: return endNameByte(byte)
        case .tag: return tagByte(byte)
        case .emptyTag:
            return byte == UInt8(ascii: ">") ? finishTag(.empty) : fail("expected > after / in a tag", at: byte)
        case .attributeName: return attributeNameByte(byte)
        case .beforeValue: return beforeValueByte(byte)
        case .value(let quote): return valueByte(byte, quote)
        case .entity(let quote): return entityByte(byte, quote)
        case .declaration: return declarationByte(byte)
        case .skipped(let kind, let matched): return skippedByte(byte, kind, matched)
        case .cdata(let matched): return cdataByte(byte, matched)
        case .doctype(let depth): return doctypeByte(byte, depth)
        }
    }

    /// Discards the open construct. An unexpected `<` begins the next tag.
    private mutating func fail(_ expectation: StaticString, at byte: UInt8) -> Token {
        state = byte == UInt8(ascii: "<") ? .markup : .text
        text.removeAll(keepingCapacity: true)
        return .defect(expectation)
    }

    /// Skips a NUL, which XML does not allow (section 2.2). NULs indicate that a file system has lost a part of the
    /// file, so the constructs before them do not continue after them.
    private mutating func passHole() -> Token? {
        state = .text
        text.removeAll(keepingCapacity: true)
        defer { hasTagBehindHole = false }
        return hasTagBehindHole ? .defect("expected no NUL: a part of the document is lost") : nil
    }

    // MARK: Text

    private mutating func textByte(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: "<"): state = .markup
        case UInt8(ascii: "&"): beginEntity(quote: nil)
        default: appendText(byte)
        }
        return nil
    }

    private mutating func appendText(_ byte: UInt8) {
        guard isLatin1, byte >= 0x80 else { return appendUnit(byte) }
        for unit in XMLEncoding.utf8(latin1: byte) { appendUnit(unit) }
    }

    private mutating func appendUnit(_ unit: UInt8) {
        if text.count < maximumText { text.append(unit) }
    }

    private mutating func beginEntity(quote: UInt8?) {
        scratch.removeAll(keepingCapacity: true)
        state = .entity(quote: quote)
    }

    private mutating func entityByte(_ byte: UInt8, _ quote: UInt8?) -> Token? {
        guard byte == UInt8(ascii: ";") else {
            guard scratch.count < 10, !byte.isWhiteSpace, byte != UInt8(ascii: "<") else {
                return fail("expected an entity to end with ;", at: byte)
            }
            scratch.append(byte)
            return nil
        }
        guard let character = XMLEntity.character(named: scratch.span) else {
            return fail("expected one of the entities that XML defines itself", at: byte)
        }
        if let quote {
            state = .value(quote: quote)
            for unit in character.utf8 { appendValueUnit(unit) }
        } else {
            state = .text
            for unit in character.utf8 { appendUnit(unit) }
        }
        return nil
    }

    // MARK: Tags

    private mutating func markupByte(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: "/"):
            name.removeAll(keepingCapacity: true)
            state = .endName
        case UInt8(ascii: "!"):
            scratch.removeAll(keepingCapacity: true)
            state = .declaration
        case UInt8(ascii: "?"):
            scratch.removeAll(keepingCapacity: true)
            state = .skipped(.instruction, matched: 0)
        default:
            guard byte.beginsName else { return fail("expected a name after <", at: byte) }
            name.removeAll(keepingCapacity: true)
            name.append(byte)
            attributes.removeAll(keepingCapacity: true)
            state = .startName
        }
        return nil
    }

    private mutating func startNameByte(_ byte: UInt8) -> Token? {
        if byte.isInName {
            return appendName(byte)
        }
        state = .tag
        return tagByte(byte)
    }

    /// Appends to the name; a colon ends its prefix, which is dropped.
    private mutating func appendName(_ byte: UInt8) -> Token? {
        if byte == UInt8(ascii: ":") {
            name.removeAll(keepingCapacity: true)
        } else {
            guard name.count < Self.maximumName else { return fail("expected a name of at most 128 bytes", at: byte) }
            name.append(byte)
        }
        return nil
    }

    private mutating func endNameByte(_ byte: UInt8) -> Token? {
        if byte.isInName { return appendName(byte) }
        if byte == UInt8(ascii: ">"), !name.isEmpty {
            state = .text
            hasTagBehindHole = true
            return .end
        }
        return byte.isWhiteSpace ? nil : fail("expected > after the name of an end tag", at: byte)
    }

    private mutating func tagByte(_ byte: UInt8) -> Token? {
        switch byte {
        case UInt8(ascii: ">"): return finishTag(.start)
        case UInt8(ascii: "/"): state = .emptyTag
        default:
            if byte.isWhiteSpace { return nil }
            guard byte.beginsName, attributes.count < Self.maximumAttributes else {
                return fail("expected an attribute, / or > in a tag", at: byte)
            }
            attributeName.removeAll(keepingCapacity: true)
            attributeName.append(byte)
            state = .attributeName
        }
        return nil
    }

    private mutating func finishTag(_ token: Token) -> Token {
        text.removeAll(keepingCapacity: true)
        state = .text
        hasTagBehindHole = true
        return token
    }

    // MARK: Attributes

    private mutating func attributeNameByte(_ byte: UInt8) -> Token? {
        if byte == UInt8(ascii: "=") {
            state = .beforeValue
        } else if byte == UInt8(ascii: ":") {
            attributeName.removeAll(keepingCapacity: true)
        } else if byte.isInName, attributeName.count < Self.maximumName {
            attributeName.append(byte)
        } else if !byte.isWhiteSpace {
            return fail("expected = after the name of an attribute", at: byte)
        }
        return nil
    }

    private mutating func beforeValueByte(_ byte: UInt8) -> Token? {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            value.removeAll(keepingCapacity: true)
            state = .value(quote: byte)
            return nil
        }
        return byte.isWhiteSpace ? nil : fail("expected the value of an attribute in quotes", at: byte)
    }

    private mutating func valueByte(_ byte: UInt8, _ quote: UInt8) -> Token? {
        switch byte {
        case quote:
            attributes.append(Attribute(name: attributeName, value: value))
            state = .tag
        case UInt8(ascii: "&"): beginEntity(quote: quote)
        case UInt8(ascii: "<"): return fail("expected no < in the value of an attribute", at: byte)
        default: appendValue(byte)
        }
        return nil
    }

    private mutating func appendValue(_ byte: UInt8) {
        guard isLatin1, byte >= 0x80 else { return appendValueUnit(byte) }
        for unit in XMLEncoding.utf8(latin1: byte) { appendValueUnit(unit) }
    }

    private mutating func appendValueUnit(_ unit: UInt8) {
        if value.count < Self.maximumValue { value.append(unit) }
    }

    // MARK: Skipped constructs

    private mutating func declarationByte(_ byte: UInt8) -> Token? {
        scratch.append(byte)
        if scratch.span.equals("--") {
            state = .skipped(.comment, matched: 0)
        } else if scratch.span.equals("[CDATA[") {
            state = .cdata(matched: 0)
        } else if scratch.span.equals("DOCTYPE") {
            state = .doctype(depth: 1)
        } else if scratch.count >= 7 {
            return fail("expected a comment, CDATA or DOCTYPE after <!", at: byte)
        }
        return nil
    }

    private mutating func skippedByte(_ byte: UInt8, _ kind: MarkupKind, _ matched: Int) -> Token? {
        switch kind {
        case .comment:
            // A comment ends with two or more hyphens and a >; a third hyphen keeps the match.
            if byte == UInt8(ascii: "-") {
                state = .skipped(kind, matched: min(matched + 1, 2))
            } else if byte == UInt8(ascii: ">"), matched == 2 {
                state = .text
            } else {
                state = .skipped(kind, matched: 0)
            }
            return nil
        case .instruction:
            if byte == UInt8(ascii: ">"), matched == 1 {
                state = .text
                return takeInstruction()
            }
            if scratch.count < Self.maximumValue { scratch.append(byte) }
            state = .skipped(kind, matched: byte == UInt8(ascii: "?") ? 1 : 0)
            return nil
        }
    }

    private mutating func takeInstruction() -> Token? {
        switch XMLEncoding(declaration: scratch.span) {
        case .utf8, nil: return nil
        case .latin1:
            isLatin1 = true
            return nil
        case .foreign(let name): return .foreignEncoding(name)
        }
    }

    private mutating func cdataByte(_ byte: UInt8, _ matched: Int) -> Token? {
        if byte == UInt8(ascii: "]"), matched < 2 {
            state = .cdata(matched: matched + 1)
        } else if byte == UInt8(ascii: ">"), matched == 2 {
            state = .text
        } else if byte == UInt8(ascii: "]") {
            appendText(byte)
        } else {
            for _ in 0..<matched { appendText(UInt8(ascii: "]")) }
            appendText(byte)
            state = .cdata(matched: 0)
        }
        return nil
    }

    private mutating func doctypeByte(_ byte: UInt8, _ depth: Int) -> Token? {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "<"): state = .doctype(depth: depth + 1)
        case UInt8(ascii: "]"), UInt8(ascii: ">"): state = depth == 1 ? .text : .doctype(depth: depth - 1)
        default: break
        }
        return nil
    }
}
