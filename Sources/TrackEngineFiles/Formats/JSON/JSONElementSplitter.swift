internal import TrackEngine

/// Processes the objects of a JSON stream one after the other.
protocol JSONElementParser: Sendable {
    /// Processes one object, including its braces, that begins in a line.
    mutating func parse(_ element: Span<UInt8>, line: Int, into chunk: inout TrackChunk)
}

/// Splits JSON of any length into the objects that may be positions, and never holds more than one of them.
///
/// Such an object is an element of a list in an object (``JSONTextState/namesList(isElement:)``: a GeoJSON collection,
/// an Overland body, a Google timeline), an element of an array, or a separate object: one, or
/// several in sequence (newline-delimited). An element of an array may also be such an envelope. All other values
/// are skipped. The splitter only follows strings and brackets; the parser evaluates the contents of an object.
///
/// After a cut record the splitter recovers. An array or an envelope in place of an element of an envelope begins a
/// document, because the previous one was cut between two elements. So does a line that begins with `{` where no
/// value is allowed, and the text after a record separator (RFC 8142). Where a value is allowed, after a colon or in
/// an array, the line first counts as a part of the element. If that proves wrong, the text from the beginning of
/// the line is read again, and from there on, lines that begin with `{` begin documents. No byte is thus read more
/// than twice.
struct JSONElementSplitter {
    /// The container in which elements are expected.
    private enum Context {
        /// At the top level: an object here is an element, or proves to be an envelope.
        case top
        /// In an array at the top level.
        case array
        /// In an object with such a list, but outside of the list.
        case envelope
        /// In the array of an envelope.
        case features

        /// The number of open brackets of the document at the beginning of an element; `nil` if none can begin.
        var elementDepth: Int? {
            switch self {
            case .top: 0
            case .array: 1
            case .envelope: nil
            case .features: 2
            }
        }
    }

    /// A line that begins with `{` in an element, and may begin a document.
    private struct Candidate {
        /// The offset of the line in the element.
        let offset: Int
        let line: Int
    }

    /// The treatment of the current bytes.
    private enum Mode {
        /// They are between elements, or belong to a discarded one.
        case none
        /// They belong to an element that began in this line; the doubt is the first doubtful line in it. Bytes of
        /// earlier pieces are in `kept`.
        case element(line: Int, doubt: Candidate?)
        /// They belong to an element that has exceeded the limit.
        case oversized(line: Int)
    }

    /// The syntactic context of the next byte.
    private enum Place {
        case structure
        case string
        /// A string, after a backslash.
        case escape
        /// A line at the top level that begins with `#`.
        case comment
    }

    /// The maximum length of an element with a doubt before it is read again: a longer one is hardly ever a single
    /// element.
    private static let maximumDoubt = 65_536

    private let maximumLength: Int
    private var container = Context.top {
        didSet { nameDepth = (container.elementDepth ?? 0) + base + 1 }
    }
    /// The number of open brackets at the beginning of the envelope: 1 for one in an array at the top level.
    private var base = 0
    /// The number of open brackets in an object that may prove to be an envelope.
    private var nameDepth = 1
    private var capture = Mode.none
    private var place = Place.structure
    private var brackets = JSONTextState()
    private var lines = LineCounter()
    /// Whether a line that begins with `{` begins a document at any place.
    private var hasDocumentLines = false
    private var lastStrayLine = 0
    private var kept: [UInt8] = []
    /// The offset at which the captured element continues in this piece.
    private var start = 0

    /// - Parameter maximumLength: The largest accepted object, in bytes.
    init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Passes every object that ends in this piece to the parser.
    mutating func push(_ bytes: Span<UInt8>, to parser: inout some JSONElementParser, into chunk: inout TrackChunk) {
        start = 0
        for index in 0..<bytes.count {
            take(at: index, of: bytes, to: &parser, into: &chunk)
            lines.pass(bytes[index])
        }
        guard case .element = capture else { return }
        if isBeyondBound(at: bytes.count, of: bytes) {
            beginAnew(at: bytes.count, of: bytes, to: &parser, into: &chunk)
        } else {
            keep(bytes.extracting(start..<bytes.count))
        }
    }

    /// Reports an object or a string that the end of the file cuts.
    mutating func finish(to parser: inout some JSONElementParser, into chunk: inout TrackChunk) {
        if hasDoubt {
            start = 0
            beginAnew(at: 0, of: [UInt8]().span, to: &parser, into: &chunk)
        }
        guard depth > 0 || place == .string || place == .escape else { return }
        chunk.report(.malformed, line: lines.number, "expected the end of the JSON text: the file is cut")
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func take(
        at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser, into chunk: inout TrackChunk
    ) {
        let byte = bytes[index]
        switch place {
        case .structure: structureByte(byte, at: index, of: bytes, to: &parser, into: &chunk)
        case .string: stringByte(byte, at: index, of: bytes, to: &parser, into: &chunk)
        case .escape:
            place = .string
            if byte < 0x20 { stringByte(byte, at: index, of: bytes, to: &parser, into: &chunk) }
        case .comment: if byte.endsLine { place = .structure }
        }
    }

    @inline(__always)
    private mutating func structureByte(
        _ byte: UInt8, at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser,
        into chunk: inout TrackChunk
    ) {
        switch byte {
        case UInt8(ascii: "\""):
            place = .string
            if depth == nameDepth { brackets.beginName() }
        case UInt8(ascii: "{"):
            if isBeyondBound(at: index, of: bytes) || lines.isLineStart && beginsDocument(at: index) {
                return takeAnew(at: index, of: bytes, to: &parser, into: &chunk)
            }
            openObject(at: index, into: &chunk)
        case UInt8(ascii: "["): openArray(into: &chunk)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if isBeyondBound(at: index, of: bytes) || hasDoubt && brackets.isInArray != (byte == UInt8(ascii: "]")) {
                return takeAnew(at: index, of: bytes, to: &parser, into: &chunk)
            }
            close(byte, at: index, of: bytes, to: &parser, into: &chunk)
        case Self.recordSeparator where depth > 0:
            _ = isBeyondBound(at: index, of: bytes)
            takeAnew(at: index, of: bytes, to: &parser, into: &chunk)
        default:
            if depth == 0 { topByte(byte, into: &chunk) }
        }
        brackets.pass(byte)
    }

    private mutating func stringByte(
        _ byte: UInt8, at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser,
        into chunk: inout TrackChunk
    ) {
        switch byte {
        case UInt8(ascii: "\""): place = .structure
        case UInt8(ascii: "\\"): place = .escape
        case 0x0a, 0x0d, Self.recordSeparator:  // not allowed in a string: the record was cut here
            if isBeyondBound(at: index, of: bytes) || hasDoubt {
                return takeAnew(at: index, of: bytes, to: &parser, into: &chunk)
            }
            place = .structure
            giveUp(into: &chunk)
            if byte == Self.recordSeparator { goToTop() }
        default: if depth == nameDepth { brackets.appendToName(byte) }
        }
    }

    /// The byte that begins each text of a sequence (RFC 8142).
    private static let recordSeparator: UInt8 = 0x1e

    /// Processes a byte at the top level. White space, commas, record separators (RFC 8142) and comments are
    /// allowed; others are reported, once per line.
    private mutating func topByte(_ byte: UInt8, into chunk: inout TrackChunk) {
        if byte == UInt8(ascii: "#"), lines.isLineStart {
            place = .comment
        } else if !byte.isWhiteSpace, byte != UInt8(ascii: ","), byte != Self.recordSeparator {
            reportStray(into: &chunk)
        }
    }

    private mutating func reportStray(into chunk: inout TrackChunk) {
        guard lines.number != lastStrayLine else { return }
        lastStrayLine = lines.number
        chunk.report(.malformed, line: lines.number, "expected a JSON object")
    }

    // MARK: Brackets

    private var depth: Int { brackets.depth }

    private mutating func openObject(at index: Int, into chunk: inout TrackChunk) {
        if depth == elementDepth {
            giveUp(into: &chunk)  // an object that a wrong bracket has left open
            capture = .element(line: lines.number, doubt: nil)
            start = index
        }
        brackets.open(isArray: false)
    }

    private var elementDepth: Int? { container.elementDepth.map { $0 + base } }

    private mutating func openArray(into chunk: inout TrackChunk) {
        if depth == elementDepth {
            giveUp(into: &chunk)
            if depth > 0 { reportCutDocument(line: lines.number, into: &chunk) }
            goToTop()
            container = .array
        } else if depth == nameDepth, brackets.namesList(isElement: container == .features) {
            openFeatures(into: &chunk)
        }
        brackets.open(isArray: true)
    }

    /// Handles an open object that proves to be an envelope: an outermost one, one in an array, or one after a
    /// document that was cut between two elements.
    private mutating func openFeatures(into chunk: inout TrackChunk) {
        switch container {
        case .top, .envelope: break
        case .array: base = 1
        case .features:
            switch capture {
            case .none: reportCutDocument(line: lines.number, into: &chunk)
            case .element(let line, _), .oversized(let line): reportCutDocument(line: line, into: &chunk)
            }
            goToTop()
            brackets.open(isArray: false)
        }
        container = .features
        capture = .none
        kept.removeAll(keepingCapacity: true)
    }

    private func reportCutDocument(line: Int, into chunk: inout TrackChunk) {
        chunk.report(.malformed, line: line, "expected the end of the document before: it is cut")
    }

    private mutating func close(
        _ byte: UInt8, at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser,
        into chunk: inout TrackChunk
    ) {
        if depth == 0 { reportStray(into: &chunk) } else { brackets.close() }
        if byte == UInt8(ascii: "}") {
            if depth == elementDepth { deliver(bytes, upTo: index + 1, to: &parser, into: &chunk) }
        } else if case .features = container, depth == base + 1 {
            container = .envelope
        }
        if depth == base { leaveEnvelope() }
    }

    private mutating func leaveEnvelope() {
        if base == 0 {
            container = .top
            return
        }
        base = 0
        container = .array
    }

    // MARK: Elements

    private mutating func deliver(
        _ bytes: Span<UInt8>, upTo end: Int, to parser: inout some JSONElementParser, into chunk: inout TrackChunk
    ) {
        let last = bytes.extracting(start..<max(start, end))
        if case .element(let line, _) = capture {
            if kept.isEmpty, last.count <= maximumLength {
                parser.parse(last, line: line, into: &chunk)
            } else {
                keep(last)
            }
        }
        if case .element(let line, _) = capture, !kept.isEmpty {
            parser.parse(kept.span, line: line, into: &chunk)
        }
        if case .oversized(let line) = capture {
            chunk.report(.oversized, line: line, "expected at most \(maximumLength) bytes in an object")
        }
        capture = .none
        kept.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ part: Span<UInt8>) {
        guard case .element(let line, _) = capture else { return }
        if kept.count + part.count > maximumLength {
            capture = .oversized(line: line)
            kept.removeAll(keepingCapacity: true)
        } else {
            part.withUnsafeBufferPointer { kept.append(contentsOf: $0) }
        }
    }

    private mutating func giveUp(into chunk: inout TrackChunk) {
        kept.removeAll(keepingCapacity: true)
        switch capture {
        case .none: return
        case .element(let line, _), .oversized(let line):
            capture = .none
            chunk.report(.malformed, line: line, "expected the end of the object: it is cut")
        }
    }

    // MARK: Lines that begin documents

    private var hasDoubt: Bool {
        if case .element(_, .some) = capture { true } else { false }
    }

    /// Whether a line that begins with `{` begins a document. A possible beginning is noted as a doubt.
    private mutating func beginsDocument(at index: Int) -> Bool {
        guard let elementDepth, depth > elementDepth else { return false }
        guard !hasDocumentLines, brackets.expectsValue else { return true }
        switch capture {
        case .none: return true
        case .oversized, .element(_, .some): return false
        case .element(let line, nil):
            capture = .element(line: line, doubt: Candidate(offset: kept.count + index - start, line: lines.number))
            return false
        }
    }

    /// Whether an element with a doubt has exceeded the limit and must be read again from there.
    ///
    /// It need not if the line contains only the bracket, as in JSON that is spread over lines: that is a large
    /// element, not many documents, one per line, that a cut one would join.
    private mutating func isBeyondBound(at index: Int, of bytes: Span<UInt8>) -> Bool {
        let length = kept.count + index - start
        guard case .element(let line, let doubt?) = capture, length > Self.maximumDoubt else { return false }
        let next = doubt.offset + 1
        let byte = next < kept.count ? kept[next] : bytes[start + next - kept.count]
        guard byte.isWhiteSpace else { return true }
        guard length > maximumLength else { return false }
        capture = .oversized(line: line)
        kept.removeAll(keepingCapacity: true)
        return false
    }

    /// Discards open constructs and processes a byte at the top level, or wherever the repeated lines lead.
    private mutating func takeAnew(
        at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser, into chunk: inout TrackChunk
    ) {
        beginAnew(at: index, of: bytes, to: &parser, into: &chunk)
        take(at: index, of: bytes, to: &parser, into: &chunk)
    }

    /// Discards open constructs, and reads the text again from the line that may have begun a document.
    private mutating func beginAnew(
        at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser, into chunk: inout TrackChunk
    ) {
        var again: [UInt8] = []
        if case .element(_, let doubt?) = capture {
            again = kept + bytes.copied(start..<index)
            again.removeFirst(doubt.offset)
            hasDocumentLines = true
            lines = LineCounter(number: doubt.line)
        }
        giveUp(into: &chunk)
        goToTop()
        push(again.span, to: &parser, into: &chunk)
        start = index
    }

    private mutating func goToTop() {
        brackets = JSONTextState()
        base = 0
        container = .top
        place = .structure
    }
}
