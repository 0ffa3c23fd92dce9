import TrackEngine
import TrackEngineFiles

/// Places from a file: GeoJSON, KML, or OwnTracks' waypoints.
///
/// Each readable element becomes a place; each other one becomes a ``Problem`` with its location in the file and
/// does not affect the rest. Reading never fails as a whole and is bounded, so the file need not be trusted.
///
/// - **GeoJSON** (RFC 7946): a `FeatureCollection`, an array of features, or one feature. A `Point` needs the
///   property `radius`, a `LineString` the property `width`, both in metres; `Polygon` and `MultiPolygon` need none.
///   Other properties: `id` (or the feature's own), `name`, `dwell` in seconds, `hysteresis` in metres, `tags` (an
///   array of strings, or one string with commas), `created` (RFC 3339 or seconds since 1970).
/// - **KML** 2.2: each `Placemark` with a `Point`, `LineString`, `Polygon`, or a `MultiGeometry` of polygons. The
///   properties are `Data` or `SimpleData` in its `ExtendedData`, the id may be the placemark's.
/// - **OwnTracks**: `waypoint`, `waypoints`, an array of them, a configuration or a `setWaypoints` command. The id
///   is `rid`, else `tst`, else the description.
///
/// Longitudes up to 540° to each side, which some programs write beyond the antimeridian, are wrapped to 180°.
public struct PlaceFile: Sendable, Hashable {
    /// An element that could not be read.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The line, from 1 on, in which the element begins or the error is.
        public let line: Int
        /// The element, such as `feature 3`; empty for the whole file.
        public let element: String
        /// The problem and the expectation, without positions.
        public let message: String

        /// `line 12, feature 3: radius = 0.0: expected 1.0 to 1000000.0 metres`
        public var description: String {
            element.isEmpty ? "line \(line): \(message)" : "line \(line), \(element): \(message)"
        }
    }

    /// The maximum size of a file: 64 MiB.
    public static let maximumSize = 64 << 20
    /// The largest number of stored problems.
    public static let maximumProblems = 100
    /// The maximum size of one JSON element: 4 MiB; an element with 10 000 vertices takes a tenth of it.
    static let maximumElement = 4 << 20

    /// The places, each id once.
    public private(set) var places: [Place] = []
    /// The problems in the order of the file; at most ``maximumProblems``.
    public private(set) var problems: [Problem] = []
    private var ids: Set<String> = []

    /// Reads a file; its first bytes determine the format.
    public init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumSize else {
            report(line: 1, "", "\(bytes.count) bytes: expected at most \(Self.maximumSize)")
            return
        }
        let text = Self.text(of: bytes)
        switch text.first(where: { !$0.isWhiteSpace }) {
        case UInt8(ascii: "<"): readKML(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["): readJSON(text)
        case .some, nil: report(line: 1, "", "expected GeoJSON, KML or OwnTracks waypoints")
        }
    }

    /// The file in UTF-8; a file in UTF-16 is detected by its byte order mark.
    private static func text(of bytes: [UInt8]) -> [UInt8] {
        var document = DocumentText()
        switch document.next(bytes.span) {
        case .same(let range): return (range == bytes.indices ? bytes : Array(bytes[range])) + document.finish()
        case .converted(let text): return text + document.finish()
        }
    }

    mutating func report(line: Int, _ element: String, _ message: String) {
        guard problems.count < Self.maximumProblems else { return }
        problems.append(Problem(line: line, element: element, message: message))
    }

    /// Adds a place, or reports the reason why it is invalid.
    mutating func add(_ draft: PlaceDraft, _ shape: Area.Shape?, line: Int, _ element: String) {
        guard places.count < PlaceIndex.maximumCount else {
            return report(line: line, element, "expected at most \(PlaceIndex.maximumCount) places")
        }
        do throws(ConfigurationError) {
            let place = try draft.place(shape)
            guard ids.insert(place.id).inserted else {
                return report(line: line, element, "id = \(place.id): expected each id once")
            }
            places.append(place)
        } catch {
            report(line: line, element, error.problems.map(\.description).joined(separator: "; "))
        }
    }

    /// Whether both files have equal places and problems.
    public static func == (left: PlaceFile, right: PlaceFile) -> Bool {
        left.places == right.places && left.problems == right.problems
    }

    /// Combines the places and problems.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(places)
        hasher.combine(problems)
    }
}
