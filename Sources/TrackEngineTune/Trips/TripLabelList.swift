internal import TrackEngine

/// Manual labels of recorded tracks: when the object rested, and where that is uncertain.
///
/// A JSON file of at most a megabyte. Times are seconds since the first fix of the file. It must contain every rest
/// above 20 s, including those shorter than a stop. Other members of a table, such as `why`, are for human readers.
///
/// ```json
/// {"tracks": [
///   {"file": "walk.gpx",
///    "rests": [{"from": 69, "to": 157, "why": "no fix for 88 s, then 9 m farther"}, {"from": 450, "to": 572}],
///    "unsure": [{"from": 2449, "to": 2906, "why": "0.3 m/s: a break or a stroll"}]},
///   {"file": "bike.gpx", "rests": []}
/// ]}
/// ```
public struct TripLabelList: Sendable, Hashable {
    /// The largest file that is read, in bytes.
    public static let largestFile = 1 << 20
    /// The most rests, and the most unsure stretches, of a track.
    public static let mostSpans = 10_000

    /// The labels of one track.
    public struct Track: Sendable, Hashable {
        /// The file of the track, as the labels name it.
        public let file: String
        /// The times of rest: seconds since the first fix, in order, none beginning before the end of the one
        /// before.
        public let rests: [ClosedRange<Double>]
        /// The times when a stop is neither right nor wrong, in the same form.
        public let unsure: [ClosedRange<Double>]

        /// The rests of a track with its first fix at a time, in seconds since 1970.
        public func rests(from start: Double) -> [TimeSpan] { Self.spans(rests, from: start) }

        /// The unsure stretches of a track with its first fix at a time, in seconds since 1970.
        public func unsure(from start: Double) -> [TimeSpan] { Self.spans(unsure, from: start) }

        private static func spans(_ ranges: [ClosedRange<Double>], from start: Double) -> [TimeSpan] {
            ranges.map { TimeSpan(begin: start + $0.lowerBound, end: start + $0.upperBound) }
        }
    }

    /// The tracks, in the order of the file.
    public let tracks: [Track]

    /// Parses the text of a file.
    ///
    /// - Throws: ``TripLabelError`` for the first problem.
    public init(_ text: some Collection<UInt8>) throws(TripLabelError) {
        guard text.count <= Self.largestFile else {
            throw TripLabelError("file", "at most \(Self.largestFile) bytes, not \(text.count)")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue.parse(text, maximumDepth: 8)
        } catch {
            throw TripLabelError("file", "JSON (\(error))")
        }
        guard let tables = root["tracks"]?.array else { throw TripLabelError("tracks", "a list of tables") }
        var tracks: [Track] = []
        for (number, table) in tables.enumerated() {
            let key = "tracks[\(number)]"
            guard let file = table["file"]?.string, !file.isEmpty else {
                throw TripLabelError("\(key).file", "the name of a file")
            }
            guard !tracks.contains(where: { $0.file == file }) else {
                throw TripLabelError("\(key).file", "a file that no other table has")
            }
            guard let rests = table["rests"] else {
                throw TripLabelError("\(key).rests", "a list, empty where there was no rest")
            }
            tracks.append(
                Track(
                    file: file, rests: try Self.spans(rests, "\(key).rests"),
                    unsure: try Self.spans(table["unsure"] ?? .array([]), "\(key).unsure")))
        }
        self.tracks = tracks
    }

    private static func spans(_ value: JSONValue, _ key: String) throws(TripLabelError) -> [ClosedRange<Double>] {
        guard let tables = value.array, tables.count <= mostSpans else {
            throw TripLabelError(key, "a list of at most \(mostSpans) tables")
        }
        var spans: [ClosedRange<Double>] = []
        for (number, table) in tables.enumerated() {
            guard let from = table["from"]?.number, let to = table["to"]?.number, from >= 0, to > from, to <= 1e10
            else {
                throw TripLabelError("\(key)[\(number)]", "\"from\" and, later, \"to\" in seconds since the first fix")
            }
            guard spans.last.map({ $0.upperBound <= from }) ?? true else {
                throw TripLabelError("\(key)[\(number)].from", "not before the one before ends")
            }
            spans.append(from...to)
        }
        return spans
    }

    /// The labels of a file: those of the same path, or else the only ones with a path that ends with the other.
    public func track(of path: String) -> Track? {
        if let same = tracks.first(where: { $0.file == path }) { return same }
        let alike = tracks.filter { path.hasSuffix("/" + $0.file) || $0.file.hasSuffix("/" + path) }
        if alike.count == 1 { return alike[0] }
        guard let name = path.split(separator: "/").last else { return nil }
        let named = tracks.filter { $0.file.split(separator: "/").last == name }
        return named.count == 1 ? named[0] : nil
    }
}

/// The error for an unusable file of labels.
public struct TripLabelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key in the file.
    public let key: String
    /// The expectation for the key.
    public let expectation: String

    init(_ key: String, _ expectation: String) {
        (self.key, self.expectation) = (key, expectation)
    }

    /// The key and the expectation: `tracks[0].rests[2].from: expected …`.
    public var description: String { "\(key): expected \(expectation)" }
}
