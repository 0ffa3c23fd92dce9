package import TrackEngine
import TrackEngineSettings

extension FileSink {
    /// The span of a file.
    public enum Rotation: String, Sendable, Hashable, CaseIterable {
        /// An hour in UTC, by the time of the fixes.
        case hour
        /// A day in UTC, by the time of the fixes.
        case day
        /// From one departure to the next: the records until the object comes to rest, and those made at rest.
        case trip
        /// As many records as ``Configuration/fileSize`` allows.
        case size
    }

    /// The directory of the files, their contents, and their retention.
    public struct Configuration: Sendable, Hashable {
        /// The directory, an absolute path; created with mode 0750 if only its last part is missing. No other sink
        /// may use it.
        public var directory: String
        /// The files' format: GPX, GeoJSON, CSV, NDJSON or NMEA. Default GPX.
        public var format = TrackFormat.gpx
        /// The span of each file. Default one day.
        public var rotation = Rotation.day
        /// The most bytes in a file before compression, 1 024 to 2⁴⁰, for every rotation; a single record may be
        /// larger. Default `nil`, no limit; required if ``rotation`` is ``Rotation/size``.
        public var fileSize: Int64?
        /// Compresses finished files. Default false.
        public var gzip = false
        /// The number of days for which finished files are kept, 0 to 36 500. The age is counted from the time in
        /// the name, and for trips and ``Rotation/size`` from the last change, to the newest record or to the
        /// machine's clock, whichever is earlier. Default 0, forever.
        public var keepDays = 0
        /// The most bytes of all files together, 65 536 to 2⁵⁰: above it, the oldest finished file is removed.
        /// Default 0, no limit.
        public var maxBytes: Int64 = 0
        /// The start of the files' names: 1 to 64 ASCII letters, digits and dashes. Default `track`.
        public var prefix = "track"

        /// Daily GPX files, kept forever.
        public init(directory: String) {
            self.directory = directory
        }
    }
}

extension FileSink.Configuration {
    /// The formats with documents that can be continued after a kill. KML is not among them: its ending contains
    /// points.
    package static let formats = TrackFormat.allCases.filter { $0 != .kml }
    /// The formats as text.
    static let formatExpectation = formats.map(\.rawValue).inWords
    /// The range of ``fileSize``, in bytes.
    static let fileSizes: ClosedRange<Int64> = 1024...(1 << 40)
    /// The range of ``keepDays``.
    package static let days = 0...36_500
    /// The range of ``maxBytes``, except 0.
    package static let totals: ClosedRange<Int64> = 65_536...(1 << 50)

    /// All problems, under their keys in an agent's configuration.
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
