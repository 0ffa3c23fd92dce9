internal import TrackEngine

/// A part of the timeline that phones with Google Maps export: the points of a path, the place of a visit, or the
/// two ends of an activity.
///
/// | member | result |
/// |---|---|
/// | `timelinePath` | each `point` at its `time`, or at an offset in minutes from `startTime` |
/// | `visit` | its place at `startTime` |
/// | `activity` | `start` at `startTime` and `end` at `endTime` |
///
/// Places are strings, or objects with a string: `52.52°, 13.405°` on Android, `geo:52.52,13.405` on iPhones.
///
/// The objects of the Semantic Location History, `placeVisit` and `activitySegment`, have the same parts under other
/// names, and places as ten-millionths of a degree.
struct TimelineSegment {
    private enum Name {
        case start, end, path, part, place, startPlace, endPlace, latLng, point, time, minutes, latitudeE7, longitudeE7
    }

    private static let names = NameTable<Name>([
        "startTime": .start, "endTime": .end, "timelinePath": .path, "visit": .part, "activity": .part,
        "topCandidate": .part, "placeLocation": .place, "start": .startPlace, "end": .endPlace,
        "latLng": .latLng, "LatLng": .latLng, "point": .point, "time": .time,
        "durationMinutesOffsetFromStartTime": .minutes, "placeVisit": .part, "activitySegment": .part,
        "duration": .part, "startTimestamp": .start, "startTimestampMs": .start, "endTimestamp": .end,
        "endTimestampMs": .end, "location": .place, "startLocation": .startPlace, "endLocation": .endPlace,
        "simplifiedRawPath": .part, "points": .path, "timestamp": .time, "timestampMs": .time,
        "latitudeE7": .latitudeE7, "longitudeE7": .longitudeE7, "latE7": .latitudeE7, "lngE7": .longitudeE7,
    ])

    private let names = TimelineSegment.names
    private let zone: ZoneOffsetTable
    private var start: Timestamp?
    private var end: Timestamp?
    private var visited: Coordinate?
    private var ends: (start: Coordinate?, end: Coordinate?)
    private var pathOffset: Int?

    /// The fixes of the segment, in any order.
    private(set) var fixes: [Fix] = []
    /// The number of places without a time, or without readable degrees.
    private(set) var defects = 0

    /// Reads a segment that is known to be a JSON object.
    init(_ bytes: Span<UInt8>, zone: ZoneOffsetTable) {
        self.zone = zone
        var cursor = JSONReader()
        walk(&cursor, bytes)
        if let visited { add(visited, start) }
        if let place = ends.start { add(place, start) }
        if let place = ends.end { add(place, end) }
        if let pathOffset {
            cursor = JSONReader(at: pathOffset)
            readPath(&cursor, bytes)
        }
    }

    private mutating func add(_ place: Coordinate?, _ time: Timestamp?) {
        if let place, let time {
            fixes.append(Fix(time: time, coordinate: place))
        } else {
            defects += 1
        }
    }

    /// Reads the segment and its relevant objects.
    private mutating func walk(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "{") else { return cursor.skip(bytes) }
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            switch cursor.meaning(of: name, bytes, names) {
            case .start: start = JSONTime(&cursor, bytes, zone)?.time
            case .end: end = JSONTime(&cursor, bytes, zone)?.time
            case .part: walk(&cursor, bytes)
            case .place: visited = place(&cursor, bytes)
            case .startPlace: ends.start = place(&cursor, bytes)
            case .endPlace: ends.end = place(&cursor, bytes)
            case .path:
                if cursor.peek(bytes) == UInt8(ascii: "[") { pathOffset = cursor.offset }
                cursor.skip(bytes)
            case .latLng, .point, .time, .minutes, .latitudeE7, .longitudeE7, nil: cursor.skip(bytes)
            }
        }
    }

    /// Reads a place that is a string, or in an object as a string or two numbers.
    private mutating func place(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) -> Coordinate? {
        guard cursor.peek(bytes) == UInt8(ascii: "{") else {
            let text = cursor.textOrSkip(bytes)
            let place = text.flatMap { Coordinate(degrees: $0) }
            if text != nil, place == nil { defects += 1 }
            return place
        }
        var found: Coordinate?
        var degrees = CoordinateMembers()
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            let meaning = cursor.meaning(of: name, bytes, names)
            if meaning == .latLng {
                found = place(&cursor, bytes)
            } else if !degrees.take(meaning, &cursor, bytes) {
                cursor.skip(bytes)
            }
        }
        return found ?? degrees.coordinate
    }

    /// A place as ten-millionths of a degree.
    private struct CoordinateMembers {
        private var latitude: Double?
        private var longitude: Double?
        /// Whether there was a number or another value.
        private(set) var isPresent = false

        var coordinate: Coordinate? {
            guard let latitude, let longitude else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }

        /// Reads a member; returns false for one with another meaning, which is not read.
        mutating func take(_ meaning: Name?, _ cursor: inout JSONReader, _ bytes: Span<UInt8>) -> Bool {
            switch meaning {
            case .latitudeE7: latitude = cursor.decimal(bytes).map { TrackElement.degrees(e7: $0, 90) }
            case .longitudeE7: longitude = cursor.decimal(bytes).map { TrackElement.degrees(e7: $0, 180) }
            default: return false
            }
            isPresent = true
            return true
        }
    }

    private mutating func readPath(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        cursor.beginArray(bytes)
        while cursor.nextElement(bytes) {
            guard cursor.peek(bytes) == UInt8(ascii: "{") else {
                cursor.skip(bytes)
                continue
            }
            readPoint(&cursor, bytes)
        }
    }

    private mutating func readPoint(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        var (found, time) = (Coordinate?.none, Timestamp?.none)
        var hasPoint = false
        var degrees = CoordinateMembers()
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            let meaning = cursor.meaning(of: name, bytes, names)
            if degrees.take(meaning, &cursor, bytes) { continue }
            switch meaning {
            case .point:
                hasPoint = true
                found = cursor.textOrSkip(bytes).flatMap { Coordinate(degrees: $0) }
            case .time: time = JSONTime(&cursor, bytes, zone)?.time
            case .minutes:
                let minutes = cursor.decimal(bytes).flatMap { Int64(exactly: ($0 * 60).rounded()) }
                if let minutes, minutes.magnitude < 1 << 32 { time = start?.advanced(by: .seconds(minutes)) }
            case .start, .end, .path, .part, .place, .startPlace, .endPlace, .latLng, .latitudeE7, .longitudeE7, nil:
                cursor.skip(bytes)
            }
        }
        if hasPoint || degrees.isPresent { add(found ?? degrees.coordinate, time) }
    }
}

/// Sorts the fixes of segments, which overlap, by time.
///
/// A fix more than a day before the beginning of a segment precedes all later ones, because segments are written in
/// the order of their beginnings.
struct TimelineOrder {
    /// The largest number of held fixes.
    private static let maximumCount = 4096

    private var held: [Fix] = []
    /// The time of the latest delivered fix.
    private(set) var latest: Timestamp?

    /// Adds the fixes of a segment and delivers those that precede all others.
    mutating func add(_ fixes: [Fix], into chunk: inout TrackChunk) {
        guard let begin = fixes.map(\.time).min() else { return }
        release(before: begin.advanced(by: .seconds(-86_400)), into: &chunk)
        for fix in fixes {
            let place = held.lastIndex { $0.time <= fix.time }.map { $0 + 1 } ?? 0
            held.insert(fix, at: place)
        }
        if held.count > Self.maximumCount { release(held.count - Self.maximumCount / 2, into: &chunk) }
    }

    /// Delivers all held fixes.
    mutating func flush(into chunk: inout TrackChunk) { release(held.count, into: &chunk) }

    private mutating func release(before time: Timestamp, into chunk: inout TrackChunk) {
        release(held.firstIndex { $0.time >= time } ?? held.count, into: &chunk)
    }

    private mutating func release(_ count: Int, into chunk: inout TrackChunk) {
        guard count > 0 else { return }
        chunk.fixes += held.prefix(count)
        latest = held[count - 1].time
        held.removeFirst(count)
    }
}
