internal import TrackEngine

/// A track point of GPX 1.0 or 1.1 that is being read.
struct GPXPoint {
    /// The relevant elements of a point.
    enum Element {
        case elevation, time, geoidHeight, speed, course, bearing, satellites, horizontalDilution, positionDilution, fix
        case horizontalAccuracy, verticalAccuracy
    }

    /// The meaning of each element's name. `speed` and `course` are GPX 1.0, and in 1.1 Garmin's
    /// TrackPointExtension, which also has `bearing`; the accuracies are extensions of TrackEngine.
    static let elements = NameTable<Element>([
        "ele": .elevation, "time": .time, "speed": .speed, "course": .course, "bearing": .bearing, "sat": .satellites,
        "hdop": .horizontalDilution, "pdop": .positionDilution, "fix": .fix, "geoidheight": .geoidHeight,
        "accuracy": .horizontalAccuracy, "verticalAccuracy": .verticalAccuracy,
        "accuracy_horizontal": .horizontalAccuracy, "accuracy_vertical": .verticalAccuracy,
    ])

    /// The line of the start tag.
    let line: Int
    private var latitude: Double?
    private var longitude: Double?
    private var hasTime = false
    private var time: Timestamp?
    private var elevation: Double?
    private var geoidHeight: Double?
    private var horizontalAccuracy: Double?
    private var verticalAccuracy: Double?
    private var speed: Double?
    private var course: Double?
    private var bearing: Double?
    private var satellites: UInt8?
    private var horizontalDilution: Float?
    private var positionDilution: Float?
    private var mode: Fix.Mode?
    private var status: Fix.Status?

    init(line: Int, attributes: [XMLReader.Attribute]) {
        self.line = line
        for attribute in attributes {
            let value = attribute.value.span
            let number = Double(decimal: value.extracting(value.trimmedRange))
            if attribute.name.span.equals("lat") { latitude = number }
            if attribute.name.span.equals("lon") { longitude = number }
        }
    }

    /// Sets the value of an element; a time without a zone is in the given zone.
    mutating func set(_ element: Element, _ text: Span<UInt8>, _ zone: ZoneOffsetTable) {
        switch element {
        case .time:
            hasTime = true
            time = zone.time(text)
        case .fix: setFix(text)
        case .elevation: elevation = Double(written: text)
        case .geoidHeight: geoidHeight = Double(written: text)
        case .horizontalAccuracy: horizontalAccuracy = Double(written: text)
        case .verticalAccuracy: verticalAccuracy = Double(written: text)
        case .speed: speed = Double(written: text)
        case .course: course = Double(written: text)
        case .bearing: bearing = Double(written: text)
        case .satellites: satellites = Double(decimal: text).flatMap { UInt8(exactly: $0) }
        case .horizontalDilution: horizontalDilution = Double(written: text).map { Float($0) }
        case .positionDilution: positionDilution = Double(written: text).map { Float($0) }
        }
    }

    /// Sets mode and status. `none` is ignored, because some devices write it even for good positions.
    private mutating func setFix(_ text: Span<UInt8>) {
        if text.equals("2d") {
            mode = .twoDimensional
        } else if text.equals("3d") {
            mode = .threeDimensional
        } else if text.equals("dgps") {
            status = .differential
        } else if text.equals("pps") {
            status = .precise
        }
    }

    /// Adds the fix, or the reason why there is none, to the chunk.
    func deliver(into chunk: inout TrackChunk) {
        guard let latitude, let longitude else {
            return chunk.report(.malformed, line: line, "trkpt: expected lat and lon in degrees")
        }
        guard let time else {
            return hasTime
                ? chunk.report(.malformed, line: line, "trkpt: expected the time as RFC 3339")
                : chunk.report(.incomplete, line: line, "trkpt: expected a time")
        }
        chunk.fixes.append(
            Fix(
                time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude), altitude: elevation,
                ellipsoidalAltitude: elevation.flatMap { elevation in geoidHeight.map { elevation + $0 } },
                horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, speed: speed,
                course: (course ?? bearing)?.knownCourse,
                horizontalDilution: horizontalDilution, positionDilution: positionDilution, satellitesUsed: satellites,
                mode: mode, status: status))
    }
}
