internal import TrackEngine

/// Takes the objects of a JSON stream one after the other.
protocol JSONElementParser: Sendable {
    /// Takes one object, from its brace to its brace, and the line on which it begins.
    mutating func parse(_ element: Span<UInt8>, line: Int, into chunk: inout TrackChunk)
}

/// Cuts JSON of any length into the objects that may be positions, without ever holding more than one of them.
///
/// Such an object is an element of `features` or `locations` in an object (a GeoJSON collection, an Overland body), an
/// element of an array, or an object that stands by itself: one, or many after each other (newline-delimited).
/// Everything beside them is skipped. The splitter only follows strings and brackets; what is inside an object is for the
/// parser to judge.
///
/// After a cut record it finds its way again: no writer begins a line with `{` in the middle of an element, so such a line
/// begins anew, at the top.
struct JSONElementSplitter {
    /// Where elements are looked for.
    private enum Container {
        /// At the top: an object here is an element, or turns out to be an envelope.
        case top
        /// In an array at the top.
        case array
        /// In an object that has shown its `features` or `locations`, but outside of that array.
        case envelope
        /// In the array of an envelope.
        case features

        /// How many brackets are open where an element begins; `nil` where none can.
        var elementDepth: Int? {
            switch self {
            case .top: 0
            case .array: 1
            case .envelope: nil
            case .features: 2
            }
        }
    }

    /// What becomes of the bytes that pass.
    private enum Capture {
        /// They are between elements, or belong to one that is given up.
        case none
        /// They belong to an element that began at this line; those of earlier pieces are in `kept`.
        case element(line: Int)
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

    private let maximumLength: Int
    private var container = Container.top
    private var capture = Capture.none
    private var place = Place.structure
    private var depth = 0
    private var line = 1
    private var isLineStart = true
    private var lastStrayLine = 0
    private var kept: [UInt8] = []
    /// Where the captured element goes on in this piece.
    private var start = 0
    /// The latest string directly in an outermost object, as far as a name that counts is long.
    private var name: [UInt8] = []

    /// - Parameter maximumLength: the largest object that is taken, in bytes.
    init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Hands every object that ends in this piece to the parser.
    mutating func push(_ bytes: Span<UInt8>, to parser: inout some JSONElementParser, into chunk: inout TrackChunk) {
        start = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            switch place {
            case .structure: structureByte(byte, at: index, of: bytes, to: &parser, into: &chunk)
            case .string: stringByte(byte, into: &chunk)
            case .escape: place = .string
            case .comment: if byte == 0x0a { place = .structure }
            }
            isLineStart = byte == 0x0a
            if isLineStart { line += 1 }
        }
        if case .element = capture { keep(bytes.extracting(start..<bytes.count)) }
    }

    /// Reports what the end of the file cuts.
    mutating func finish(into chunk: inout TrackChunk) {
        guard depth > 0 || place == .string || place == .escape else { return }
        chunk.report(.malformed, line: line, "expected the end of the JSON text: the file is cut")
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func structureByte(
        _ byte: UInt8, at index: Int, of bytes: Span<UInt8>, to parser: inout some JSONElementParser,
        into chunk: inout TrackChunk
    ) {
        switch byte {
        case UInt8(ascii: "\""):
            place = .string
            if depth == 1 { name.removeAll(keepingCapacity: true) }
        case UInt8(ascii: "{"): openObject(at: index, into: &chunk)
        case UInt8(ascii: "["): openArray()
        case UInt8(ascii: "}"):
            close(into: &chunk)
            if depth == container.elementDepth { deliver(bytes, upTo: index + 1, to: &parser, into: &chunk) }
            if depth == 0 { container = .top }
        case UInt8(ascii: "]"):
            close(into: &chunk)
            if case .features = container, depth == 1 { container = .envelope }
            if depth == 0 { container = .top }
        default:
            if depth == 0 { topByte(byte, into: &chunk) }
        }
    }

    private mutating func stringByte(_ byte: UInt8, into chunk: inout TrackChunk) {
        switch byte {
        case UInt8(ascii: "\""): place = .structure
        case UInt8(ascii: "\\"): place = .escape
        case 0x0a:  // no string holds a raw line feed: the record was cut here
            place = .structure
            giveUp(into: &chunk)
        default: if depth == 1, name.count < 12 { name.append(byte) }
        }
    }

    /// At the top there may be white space, commas, record separators (RFC 8142) and comments; the rest is reported, once
    /// a line.
    private mutating func topByte(_ byte: UInt8, into chunk: inout TrackChunk) {
        if byte == UInt8(ascii: "#"), isLineStart {
            place = .comment
        } else if !byte.isWhiteSpace, byte != UInt8(ascii: ","), byte != 0x1e {
            reportStray(into: &chunk)
        }
    }

    private mutating func reportStray(into chunk: inout TrackChunk) {
        guard line != lastStrayLine else { return }
        lastStrayLine = line
        chunk.report(.malformed, line: line, "expected a JSON object")
    }

    // MARK: Brackets

    private mutating func openObject(at index: Int, into chunk: inout TrackChunk) {
        if isLineStart, let elementDepth = container.elementDepth, depth > elementDepth {
            giveUp(into: &chunk)
            depth = 0
            container = .top
        }
        if depth == container.elementDepth {
            capture = .element(line: line)
            start = index
        }
        depth += 1
    }

    private mutating func openArray() {
        if depth == 0 {
            container = .array
        } else if depth == 1, isEnvelopeLevel, nameIsFeatures {
            container = .features
            capture = .none
            kept.removeAll(keepingCapacity: true)
        }
        depth += 1
    }

    private var isEnvelopeLevel: Bool {
        switch container {
        case .top, .envelope: true
        case .array, .features: false
        }
    }

    private var nameIsFeatures: Bool { name.span.equals("features") || name.span.equals("locations") }

    private mutating func close(into chunk: inout TrackChunk) {
        if depth == 0 { return reportStray(into: &chunk) }
        depth -= 1
    }

    // MARK: Elements

    private mutating func deliver(
        _ bytes: Span<UInt8>, upTo end: Int, to parser: inout some JSONElementParser, into chunk: inout TrackChunk
    ) {
        let last = bytes.extracting(start..<max(start, end))
        if case .element(let line) = capture {
            if kept.isEmpty, last.count <= maximumLength {
                parser.parse(last, line: line, into: &chunk)
            } else {
                keep(last)
            }
        }
        if case .element(let line) = capture, !kept.isEmpty {
            parser.parse(kept.span, line: line, into: &chunk)
        }
        if case .oversized(let line) = capture {
            chunk.report(.oversized, line: line, "expected at most \(maximumLength) bytes in an object")
        }
        capture = .none
        kept.removeAll(keepingCapacity: true)
    }

    private mutating func keep(_ part: Span<UInt8>) {
        guard case .element(let line) = capture else { return }
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
        case .element(let line), .oversized(let line):
            capture = .none
            chunk.report(.malformed, line: line, "expected the end of the object: it is cut")
        }
    }
}
