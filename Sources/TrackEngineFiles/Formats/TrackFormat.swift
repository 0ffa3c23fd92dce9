/// A file format for tracks, for reading and writing.
public enum TrackFormat: String, Sendable, Hashable, CaseIterable {
    /// GPX 1.1.
    case gpx
    /// GeoJSON, a `FeatureCollection` of points.
    case geojson
    /// KML 2.2 with Google's `gx:Track`.
    case kml
    /// Comma-separated values with a header.
    case csv
    /// A CalmGeo record as JSON on each line.
    case ndjson
    /// NMEA 0183 sentences.
    case nmea

    /// Creates a writer for one document.
    ///
    /// - Parameter namesSource: Whether JSON lines contain the source of each record.
    public func makeWriter(namesSource: Bool = false) -> any TrackWriter {
        switch self {
        case .gpx: GPXWriter()
        case .geojson: GeoJSONWriter()
        case .kml: KMLWriter()
        case .csv: CSVWriter()
        case .ndjson: NDJSONWriter(namesSource: namesSource)
        case .nmea: NMEAWriter()
        }
    }

    /// Creates a writer that continues a document with at least one record and only complete lines.
    ///
    /// If the document ends with the output of this writer's `end`, new records replace that ending. Call `append`
    /// and `end`, not `begin`. GPX and KML begin a new track.
    package func makeContinuingWriter(namesSource: Bool = false) -> any TrackWriter {
        switch self {
        case .geojson: GeoJSONWriter(continuing: true)
        case .gpx, .kml, .csv, .ndjson, .nmea: makeWriter(namesSource: namesSource)
        }
    }

    /// Whether records of several sources may be in any order. The other formats require one source after the other,
    /// and NMEA supports only one source.
    public var mixesSources: Bool {
        switch self {
        case .geojson, .csv, .ndjson: true
        case .gpx, .kml, .nmea: false
        }
    }
}
