package import TrackEngine

/// The name of a file of the track: `track_2026-03-01T10Z.gpx`, or with a number `track_2026-03-01T10Z_2.gpx` if
/// that one is taken.
///
/// It contains no external text: the prefix is checked by ``isValid(prefix:)``, and the rest are digits of a time.
package struct TrackFileName: Sendable, Hashable {
    /// The common start of all names of the sink.
    package let prefix: String
    /// The day, the hour or the second in UTC at which the file begins: `2026-03-01`, `2026-03-01T10Z`,
    /// `2026-03-01T101502Z`.
    package let start: String
    /// The number among the files with this start, from 1.
    package var number: Int
    /// The format of the file.
    package let format: TrackFormat

    package init(prefix: String, start: String, number: Int = 1, format: TrackFormat) {
        self.prefix = prefix
        self.start = start
        self.number = number
        self.format = format
    }

    /// The range of `number`. The upper bound only keeps names short: no directory has so many files.
    package static let numbers = 1...999_999_999

    /// The name while the file is being written.
    package var part: String { plain + ".part" }

    /// The name once the file is finished.
    package func finished(compressed: Bool) -> String { compressed ? plain + ".gz" : plain }

    private var plain: String { "\(prefix)_\(start)\(number == 1 ? "" : "_\(number)").\(format.rawValue)" }

    /// Whether a file's number must differ from the other's: prefix, start and format are the same.
    func sharesNumbers(with other: TrackFileName) -> Bool {
        prefix == other.prefix && start == other.start && format == other.format
    }

    /// The rule for prefixes.
    static let prefixExpectation = "1 to 64 ASCII letters, digits and dashes"

    /// Whether a text is a valid prefix.
    package static func isValid(prefix: String) -> Bool {
        (1...64).contains(prefix.utf8.count)
            && prefix.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

// MARK: Parsing

extension TrackFileName {
    /// Parses the name of a current file, with any prefix; `nil` for every other name.
    package init?(part name: String) {
        guard name.hasSuffix(".part") else { return nil }
        self.init(plain: name.dropLast(5))
    }

    /// Parses the name of a finished file, compressed or not, with any prefix; `nil` for every name that
    /// ``finished(compressed:)`` does not produce.
    package init?(finished name: String) {
        self.init(plain: name.hasSuffix(".gz") ? name.dropLast(3) : name[...])
    }

    private init?(plain: Substring) {
        guard plain.utf8.count <= 128 else { return nil }
        let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let format = TrackFormat(rawValue: String(parts[1])),
            FileSink.Configuration.formats.contains(format)
        else { return nil }
        let fields = parts[0].split(separator: "_", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count), Self.isValid(prefix: String(fields[0])) else { return nil }
        let number = fields.count == 3 ? Int(fields[2]) : 1
        guard let number, Self.numbers.contains(number) else { return nil }
        self.init(prefix: String(fields[0]), start: String(fields[1]), number: number, format: format)
        guard startTime != nil, self.plain == plain else { return nil }  // refuses 01 and +2, and invalid times
    }

    /// Whether the file belongs to a trip or a size, so its time span is unbounded. Its start has seconds.
    var isOpenEnded: Bool { start.utf8.count == 18 }

    /// The time of ``start``; `nil` if it is invalid.
    package var startTime: Timestamp? {
        // RFC 3339 allows lower-case letters, too.
        guard start.utf8.allSatisfy({ $0 < UInt8(ascii: "a") }) else { return nil }
        switch start.utf8.count {
        case 10: return Timestamp(rfc3339: start + "T00:00:00Z")
        case 14: return Timestamp(rfc3339: start.dropLast() + ":00:00Z")
        case 18:
            return Timestamp(
                rfc3339: "\(start.prefix(13)):\(start.dropFirst(13).prefix(2)):\(start.dropFirst(15))")
        default: return nil
        }
    }
}
