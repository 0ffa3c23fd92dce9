import TrackEngine

/// The properties of a place in a file, except its shape, before they are validated.
struct PlaceDraft {
    /// A property's value.
    enum Value {
        case number(Double)
        case text(String)
        case texts([String])
    }

    var id: String?
    var name: String?
    /// The radius of a point, in metres.
    var radius: Double?
    /// The width of a line, in metres.
    var width: Double?
    private var dwell: Double?
    private var hysteresis: Double?
    private var tags: [String] = []
    var created: Timestamp?
    private var check = ConfigurationCheck()

    /// Notes a problem, up to eight of them.
    mutating func problem(_ key: String, _ value: String, _ expectation: String) {
        if check.problems.count < 8 { check.problem(key, value, expectation) }
    }

    /// Sets a property; unknown names are ignored.
    mutating func set(_ key: String, _ value: Value) {
        switch key {
        case "id": id = text(key, value)
        case "name": name = text(key, value)
        case "radius": radius = number(key, value, "metres")
        case "width": width = number(key, value, "metres")
        case "dwell": dwell = number(key, value, "seconds")
        case "hysteresis": hysteresis = number(key, value, "metres")
        case "tags": tags = Self.tags(value)
        case "created": setCreated(value)
        default: break
        }
    }

    private mutating func text(_ key: String, _ value: Value) -> String? {
        switch value {
        case .text(let text): return text
        case .number(let number): return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .texts:
            problem(key, "an array", "a text")
            return nil
        }
    }

    private mutating func number(_ key: String, _ value: Value, _ unit: String) -> Double? {
        switch value {
        case .number(let number): return number
        case .text(let text):
            let utf8 = Array(text.utf8)
            if let number = Double(decimal: utf8.span.extracting(utf8.span.trimmedRange)) { return number }
        case .texts: break
        }
        problem(key, "no number", "a number of \(unit)")
        return nil
    }

    private static func tags(_ value: Value) -> [String] {
        switch value {
        case .texts(let texts): return texts
        case .number(let number): return ["\(number)"]
        case .text(let text):
            return text.split(separator: ",").map { part in
                let utf8 = Array(part.utf8)
                return utf8.span.text(in: utf8.span.trimmedRange)
            }
        }
    }

    private mutating func setCreated(_ value: Value) {
        switch value {
        case .number(let seconds):
            created = Int64(exactly: seconds.rounded(.down)).map { Timestamp(secondsSince1970: $0) }
        case .text(let text): created = Timestamp(text: Array(text.utf8).span)
        case .texts: created = nil
        }
        if created == nil { problem("created", "no time", "a time as RFC 3339, or seconds since 1970") }
    }

    /// Returns the place if all values are valid.
    ///
    /// - Parameter shape: The shape; if it is `nil`, the reason is expected from ``problem(_:_:_:)``, else a missing
    ///   geometry is reported.
    func place(_ shape: Area.Shape?) throws(ConfigurationError) -> Place {
        var check = check
        let id = id ?? name
        if id == nil { check.problem("id", "none", "an id or a name") }
        if shape == nil, check.problems.isEmpty { check.problem("geometry", "none", "one") }
        try check.finish()
        guard let id, let shape else { throw ConfigurationError(problems: check.problems) }
        let area = try Area(shape)
        // A `Duration` of more seconds would trap.
        let seconds = dwell.map { $0 >= 0 && $0 < 1e9 ? Duration.seconds($0) : .seconds(-1) }
        return try Place(
            id: id, name: name ?? id, area: area, dwell: seconds, hysteresis: hysteresis ?? Place.defaultHysteresis,
            tags: tags, created: created)
    }
}

extension Coordinate {
    /// Creates a position from a file, with a longitude that may be beyond the antimeridian; `nil` if it is invalid.
    init?(longitude: Double, latitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 540 else { return nil }
        let wrapped = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        self.init(latitude: latitude, longitude: wrapped)
    }
}
