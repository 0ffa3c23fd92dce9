public import TrackEngine

/// Reads the fixes of a document that arrives in pieces of any size, in bounded memory.
///
/// A pure value: it opens no file, has no clock and never waits. The same bytes give the same fixes, independent of
/// their division into pieces. No input crashes it or makes it use more than about 20 megabytes. Data that cannot
/// become a fix is reported as a problem with its line, and the rest is read. Documents are UTF-8, or UTF-16 with a
/// byte order mark; XML may also be ISO-8859-1.
///
/// Call `read` for each piece and ``finish()`` once, after the last one.
public struct TrackReader: Sendable {
    private var decoder: any TrackDecoder
    private var text = DocumentText()

    /// A reader at the start of a document.
    ///
    /// - Parameters:
    ///   - format: The format of the document.
    ///   - startDate: Any time in the UTC day on which the document begins: for NMEA without RMC and ZDA, which has
    ///     no date. Other formats do not use it.
    ///   - zone: The zone of times without one.
    public init(_ format: TrackFormat, startDate: Timestamp? = nil, zone: ZoneOffsetTable = .utc) {
        decoder = format.makeDecoder(day: startDate?.daysSince1970, zone: zone)
    }

    /// Reads the next piece of the document.
    ///
    /// - Returns: The results that it completes.
    public mutating func read(_ piece: Span<UInt8>) -> TrackChunk {
        var chunk = TrackChunk()
        switch text.next(piece) {
        case .same(let range): decoder.decode(piece.extracting(range), into: &chunk)
        case .converted(let bytes): decoder.decode(bytes.span, into: &chunk)
        }
        return chunk
    }

    /// Reads the next piece of the document.
    ///
    /// - Returns: The results that it completes.
    public mutating func read(_ piece: [UInt8]) -> TrackChunk {
        read(piece.span)
    }

    /// Ends the document. No bytes are read afterwards.
    ///
    /// - Returns: The held results, with a problem if the end is missing.
    public mutating func finish() -> TrackChunk {
        var chunk = TrackChunk()
        decoder.decode(text.finish().span, into: &chunk)
        decoder.finish(into: &chunk)
        return chunk
    }
}

extension TrackFormat {
    /// A reader for one document of this format.
    ///
    /// - Parameters:
    ///   - startDate: Any time in the UTC day on which the document begins, for NMEA without a date.
    ///   - zone: The zone of times without one.
    public func makeReader(startDate: Timestamp? = nil, zone: ZoneOffsetTable = .utc) -> TrackReader {
        TrackReader(self, startDate: startDate, zone: zone)
    }

    /// The fixes and problems of a whole document in memory.
    ///
    /// - Parameter document: The document, not compressed.
    public func read(_ document: [UInt8]) -> TrackChunk {
        var reader = makeReader()
        var chunk = reader.read(document)
        chunk.append(reader.finish())
        return chunk
    }

    /// A decoder at the start of a document.
    ///
    /// - Parameters:
    ///   - day: The days from 1970 to the document's first day, for NMEA without dates.
    ///   - zone: The zone of times without one.
    package func makeDecoder(day: Int64? = nil, zone: ZoneOffsetTable = .utc) -> any TrackDecoder {
        switch self {
        case .gpx: GPXDecoder(zone: zone)
        case .geojson: GeoJSONDecoder(zone: zone)
        case .kml: KMLDecoder(zone: zone)
        case .csv: LineDecoder(CSVParser(zone: zone), maximumLength: CSVParser.maximumLineLength)
        case .ndjson: NDJSONDecoder(zone: zone)
        case .nmea:
            LineDecoder(NMEAParser(day: day), maximumLength: NMEAParser.maximumLineLength, boundary: UInt8(ascii: "$"))
        }
    }

    /// A decoder of tables that may name the zones of their times.
    ///
    /// - Parameters:
    ///   - zone: the zone of times that name none.
    ///   - named: finds the zone of a name.
    static func makeTableDecoder(zone: ZoneOffsetTable, named: @escaping ZoneNames) -> any TrackDecoder {
        LineDecoder(CSVParser(zone: zone, named: named), maximumLength: CSVParser.maximumLineLength)
    }
}

extension Timestamp {
    /// Whole days since 1970, rounded down.
    package var daysSince1970: Int64 {
        let seconds = secondsSince1970
        return seconds >= 0 ? seconds / 86_400 : (seconds + 1) / 86_400 - 1
    }
}
