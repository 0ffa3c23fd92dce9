internal import TrackEngine

/// Reads records in CalmGeo's format, one JSON object per line, or an array of them as in a request, and the lines
/// of OwnTracks Recorder's files (``OwnTracksLine``).
///
/// The first byte other than white space and comments determines the layout.
struct NDJSONDecoder: TrackDecoder {
    private enum Format {
        /// Only white space and comments so far, which are kept, up to ``maximumPreamble``.
        case unknown([UInt8])
        case lines(LineDecoder<TrackElementParser>)
        case elements(GeoJSONDecoder)
    }

    /// The length of the beginning that is searched before the file counts as lines, in bytes.
    private static let maximumPreamble = 4096

    private let zone: ZoneOffsetTable
    private var layout = Format.unknown([])

    /// - Parameter zone: The zone of times without one.
    init(zone: ZoneOffsetTable = .utc) { self.zone = zone }

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
            layout = .unknown([])  // avoids a copy of the decoder
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
