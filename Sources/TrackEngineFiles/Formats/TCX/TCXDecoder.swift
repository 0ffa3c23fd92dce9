internal import TrackEngine

/// Reads the track points of Garmin's Training Center Database (TCX), of all laps in the order of the file.
///
/// A track point without a position, as a watch writes it indoors and around pauses, is reported as incomplete.
/// Planned courses have track points with invented times, and are skipped.
struct TCXDecoder: XMLTrackDecoder {
    static let root = "TrainingCenterDatabase"
    static let content = "Trackpoint elements of an Activity; planned courses are passed over"

    private enum Element {
        case root, activity, course, point, time, latitude, longitude, altitude, speed
    }

    private static let elements = NameTable<Element>([
        "TrainingCenterDatabase": .root, "Activity": .activity, "Course": .course, "Trackpoint": .point, "Time": .time,
        "LatitudeDegrees": .latitude, "LongitudeDegrees": .longitude, "AltitudeMeters": .altitude, "Speed": .speed,
    ])

    private struct Point {
        let line: Int
        var hasTime = false
        var time: Timestamp?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var speed: Double?
    }

    private let names = TCXDecoder.elements
    private let zone: ZoneOffsetTable
    var document = XMLDocument()
    private var point: Point?
    private var isInCourse = false

    /// - Parameter zone: The zone of times without one.
    init(zone: ZoneOffsetTable = .utc) { self.zone = zone }

    mutating func giveUp(into chunk: inout TrackChunk) { point = nil }

    private var element: Element? { names[document.tokenizer.name.span] }

    mutating func start(into chunk: inout TrackChunk) {
        switch element {
        case .root: document.hasRoot = true
        case .activity: chunk.beginTrack(line: document.line)
        case .course: isInCourse = true
        case .point:
            if let point { chunk.report(.malformed, line: point.line, "Trackpoint: expected </Trackpoint>") }
            document.hasPoint = document.hasPoint || !isInCourse
            point = isInCourse ? nil : Point(line: document.line)
        case .time, .latitude, .longitude, .altitude, .speed, nil: break
        }
    }

    mutating func end(text: [UInt8], into chunk: inout TrackChunk) {
        let text = text.span.extracting(text.span.trimmedRange)
        switch element {
        case .root: document.hasRootEnd = true
        case .course: isInCourse = false
        case .point:
            if let point { deliver(point, into: &chunk) }
            point = nil
        case .time:
            point?.hasTime = true
            point?.time = zone.time(text)
        case .latitude: point?.latitude = Double(written: text)
        case .longitude: point?.longitude = Double(written: text)
        case .altitude: point?.altitude = Double(written: text)
        case .speed: point?.speed = Double(written: text)
        case .activity, nil: break
        }
    }

    private func deliver(_ point: Point, into chunk: inout TrackChunk) {
        guard let time = point.time else {
            return point.hasTime
                ? chunk.report(.malformed, line: point.line, "Trackpoint: expected the time as RFC 3339")
                : chunk.report(.incomplete, line: point.line, "Trackpoint: expected a Time")
        }
        guard let latitude = point.latitude, let longitude = point.longitude else {
            return chunk.report(.incomplete, line: point.line, "Trackpoint: expected a Position")
        }
        chunk.fixes.append(
            Fix(
                time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude), altitude: point.altitude,
                speed: point.speed))
    }
}

extension TrackFormat {
    /// Creates a decoder of TCX, which can be read but not written.
    ///
    /// - Parameter zone: The zone of times without one.
    static func makeTCXDecoder(zone: ZoneOffsetTable = .utc) -> any TrackDecoder { TCXDecoder(zone: zone) }
}
