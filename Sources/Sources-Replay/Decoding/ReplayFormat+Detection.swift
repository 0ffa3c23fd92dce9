internal import TrackEngine

extension ReplayFormat {
    /// How much of a file is looked at.
    static let sampleLength = 4096

    /// The format of a file by its first bytes and, where they leave it open, by its name; `nil` where neither tells.
    ///
    /// - Parameters:
    ///   - sample: the beginning of the file, decompressed; about 4 KiB of it or all.
    ///   - path: the file's name.
    init?(sample: Span<UInt8>, path: String) {
        guard let found = Self.byContent(sample) ?? Self.byName(path) else { return nil }
        self = found
    }

    private static func byContent(_ sample: Span<UInt8>) -> ReplayFormat? {
        let start = firstContent(of: sample)
        guard start < sample.count else { return nil }
        let line = sample.extracting(start..<(sample.offset(of: 0x0a, from: start) ?? sample.count))
        switch sample[start] {
        case UInt8(ascii: "<"): return .gpx
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\\"): return .nmea
        case UInt8(ascii: "{") where line.contains("\"class\""): return .gpsd
        case UInt8(ascii: "{"), UInt8(ascii: "["): return sample.contains("\"coords\"") ? .calmgeo : .geojson
        default: break
        }
        if CSVColumns(header: line) != nil { return .csv }
        return hasSentence(sample) ? .nmea : nil
    }

    /// Behind white space and lines that begin with `#`.
    private static func firstContent(of sample: Span<UInt8>) -> Int {
        var offset = 0
        while offset < sample.count {
            if sample[offset] == UInt8(ascii: "#") {
                offset = sample.offset(of: 0x0a, from: offset) ?? sample.count
            } else if !sample[offset].isWhiteSpace {
                return offset
            } else {
                offset += 1
            }
        }
        return offset
    }

    /// Whether somewhere among other bytes, such as time stamps or a receiver's binary protocol, an NMEA sentence stands.
    private static func hasSentence(_ sample: Span<UInt8>) -> Bool {
        var offset = 0
        while let dollar = sample.offset(of: UInt8(ascii: "$"), from: offset) {
            let address = (dollar + 1)..<min(dollar + 6, sample.count)
            let isAddress = address.allSatisfy { sample[$0] &- UInt8(ascii: "A") < 26 }
            if address.count == 5, isAddress, address.upperBound < sample.count,
                sample[address.upperBound] == UInt8(ascii: ",")
            {
                return true
            }
            offset = dollar + 1
        }
        return false
    }

    private static func byName(_ path: String) -> ReplayFormat? {
        var parts = path.lowercased().split(separator: ".")
        if parts.last == "gz" { parts.removeLast() }
        switch parts.count > 1 ? parts.last : nil {
        case "nmea", "nma": return .nmea
        case "gpx": return .gpx
        case "gpsd": return .gpsd
        case "geojson", "json": return .geojson
        case "ndjson", "jsonl": return .calmgeo
        case "csv", "tsv": return .csv
        default: return nil
        }
    }

    /// A decoder of this format for a file that begins with these bytes.
    ///
    /// - Parameter day: days from 1970 to the file's first day, for NMEA without dates.
    package func makeDecoder(sample: Span<UInt8>, day: Int64? = nil) -> any ReplayDecoder {
        switch self {
        case .nmea: return LineDecoder(NMEAParser(day: day), maximumLength: NMEAParser.maximumLineLength)
        case .gpx: return GPXDecoder()
        case .gpsd: return LineDecoder(GPSDParser(), maximumLength: GPSDParser.maximumLineLength)
        case .geojson: return GeoJSONDecoder()
        case .calmgeo:
            let start = Self.firstContent(of: sample)
            // An array of records, as one body holds it, is no sequence of lines.
            let isArray = start < sample.count && sample[start] == UInt8(ascii: "[")
            return isArray
                ? GeoJSONDecoder() : LineDecoder(TrackElementParser(), maximumLength: TrackElementParser.maximumLength)
        case .csv: return LineDecoder(CSVParser(), maximumLength: CSVParser.maximumLineLength)
        }
    }
}
