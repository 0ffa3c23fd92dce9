internal import TrackEngine

/// A decoder of an XML format: the conforming type interprets the tags, the extension handles the document.
protocol XMLTrackDecoder: TrackDecoder {
    /// The name of the format's outermost element.
    static var root: String { get }
    /// The expected content of a document in which no fix was found, in words that complete "expected …".
    static var content: String { get }
    /// The reading state of the document.
    var document: XMLDocument { get set }

    /// Processes a start tag; the tokenizer has its name and attributes.
    mutating func start(into chunk: inout TrackChunk)
    /// Processes an end tag and the text before it.
    mutating func end(text: [UInt8], into chunk: inout TrackChunk)
    /// Discards open elements, because the document is not well-formed here, or ends. Reading continues with the
    /// next tag.
    mutating func giveUp(into chunk: inout TrackChunk)
}

/// The reading state of a document.
struct XMLDocument {
    var tokenizer = XMLReader()
    /// The line of the latest byte, from 1 on.
    var line: Int { lines.number }
    fileprivate var lines = LineCounter()
    var hasRoot = false
    var hasRootEnd = false
    /// Whether the document contains a possible fix.
    var hasPoint = false
    /// Whether the encoding cannot be read.
    fileprivate var isForeign = false
}

extension XMLTrackDecoder {
    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        for index in 0..<bytes.count {
            if document.isForeign { return }
            let byte = bytes[index]
            if let token = document.tokenizer.push(byte) { take(token, into: &chunk) }
            document.lines.pass(byte)
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        if document.isForeign { return }
        giveUp(into: &chunk)
        if !document.hasRoot {
            chunk.report(.malformed, line: document.line, "expected a \(Self.root) element")
        } else if !document.hasRootEnd {
            chunk.report(.malformed, line: document.line, "expected </\(Self.root)>: the file is cut")
        } else if !document.hasPoint {
            chunk.report(.incomplete, line: document.line, "expected \(Self.content)")
        }
    }

    private mutating func take(_ token: XMLReader.Token, into chunk: inout TrackChunk) {
        switch token {
        case .start: start(into: &chunk)
        case .empty:
            start(into: &chunk)
            end(text: [], into: &chunk)
        case .end: end(text: document.tokenizer.text, into: &chunk)
        case .foreignEncoding(let name):
            guard !XMLEncoding.isReadableWithoutLetters(name) else { return }
            chunk.report(
                .malformed, line: document.line, "encoding \(name): expected UTF-8 or another extension of ASCII")
            document.isForeign = true
        case .defect(let expectation):
            chunk.report(.malformed, line: document.line, "\(expectation)")
            giveUp(into: &chunk)
        }
    }
}
