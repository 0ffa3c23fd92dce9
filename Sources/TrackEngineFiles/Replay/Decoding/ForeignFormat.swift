internal import TrackEngine

/// A format of recordings that is not supported, and the way to convert a file of it.
struct ForeignFormat {
    /// The expected format, with a command that converts the file.
    let expectation: String

    /// The foreign format of a file by its first bytes; `nil` for any other file.
    init?(_ sample: Span<UInt8>) {
        let first = sample.copied(0..<min(sample.count, 16))
        let isFIT = first.count >= 12 && first[8..<12].elementsEqual(".FIT".utf8)
        if isFIT {
            expectation = "a FIT recording: expected GPX; gpsbabel -i garmin_fit -f FILE -o gpx -F track.gpx makes one"
        } else if Self.isIGC(sample) {
            expectation = "an IGC recording: expected GPX; gpsbabel -i igc -f FILE -o gpx -F track.gpx makes one"
        } else if Self.isReportDocument(sample) {
            let filter = sample[sample.firstContent] == UInt8(ascii: "[") ? ".[]" : "."
            expectation = "gpsd's reports in one document: expected a report a line; jq -c '\(filter)' FILE makes that"
        } else if let name = Self.packers.first(where: { first.starts(with: $0.mark) })?.name {
            expectation = "packed with \(name): expected it unpacked, or packed with gzip or zip"
        } else {
            return nil
        }
    }

    /// Whether a file's name in an archive is one of a FIT or IGC recording.
    static func isRecordingName(_ name: String) -> Bool {
        guard let ending = name.formatEnding, !name.hasPrefix("__MACOSX/") else { return false }
        return ["fit", "igc"].contains(ending)
    }

    /// gpsd's reports in a list, or each over several lines.
    private static func isReportDocument(_ sample: Span<UInt8>) -> Bool {
        let start = sample.firstContent
        guard start < sample.count, "[{".utf8.contains(sample[start]) else { return false }
        let line = sample.extracting(start..<sample.lineEnd(from: start))
        let isReportLine = line[0] == UInt8(ascii: "{") && line.contains("\"class\"")
        return !isReportLine && sample.contains("\"class\"") && sample.contains("\"TPV\"")
            && !sample.contains("\"Feature")
    }

    private static let packers: [(mark: [UInt8], name: String)] = [
        ([0x42, 0x5a, 0x68], "bzip2"), ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd"),
        ([0x37, 0x7a, 0xbc, 0xaf], "7-Zip"), ([0x52, 0x61, 0x72, 0x21], "RAR"),
    ]

    /// A flight recorder's file begins with `A` and the maker's three letters, and has its date in a line `HFDTE…`.
    private static func isIGC(_ sample: Span<UInt8>) -> Bool {
        sample.count > 4 && sample[0] == UInt8(ascii: "A")
            && (1..<4).allSatisfy { sample[$0].lowercasedASCII &- UInt8(ascii: "a") < 26 || sample[$0] &- 48 < 10 }
            && sample.contains("\nHFDTE")
    }
}
