internal import TrackEngine

/// Takes the objects of a JSON stream one after the other.
protocol JSONElementParser: Sendable {
    /// Takes one object, from its brace to its brace, and the line on which it begins.
    mutating func parse(_ element: Span<UInt8>, line: Int, into chunk: inout TrackChunk)
}

/// Cuts JSON of any length into the objects that may be positions, without ever holding more than one of them.
///
/// Such an object is an element of `features`, `locations`, `semanticSegments` or `rawSignals` in an object (a GeoJSON
/// collection, an Overland body, a Google timeline), an element of an array, or an object that stands by itself: one, or many after each other (newline-delimited). An element
/// of an array may be such an envelope, too. Everything beside them is skipped. The splitter only follows strings and
/// brackets; what is inside an object is for the parser to judge.
///
/// After a cut record it finds its way again. An array, or an envelope, where an element of an envelope is expected
/// begins a document: the one before it was cut between two elements. So does a line that begins with `{` where no value
/// can stand, and what follows a record separator (RFC 8142). Where a value can stand, behind a colon or in an array, the
/// line is taken for a part of the element first; when that turns out wrong, what follows the line's beginning is read
/// again, and lines that begin with `{` begin documents from there on. So no byte is read more than twice.
struct JSONElementSplitter {
    /// Where elements are looked for.
    private enum Container {
        /// At the top: an object here is an element, or turns out to be an envelope.
        case top
        /// In an array at the top.
        case array
        /// In an object that has shown such a list, but outside of it.
        case envelope
        /// In the array of an envelope.
        case features

        /// How many brackets of its document are open where an element begins; `nil` where none can.
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
    private struct Doubt {
        /// Where it begins in the element.
        let offset: Int
        let line: Int
    }

    /// What becomes of the bytes that pass.
    private enum Capture {
        /// They are between elements, or belong to one that is given up.
        case none
        /// They belong to an element that began at this line, and in which the first of such lines is the doubt; those of
        /// earlier pieces are in `kept`.
        case element(line: Int, doubt: Doubt?)
        /// They belong to an element that has passed the bound.
        case oversized(line: Int)
    }

    /// What the next byte is part of.
    private enum Place {
        case structure
        case string
        /// A string, behind a backslash.
        case escape
        /// A line at the top that begins with `#`.
        case comment
    }

    /// How long an element with a doubt may become before it is read again: what is longer is hardly ever one element.
    private static let maximumDoubt = 65_536

    private let maximumLength: Int
    private var container = Container.top {
        didSet { nameDepth = (container.elementDepth ?? 0) + base + 1 }
    }
    /// How many brackets are open where the envelope begins: 1 for one in an array at the top.
    private var base = 0
    /// How many brackets are open in an object that may turn out to be an envelope.
    private var nameDepth = 1
    private var capture = Capture.none
    private var place = Place.structure
    private var brackets = JSONBrackets()
    private var lines = LineCounter()
    /// Whether a line that begins with `{` begins a document wherever it stands.
    private var hasDocumentLines = false
    private var lastStrayLine = 0
    private var kept: [UInt8] = []
    /// Where the captured element goes on in this piece.
    private var start = 0
    /// The latest string directly in an object that may be an envelope, as far as a name that counts is long.
    private var name: [UInt8] = []

    /// - Parameter maximumLength: the largest object that is taken, in bytes.
    init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Hands every object that ends in this piece to the parser.
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

    /// Reports what the end of the file cuts.
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
            if depth == nameDepth { name.removeAll(keepingCapacity: true) }
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
        case 0x0a, 0x0d, Self.recordSeparator:  // no string holds one of them raw: the record was cut here
            if isBeyondBound(at: index, of: bytes) || hasDoubt {
                return takeAnew(at: index, of: bytes, to: &parser, into: &chunk)
            }
            place = .structure
            giveUp(into: &chunk)
            if byte == Self.recordSeparator { goToTop() }
        default: if depth == nameDepth, name.count < 17 { name.append(byte) }
        }
    }

    /// The lists of elements in an envelope: GeoJSON's, Overland's and Google's.
    private static let lists = NameTable<Bool>([
        "features": true, "locations": true, "semanticSegments": true, "rawSignals": true,
    ])

    /// Begins each text of a sequence (RFC 8142).
    private static let recordSeparator: UInt8 = 0x1e

    /// At the top there may be white space, commas, record separators (RFC 8142) and comments; the rest is reported, once
    /// a line.
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
            giveUp(into: &chunk)  // one that a wrong bracket has left open
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
        } else if depth == nameDepth, Self.lists[name.span] != nil {
            openFeatures(into: &chunk)
        }
        brackets.open(isArray: true)
    }

    /// The open object turns out to be an envelope: an outermost one, one in an array, or one behind a document that was
    /// cut between two elements.
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

    /// Whether a line that begins with `{` begins a document; where it may, it is noted.
    private mutating func beginsDocument(at index: Int) -> Bool {
        guard let elementDepth, depth > elementDepth else { return false }
        guard !hasDocumentLines, brackets.expectsValue else { return true }
        switch capture {
        case .none: return true
        case .oversized, .element(_, .some): return false
        case .element(let line, nil):
            capture = .element(line: line, doubt: Doubt(offset: kept.count + index - start, line: lines.number))
            return false
        }
    }

    /// Whether an element with a doubt has passed the bound, so that it is to be read again from there.
    ///
    /// It is not where the line's bracket stands alone, as in JSON that is spread over lines: that is a large element, and
    /// not the many documents, one a line, that a cut one would hold together.
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

    /// Gives up what is open and takes a byte at the top, or wherever the lines that are read again lead.
    private mutating func takeAnew(
        at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser, into chunk: inout TrackChunk
    ) {
        beginAnew(at: index, of: bytes, to: &parser, into: &chunk)
        take(at: index, of: bytes, to: &parser, into: &chunk)
    }

    /// Gives up what is open, and reads again what follows the line that may have begun a document.
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
        brackets = JSONBrackets()
        base = 0
        container = .top
        place = .structure
    }
}
