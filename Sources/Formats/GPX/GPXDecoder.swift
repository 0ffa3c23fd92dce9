internal import TrackEngine

/// Reads the track points of GPX 1.0 and 1.1, all tracks and segments in the order of the file.
///
/// Way points and routes are places, not fixes, and are passed over. A point that is cut or not well-formed is reported
/// and the next one read. `ele` is taken for the height above mean sea level, as GPX defines it.
struct GPXDecoder: TrackDecoder {
    /// Where the reader is.
    private enum Place {
        /// Outside of any point.
        case outside
        /// In a point, this many elements deep; in its extensions from that depth on.
        case point(GPXPoint, depth: Int, extensions: Int?)
        /// Nothing more can be read: the encoding is not UTF-8.
        case stopped
    }

    /// The elements that count.
    private enum Element {
        case root, point, extensions
        case value(GPXPoint.Element)
    }

    private let values = GPXPoint.elements
    private var tokenizer = XMLTokenizer()
    private var place = Place.outside
    private var line = 1
    private var hasRoot = false
    private var hasRootEnd = false
    private var hasPoint = false

    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        for index in 0..<bytes.count {
            if case .stopped = place { return }
            let byte = bytes[index]
            if let token = tokenizer.push(byte) { take(token, into: &chunk) }
            if byte == 0x0a { line += 1 }
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        if case .stopped = place { return }
        if !hasRoot {
            chunk.report(.malformed, line: line, "expected a gpx element")
        } else if !hasRootEnd {
            chunk.report(.malformed, line: line, "expected </gpx>: the file is cut")
        } else if !hasPoint {
            chunk.report(
                .incomplete, line: line, "expected track points (trkpt); way points and routes are passed over")
        }
    }

    private mutating func take(_ token: XMLTokenizer.Token, into chunk: inout TrackChunk) {
        switch token {
        case .start: start(into: &chunk)
        case .empty:
            start(into: &chunk)
            end(text: [], into: &chunk)
        case .end: end(text: tokenizer.text, into: &chunk)
        case .foreignEncoding(let name):
            chunk.report(.malformed, line: line, "encoding \(name): expected UTF-8")
            place = .stopped
        case .defect(let expectation):
            chunk.report(.malformed, line: line, "\(expectation)")
            place = .outside
        }
    }

    /// What the latest tag names; `nil` for what does not count.
    private var element: Element? {
        let name = tokenizer.name.span
        if let value = values[name] { return .value(value) }
        if name.equals("trkpt") { return .point }
        if name.equals("extensions") { return .extensions }
        return name.equals("gpx") ? .root : nil
    }

    private mutating func start(into chunk: inout TrackChunk) {
        let element = element
        if case .root = element { hasRoot = true }
        switch place {
        case .stopped: return
        case .outside:
            if case .point = element { begin() }
        case .point(let point, let depth, let extensions):
            if case .point = element {
                chunk.report(.malformed, line: point.line, "trkpt: expected </trkpt> before the next one")
                begin()
            } else if case .extensions = element {
                place = .point(point, depth: depth + 1, extensions: extensions ?? (depth + 1))
            } else {
                place = .point(point, depth: depth + 1, extensions: extensions)
            }
        }
    }

    private mutating func begin() {
        hasPoint = true
        place = .point(GPXPoint(line: line, attributes: tokenizer.attributes), depth: 0, extensions: nil)
    }

    private mutating func end(text: [UInt8], into chunk: inout TrackChunk) {
        let element = element
        if case .root = element { hasRootEnd = true }
        guard case .point(var point, let depth, let extensions) = place else { return }
        if case .point = element {
            point.deliver(into: &chunk)
            place = .outside
            return
        }
        if case .value(let value) = element, Self.counts(value, depth: depth, extensions: extensions) {
            point.set(value, text.span.extracting(text.span.trimmedRange))
        }
        let left = extensions.flatMap { depth > $0 ? $0 : nil }
        place = .point(point, depth: max(0, depth - 1), extensions: left)
    }

    /// The point's own children count, and in its extensions what GPX 1.1 has nowhere else: speed, course, accuracies.
    private static func counts(_ element: GPXPoint.Element, depth: Int, extensions: Int?) -> Bool {
        switch element {
        case .horizontalAccuracy, .verticalAccuracy: extensions != nil
        case .speed, .course: extensions != nil || depth == 1
        case .elevation, .time, .geoidHeight, .satellites, .horizontalDilution, .positionDilution, .fix:
            extensions == nil && depth == 1
        }
    }
}
