/// A format in which a track can be written.
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

    /// A writer for one document.
    ///
    /// - Parameter namesSource: whether JSON lines say where each record comes from.
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

    /// A writer that goes on in a document of at least one record, whose lines have all been closed.
    ///
    /// Where such a document ends with what `end` of this writer appends, records take the place of that ending. Call
    /// `append` and `end`, not `begin`. GPX and KML begin a new track.
    package func makeContinuingWriter(namesSource: Bool = false) -> any TrackWriter {
        switch self {
        case .geojson: GeoJSONWriter(continuing: true)
        case .gpx, .kml, .csv, .ndjson, .nmea: makeWriter(namesSource: namesSource)
        }
    }

    /// Whether records of several sources may come in any order; the others want one source after the other, and NMEA
    /// wants no second one at all.
    public var mixesSources: Bool {
        switch self {
        case .geojson, .csv, .ndjson: true
        case .gpx, .kml, .nmea: false
        }
    }
}
