internal import TrackEngine

/// Reads the track points of GPX 1.0 and 1.1, all tracks and segments in the order of the file.
///
/// Way points and routes are places, not fixes, and are skipped. A point that is cut or not well-formed is reported,
/// and reading continues with the next one. `ele` counts as the height above mean sea level, as GPX defines it.
struct GPXDecoder: XMLTrackDecoder {
    static let root = "gpx"
    static let content = "track points (trkpt); way points and routes are passed over"

    /// The position of the reader.
    private enum Place {
        /// Outside of any point.
        case outside
        /// In a point, at this depth of elements; in its extensions from that depth on.
        case point(GPXPoint, depth: Int, extensions: Int?)
    }

    /// The relevant elements.
    private enum Element {
        case root, track, segment, point, extensions
        case value(GPXPoint.Element)
    }

    private let values = GPXPoint.elements
    private let zone: ZoneOffsetTable
    var document = XMLDocument()
    private var place = Place.outside

    /// - Parameter zone: The zone of times without one.
    init(zone: ZoneOffsetTable = .utc) { self.zone = zone }

    mutating func giveUp(into chunk: inout TrackChunk) { place = .outside }

    /// The meaning of the latest tag; `nil` for an irrelevant one.
    private var element: Element? {
        let name = document.tokenizer.name.span
        if let value = values[name] { return .value(value) }
        if name.equals("trkpt") { return .point }
        if name.equals("trk") { return .track }
        if name.equals("trkseg") { return .segment }
        if name.equals("extensions") { return .extensions }
        return name.equals("gpx") ? .root : nil
    }

    mutating func start(into chunk: inout TrackChunk) {
        let element = element
        if case .root = element { document.hasRoot = true }
        switch place {
        case .outside:
            if case .point = element { begin() }
            if case .track = element { chunk.beginTrack(line: document.line) }
            if case .segment = element { chunk.beginTrack(line: document.line) }
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
        document.hasPoint = true
        let point = GPXPoint(line: document.line, attributes: document.tokenizer.attributes)
        place = .point(point, depth: 0, extensions: nil)
    }

    mutating func end(text: [UInt8], into chunk: inout TrackChunk) {
        let element = element
        if case .root = element { document.hasRootEnd = true }
        guard case .point(var point, let depth, let extensions) = place else { return }
        if case .point = element {
            point.deliver(into: &chunk)
            place = .outside
            return
        }
        if case .value(let value) = element, Self.counts(value, depth: depth, extensions: extensions) {
            point.set(value, text.span.extracting(text.span.trimmedRange), zone)
        }
        let left = extensions.flatMap { depth > $0 ? $0 : nil }
        place = .point(point, depth: max(0, depth - 1), extensions: left)
    }

    /// Whether an element counts: the point's own children, and in its extensions the values that GPX 1.1 has only
    /// there: speed, course, bearing, accuracies.
    private static func counts(_ element: GPXPoint.Element, depth: Int, extensions: Int?) -> Bool {
        switch element {
        case .bearing, .horizontalAccuracy, .verticalAccuracy: extensions != nil
        case .speed, .course: extensions != nil || depth == 1
        case .elevation, .time, .geoidHeight, .satellites, .horizontalDilution, .positionDilution, .fix:
            extensions == nil && depth == 1
        }
    }
}
