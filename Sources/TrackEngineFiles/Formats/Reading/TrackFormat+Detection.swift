internal import TrackEngine

extension TrackFormat {
    /// The sample size for ``init(sample:name:)``, unless the document is shorter: 4096 bytes.
    public static let sampleLength = 4096

    /// The format of a document by its first bytes and, if they are ambiguous, by its name; `nil` if neither
    /// determines it.
    ///
    /// - Parameters:
    ///   - sample: The beginning of the document, not compressed; ``sampleLength`` bytes of it, or all.
    ///   - name: The file's name or path; its extension counts, without a final `.gz`.
    public init?(sample: Span<UInt8>, name: String = "") {
        var text = DocumentText()
        let bytes = text.all(of: sample)
        guard let found = Self.byContent(bytes.span) ?? Self.byName(name) else { return nil }
        self = found
    }

    /// The format of a document by its first bytes in UTF-8, without a byte order mark.
    static func byContent(_ sample: Span<UInt8>) -> TrackFormat? {
        let start = sample.firstContent
        guard start < sample.count else { return nil }
        let line = sample.extracting(start..<sample.lineEnd(from: start))
        if isLogged(line, in: sample) { return .nmea }
        switch sample[start] {
        case UInt8(ascii: "<"): return sample.contains("<kml") || sample.contains(":kml") ? .kml : .gpx
        case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "\\"): return .nmea
        case UInt8(ascii: "{"), UInt8(ascii: "["): return sample.contains("\"coords\"") ? .ndjson : .geojson
        default: break
        }
        if OwnTracksLine.content(of: line) != nil { return .ndjson }
        if CSVHeader(header: line) != nil { return .csv }
        if hasSentence(sample) { return .nmea }
        return hasHeader(sample, from: start) ? .csv : nil
    }

    /// Whether a table begins in the sample, possibly after some lines of text.
    private static func hasHeader(_ sample: Span<UInt8>, from start: Int) -> Bool {
        var start = start
        for _ in 0..<CSVParser.maximumPreamble where start < sample.count {
            let end = sample.lineEnd(from: start)
            if CSVHeader(header: sample.extracting(start..<end)) != nil { return true }
            start = end + 1
        }
        return false
    }

    /// Whether a line is a sentence behind what terminal programs write before it, such as a time in brackets. Within
    /// texts of JSON and elements of XML a sentence does not count.
    private static func isLogged(_ line: Span<UInt8>, in sample: Span<UInt8>) -> Bool {
        hasSentence(line) && !line.contains("\"$") && !sample.contains("</")
    }

    /// Whether there is an NMEA sentence among other bytes, such as time stamps or a receiver's binary protocol.
    static func hasSentence(_ sample: Span<UInt8>) -> Bool {
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

    package static func byName(_ name: String) -> TrackFormat? {
        switch name.formatEnding {
        case "nmea", "nma": .nmea
        case "gpx": .gpx
        case "geojson", "json": .geojson
        case "ndjson", "jsonl", "rec": .ndjson
        case "csv", "tsv": .csv
        case "kml": .kml
        default: nil
        }
    }
}

extension Span<UInt8> {
    /// The offset of the first byte after white space and lines that begin with `#`; the length if there is none.
    var firstContent: Int {
        var offset = 0
        while offset < count {
            if self[offset] == UInt8(ascii: "#") {
                offset = lineEnd(from: offset)
            } else if !self[offset].isWhiteSpace {
                return offset
            } else {
                offset += 1
            }
        }
        return offset
    }
}

extension String {
    /// The extension of a file's name, in lower case and without `.gz`.
    var formatEnding: Substring? {
        var parts = lowercased().split(separator: ".")
        if parts.last == "gz" { parts.removeLast() }
        return parts.count > 1 ? parts.last : nil
    }
}
