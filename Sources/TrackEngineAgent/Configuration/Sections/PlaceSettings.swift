import TrackEngine
import TrackEnginePlaces
package import TrackEngineSettings

/// A named place as the configuration defines it: a circle, or a polygon or a line as a list of corners.
package struct PlaceSettings: Sendable, Hashable {
    /// The treatment of a position in the place.
    package enum Privacy: String, Sendable, Hashable, CaseIterable {
        /// It is used unchanged.
        case none
        /// It is dropped before any decision and before it is stored.
        case cut
        /// It is moved to the place's centre.
        case centre
        /// It is moved to the middle of a cell of a grid of 1 km.
        case blur
    }

    /// The id of the place in messages; its name if absent.
    package var id: String?
    /// The name for users. Required.
    package var name = ""
    /// The circle's centre, degrees north.
    package var latitude: Double?
    /// The circle's centre, degrees east.
    package var longitude: Double?
    /// The circle's radius, in metres.
    package var radius = 100.0
    /// The corners of a polygon, each `latitude, longitude`, in place of a circle.
    package var polygon: [String] = []
    /// The line of a corridor, as the corners of a polygon.
    package var line: [String] = []
    /// The width of the corridor, in metres.
    package var width = 100.0
    /// The time inside after which a dwell event occurs.
    package var dwell: Duration?
    /// The distance outside at which the place is left, beyond a fix's accuracy, in metres.
    package var hysteresis = Place.defaultHysteresis
    /// Whether all waiting records are sent when the object enters or leaves.
    package var sync = false
    /// The treatment of positions there.
    package var privacy = Privacy.none
    /// The tracking profile while the object is there; as elsewhere without one.
    package var tracking: TrackingProfile?

    package static let fields: [Field<Self>] = [
        .text("id", \.id, .line).meaning("Names the place in messages; null for its name."),
        .text("name", \.name, .line).required().meaning("The name of the place."),
        .degrees("latitude", \.latitude, -90...90).meaning("The centre of a circle, degrees north of the equator."),
        .degrees("longitude", \.longitude, -180...180).meaning("The centre of a circle, degrees east of Greenwich."),
        .number("radius", \.radius, 1...1_000_000, "metres").meaning("The radius of the circle."),
        .corners("polygon").meaning("The corners of a polygon, each \"latitude, longitude\", in place of a circle."),
        .corners("line").meaning("The line of a corridor, each \"latitude, longitude\", in place of a circle."),
        .number("width", \.width, 1...100_000, "metres").meaning("The width of the corridor."),
        .seconds("dwell", \.dwell, Place.dwellSeconds)
            .meaning("The time inside after which there is a dwell event, too; null for never."),
        .number("hysteresis", \.hysteresis, Place.hystereses, "metres")
            .meaning("How far beyond its accuracy a fix must lie outside for the place to be left."),
        .flag("sync", \.sync)
            .meaning("Sends all waiting records when the place is entered or left, regardless of thresholds."),
        .choice("privacy", \.privacy)
            .meaning(
                "The change to positions there before they are stored or sent: cut drops them, centre and blur move them. A place with cut or blur has no events, and no sync."
            ),
        .choice("tracking", \.tracking)
            .meaning(
                "How much is recorded while the object is there; off records no position from there and no event of the place. Null for as elsewhere."
            ),
    ]

    /// The place itself; `nil` without a name.
    ///
    /// - Throws: the problems, under the keys of the section `events`.
    var place: Place? {
        get throws(ConfigurationError) {
            do throws(ConfigurationError) {
                return try Place(id: id ?? name, name: name, area: area, dwell: dwell, hysteresis: hysteresis)
            } catch {
                // A missing name has been reported already, and leaves no key for other problems.
                guard !name.isEmpty else { return nil }
                throw ConfigurationError(
                    problems: error.problems.map {
                        let key = $0.key == "ring" || $0.key == "hole" ? "polygon" : $0.key
                        return ConfigurationProblem(
                            key: "places.\(name).\(key)", value: $0.value, expectation: $0.expectation)
                    })
            }
        }
    }

    private var area: Area {
        get throws(ConfigurationError) {
            let isCircle = latitude != nil || longitude != nil
            let shapes = [isCircle, !polygon.isEmpty, !line.isEmpty].count(where: \.self)
            guard shapes == 1 else {
                throw ConfigurationError(
                    "latitude", shapes == 0 ? "(missing)" : "…", "latitude and longitude, or polygon, or line")
            }
            if !polygon.isEmpty { return try polygonArea }
            if !line.isEmpty { return try .corridor(along: line.compactMap(Coordinate.init(corner:)), width: width) }
            guard let latitude, let longitude else {
                throw ConfigurationError(
                    latitude == nil ? "latitude" : "longitude", "(missing)", "both latitude and longitude")
            }
            return try .circle(centre: Coordinate(latitude: latitude, longitude: longitude), radius: radius)
        }
    }

    /// The area of a polygon. Corners written by hand get mixed up sooner or later, and would make two areas that
    /// touch.
    private var polygonArea: Area {
        get throws(ConfigurationError) {
            let corners = polygon.compactMap(Coordinate.init(corner:))
            let area = try Area.polygon(corners)
            guard let crossing = RingCrossing(in: corners) else { return area }
            throw ConfigurationError(
                "polygon", "the edges after corner \(crossing.first) and corner \(crossing.second) cross",
                "corners in order around the area")
        }
    }

    /// The treatment that hides positions there; `nil` if they are not hidden.
    var treatment: PrivacyZones.Action? {
        switch privacy {
        case .none: nil
        case .cut: .drop
        case .centre: .centre
        case .blur: .grid(1000)
        }
    }
}

extension Coordinate {
    /// Reads `latitude, longitude` in degrees; `nil` for any other text, or a position out of range.
    fileprivate init?(corner text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        guard isValid else { return nil }
    }
}

extension Field<PlaceSettings> {
    /// A list of positions.
    fileprivate static func corners(_ name: String) -> Field {
        let path: any WritableKeyPath<PlaceSettings, [String]> & Sendable = name == "line" ? \.line : \.polygon
        return texts(
            name, path, TextRule(expectation: "latitude, longitude") { Coordinate(corner: $0) != nil },
            "a list of positions such as \"52.52, 13.405\"")
    }
}
