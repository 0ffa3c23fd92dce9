internal import TrackEngine

/// Reads records in the shape of CalmGeo, one JSON object a line, or an array of them as one request holds it; and the
/// lines of OwnTracks Recorder's files (``OwnTracksLine``).
///
/// The first byte beside white space and comments tells which.
struct NDJSONDecoder: TrackDecoder {
    private enum Layout {
        /// Nothing but white space and comments so far, which are kept, up to ``maximumPreamble``.
        case unknown([UInt8])
        case lines(LineDecoder<TrackElementParser>)
        case elements(GeoJSONDecoder)
    }

    /// How much of a file is looked at before it counts as lines.
    private static let maximumPreamble = 4096

    private let zone: ZoneOffsets
    private var layout = Layout.unknown([])

    /// - Parameter zone: of times that name none.
    init(zone: ZoneOffsets = .utc) { self.zone = zone }

    mutating func decode(_ bytes: Span<UInt8>, into chunk: inout TrackChunk) {
        switch layout {
        case .unknown(var held):
            bytes.withUnsafeBufferPointer { held.append(contentsOf: $0) }
            let start = held.span.firstContent
            guard start < held.count || held.count > Self.maximumPreamble else {
                layout = .unknown(held)
                return
            }
            begin(isArray: start < held.count && held[start] == UInt8(ascii: "["))
            decode(held.span, into: &chunk)
        case .lines(var lines):
            layout = .unknown([])  // so that the decoder is not copied while it works
            lines.decode(bytes, into: &chunk)
            layout = .lines(lines)
        case .elements(var elements):
            layout = .unknown([])
            elements.decode(bytes, into: &chunk)
            layout = .elements(elements)
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        switch layout {
        case .unknown: break
        case .lines(var lines): lines.finish(into: &chunk)
        case .elements(var elements): elements.finish(into: &chunk)
        }
    }

    private mutating func begin(isArray: Bool) {
        layout =
            isArray
            ? .elements(GeoJSONDecoder(zone: zone))
            : .lines(LineDecoder(TrackElementParser(zone: zone), maximumLength: TrackElementParser.maximumLength))
    }
}
