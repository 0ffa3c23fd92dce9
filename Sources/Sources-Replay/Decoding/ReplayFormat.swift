internal import GPSDProtocol
internal import TrackEngine
package import TrackEngineFormats

/// The formats that can be replayed.
public enum ReplayFormat: String, Sendable, Hashable, CaseIterable {
    /// NMEA 0183 sentences: GGA, GNS, RMC, GLL, VTG, GSA, GST and ZDA of any talker.
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
    /// KML 2.2: the points of `gx:Track`, and points with a time.
    case kml

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

extension ReplayFormat {
    private init(_ format: TrackFormat) {
        switch format {
        case .gpx: self = .gpx
        case .geojson: self = .geojson
        case .kml: self = .kml
        case .csv: self = .csv
        case .ndjson: self = .calmgeo
        case .nmea: self = .nmea
        }
    }

    /// The format of a file by its first bytes and, where they leave it open, by its name; `nil` where neither tells.
    ///
    /// - Parameters:
    ///   - sample: the beginning of the file, decompressed and in UTF-8; `TrackFormat.sampleLength` bytes of it, or all.
    ///   - path: the file's name.
    init?(sample: Span<UInt8>, path: String) {
        let start = sample.firstContent
        let line = sample.extracting(start..<sample.lineEnd(from: start))
        if line.count > 0, line[line.startOfReport] == UInt8(ascii: "{"), line.contains("\"class\"") {
            self = sample.isSentencesBehindGreeting ? .nmea : .gpsd
        } else if let format = TrackFormat.byContent(sample) {
            self.init(format)
        } else if path.formatEnding == "gpsd" {
            self = .gpsd
        } else if let format = TrackFormat.byName(path) {
            self.init(format)
        } else {
            return nil
        }
    }

    /// Whether it is one of documents, which hold tracks in any order, and not the log of a receiver.
    var hasTracks: Bool {
        switch self {
        case .nmea, .gpsd: false
        case .gpx, .geojson, .calmgeo, .csv, .kml: true
        }
    }

    /// A decoder of this format.
    ///
    /// - Parameter day: days from 1970 to the file's first day, for NMEA without dates.
    package func makeDecoder(day: Int64? = nil) -> any TrackDecoder {
        switch self {
        case .nmea: TrackFormat.nmea.makeDecoder(day: day)
        case .gpx: TrackFormat.gpx.makeDecoder()
        case .gpsd: LineDecoder(GPSDParser(), maximumLength: GPSDParser.maximumLineLength)
        case .geojson: TrackFormat.geojson.makeDecoder()
        case .calmgeo: TrackFormat.ndjson.makeDecoder()
        case .csv: TrackFormat.csv.makeDecoder()
        case .kml: TrackFormat.kml.makeDecoder()
        }
    }
}

extension Span<UInt8> {
    /// Whether gpsd's greeting begins a log of sentences, as `gpspipe -r` writes it, and not one of reports.
    fileprivate var isSentencesBehindGreeting: Bool {
        guard !contains("\"class\":\"TPV\""), !contains("\"json\":true") else { return false }
        return contains("\"nmea\":true") || TrackFormat.hasSentence(self)
    }
}
