internal import GPSDProtocol
internal import TrackEngine

/// The formats that can be replayed.
public enum ReplayFormat: String, Sendable, Hashable, CaseIterable {
    /// NMEA 0183 sentences: GGA, GNS, RMC, GLL, VTG, GSA, GST and ZDA of any talker.
    case nmea
    /// GPX 1.0 or 1.1; the track points of all tracks.
    case gpx
    /// gpsd's JSON, a report a line, as `gpspipe -w` writes it.
    case gpsd
    /// GeoJSON points and lines with times, Overland bodies, and Google's `Records.json` and `Timeline.json`; whole
    /// documents or a feature a line.
    case geojson
    /// Records in the format of CalmGeo, one per line: the output of `trackd replay` and `trackd export --format
    /// ndjson`; and the `.rec` files of OwnTracks Recorder.
    case calmgeo
    /// A table with a header line.
    case csv
    /// KML 2.2: the points of `gx:Track`, and points with a time.
    case kml
    /// Garmin's Training Center Database: the track points of activities.
    case tcx

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

    /// The format of a file by its first bytes and, where they leave it open, by its name; `nil` where neither
    /// identifies it.
    ///
    /// - Parameters:
    ///   - sample: the beginning of the file, decompressed and in UTF-8; `TrackFormat.sampleLength` bytes of it, or
    ///     all.
    ///   - path: the file's name.
    init?(sample: Span<UInt8>, path: String) {
        let start = sample.firstContent
        let line = sample.extracting(start..<sample.lineEnd(from: start))
        if line.count > 0, line[line.startOfReport] == UInt8(ascii: "{"), line.contains("\"class\"") {
            self = sample.isSentencesBehindGreeting ? .nmea : .gpsd
        } else if line.count > 0, line[0] == UInt8(ascii: "<"), Self.isTCX(sample) {
            self = .tcx
        } else if ForeignFormat(sample) != nil {
            return nil
        } else if let format = TrackFormat.byContent(sample) {
            self.init(format)
        } else if let ending = path.formatEnding, let format = Self.endings[String(ending)] {
            self = format
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
        case .gpx, .geojson, .calmgeo, .csv, .kml, .tcx: true
        }
    }

    /// Returns whether the element of the format is there; GPX may have its name within that of a namespace.
    private static func isTCX(_ sample: Span<UInt8>) -> Bool {
        sample.contains("<TrainingCenterDatabase") || sample.contains(":TrainingCenterDatabase")
    }

    /// The endings of file names of the formats that are only read.
    private static let endings: [String: ReplayFormat] = ["gpsd": .gpsd, "tcx": .tcx]

    /// Whether a file's name in an archive is one of a recorded track.
    static func isTrackName(_ name: String) -> Bool {
        guard let ending = name.formatEnding, !name.hasPrefix("__MACOSX/") else { return false }
        return endings[String(ending)] != nil || TrackFormat.byName(name) != nil || ["txt", "log"].contains(ending)
    }

    /// A decoder of this format.
    ///
    /// - Parameters:
    ///   - day: days from 1970 to the file's first day, for NMEA without dates.
    ///   - zone: the zone of times that name none.
    package func makeDecoder(day: Int64? = nil, zone: ZoneOffsetTable = .utc) -> any TrackDecoder {
        switch self {
        case .nmea: TrackFormat.nmea.makeDecoder(day: day)
        case .gpx: TrackFormat.gpx.makeDecoder(zone: zone)
        case .gpsd: LineDecoder(GPSDParser(), maximumLength: GPSDParser.maximumLineLength)
        case .geojson: TrackFormat.geojson.makeDecoder(zone: zone)
        case .calmgeo: TrackFormat.ndjson.makeDecoder(zone: zone)
        case .csv: TrackFormat.makeTableDecoder(zone: zone, named: ZoneOffsetTable.names())
        case .kml: TrackFormat.kml.makeDecoder(zone: zone)
        case .tcx: TrackFormat.makeTCXDecoder(zone: zone)
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
