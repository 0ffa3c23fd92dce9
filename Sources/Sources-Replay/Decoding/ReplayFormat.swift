/// The formats that can be replayed.
public enum ReplayFormat: String, Sendable, Hashable, CaseIterable {
    /// NMEA 0183 sentences: GGA, GNS, RMC, VTG, GSA, GST and ZDA of any talker.
    case nmea
    /// GPX 1.0 or 1.1; the track points of all tracks.
    case gpx
    /// gpsd's JSON, a report a line, as `gpspipe -w` writes it.
    case gpsd
    /// GeoJSON points with a time, and Overland bodies; whole documents or a feature a line.
    case geojson
    /// Records in the shape of CalmGeo, one a line: what `trackd replay` and `trackd export --format ndjson` write.
    case calmgeo
    /// A table with a header line.
    case csv

    /// The name by which a person asks for the format.
    public var name: String { rawValue }

    /// The format of a name in either case; `overland`, `ndjson` and `json` are other names of formats here.
    public init?(name: String) {
        switch name.lowercased() {
        case "overland", "json": self = .geojson
        case "ndjson": self = .calmgeo
        case let other: self.init(rawValue: other)
        }
    }
}
