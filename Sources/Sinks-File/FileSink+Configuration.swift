package import TrackEngine
public import TrackEngineFormats
import TrackEngineSettings

extension FileSink {
    /// What a file covers.
    public enum Rotation: String, Sendable, Hashable, CaseIterable {
        /// An hour in UTC by the fixes' time.
        case hour
        /// A day in UTC by the fixes' time.
        case day
        /// From one departure to the next: the object's way to where it comes to rest, and what is recorded there.
        case trip
        /// As many records as ``Configuration/fileSize`` allows.
        case size
    }

    /// Where files go, what is in them, and how long they stay.
    public struct Configuration: Sendable, Hashable {
        /// The directory, an absolute path; made with mode 0750 if only its last part is missing. It belongs to this sink
        /// alone.
        public var directory: String
        /// The files' format: GPX, GeoJSON, CSV, NDJSON or NMEA. Default GPX.
        public var format = TrackFormat.gpx
        /// When a new file begins. Default each day.
        public var rotation = Rotation.day
        /// The most bytes in a file before compression, 1 024 to 2⁴⁰, whatever the rotation; a single record may be larger.
        /// Default `nil`, no limit; needed where ``rotation`` is ``Rotation/size``.
        public var fileSize: Int64?
        /// Compresses finished files. Default false.
        public var gzip = false
        /// How many days finished files stay, 0 to 36 500, counted from the time in their name, of trips and with
        /// ``Rotation/size`` from their last change, to the newest record or to the machine's clock, whichever is earlier.
        /// Default 0, for ever.
        public var keepDays = 0
        /// How many bytes all files may have, 65 536 to 2⁵⁰: while they have more, the oldest finished file goes. Default 0,
        /// no limit.
        public var maxBytes: Int64 = 0
        /// What the files' names begin with: 1 to 64 ASCII letters, digits and dashes. Default `track`.
        public var prefix = "track"

        /// Files of a day as GPX, kept for ever.
        public init(directory: String) {
            self.directory = directory
        }
    }
}

extension FileSink.Configuration {
    /// The formats whose documents can be gone on with after a kill. KML is none of them: its ending holds points.
    package static let formats = TrackFormat.allCases.filter { $0 != .kml }
    /// The same in words.
    static let formatExpectation = formats.map(\.rawValue).inWords
    /// What ``fileSize`` may be, in bytes.
    package static let fileSizes: ClosedRange<Int64> = 1024...(1 << 40)
    /// What ``keepDays`` may be.
    package static let days = 0...36_500
    /// What ``maxBytes`` may be beside 0.
    package static let totals: ClosedRange<Int64> = 65_536...(1 << 50)

    /// Everything that is wrong, under the keys that an agent's configuration has for it.
    package var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        let isPath = directory.hasPrefix("/") && (2...4000).contains(directory.utf8.count)
        if !isPath || directory.utf8.contains(0) || directory.allSatisfy({ $0 == "/" }) {
            check.problem("directory", "\"\(directory.prefix(200))\"", "the absolute path of a directory for the files")
        }
        if !Self.formats.contains(format) {
            check.problem("format", format.rawValue, Self.formatExpectation)
        }
        if rotation == .size, fileSize == nil { check.problem("fileSize", "(missing)", "bytes, with rotation: size") }
        if let fileSize { check.range("fileSize", fileSize, Self.fileSizes, "bytes") }
        check.range("keepDays", keepDays, Self.days, "days")
        if maxBytes != 0, !Self.totals.contains(maxBytes) {
            let range = "\(Self.totals.lowerBound) to \(Self.totals.upperBound) bytes"
            check.problem("maxBytes", "\(maxBytes)", "0 (no limit) or \(range)")
        }
        if maxBytes != 0, let fileSize, fileSize > maxBytes {
            check.problem("fileSize", "\(fileSize)", "no more than maxBytes, \(maxBytes)")
        }
        if !TrackFileName.isValid(prefix: prefix) {
            check.problem("prefix", "\"\(prefix.prefix(100))\"", TrackFileName.prefixExpectation)
        }
        return check.problems
    }
}
