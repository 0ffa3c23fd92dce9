internal import TrackEngine

/// The walk over a track object.
extension TrackElement {
    /// Reads the members of an object: of the whole, of `properties`, of `geometry` or of `coords`.
    ///
    /// - Parameter depth: 0 for the whole; objects that count lie one level below it and no deeper.
    mutating func readMembers(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>, _ names: borrowing NameTable<Name>, depth: Int
    ) {
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            if let known = cursor.meaning(of: name, bytes, names) {
                readMember(known, &cursor, bytes, names, depth: depth)
            } else {
                cursor.skip(bytes)
            }
        }
    }

    private mutating func readMember(
        _ name: Name, _ cursor: inout JSONCursor, _ bytes: Span<UInt8>, _ names: borrowing NameTable<Name>, depth: Int
    ) {
        switch name {
        case .geometry, .properties, .coords, .position:
            if name == .coords { isRecord = true }
            guard depth == 0, cursor.peek(bytes) == UInt8(ascii: "{") else { return cursor.skip(bytes) }
            readMembers(&cursor, bytes, names, depth: 1)
        case .coordinateProperties:
            guard depth < 2, cursor.peek(bytes) == UInt8(ascii: "{") else { return cursor.skip(bytes) }
            readMembers(&cursor, bytes, names, depth: 2)
        case .times:
            if cursor.peek(bytes) == UInt8(ascii: "[") { timesOffset = cursor.offset }
            cursor.skip(bytes)
        case .type: readType(&cursor, bytes)
        case .action: if cursor.stringOrSkip(bytes) != nil { kind = .action }
        case .coordinates: readCoordinates(&cursor, bytes)
        case .timestamp: if depth == 0 || !isRecord { readTimestamp(&cursor, bytes) } else { cursor.skip(bytes) }
        case .motion: readMotion(&cursor, bytes)
        case .activity: readActivity(&cursor, bytes)
        case .mock: isMock = cursor.isTrue(bytes)
        case .scan:
            if depth == 0 { kind = .scan }
            cursor.skip(bytes)
        case .startTime:
            if depth == 0 { kind = .segment }
            cursor.skip(bytes)
        case .message: readMessage(&cursor, bytes)
        case .latLng: readText(&cursor, bytes)
        case .latitudeE7:
            hasE7 = true
            latitude = cursor.decimal(bytes).map { Self.degrees(e7: $0, 90) } ?? latitude
        case .longitudeE7: longitude = cursor.decimal(bytes).map { Self.degrees(e7: $0, 180) } ?? longitude
        case .kilometresAnHour: speed = cursor.decimal(bytes).map { $0 * 1000 / 3600 } ?? speed
        case .velocity: velocity = cursor.number(bytes)
        case .latitude: latitude = cursor.decimal(bytes) ?? latitude
        case .longitude: longitude = cursor.decimal(bytes) ?? longitude
        case .altitude: altitude = cursor.decimal(bytes) ?? altitude
        case .ellipsoidalAltitude: ellipsoidalAltitude = cursor.decimal(bytes) ?? ellipsoidalAltitude
        case .speed: speed = cursor.decimal(bytes) ?? speed
        case .course: course = cursor.decimal(bytes) ?? course
        case .horizontalAccuracy: horizontalAccuracy = cursor.decimal(bytes) ?? horizontalAccuracy
        case .verticalAccuracy: verticalAccuracy = cursor.decimal(bytes) ?? verticalAccuracy
        case .speedAccuracy: speedAccuracy = cursor.decimal(bytes) ?? speedAccuracy
        case .courseAccuracy: courseAccuracy = cursor.decimal(bytes) ?? courseAccuracy
        case .satellites: satellites = cursor.decimal(bytes) ?? satellites
        case .horizontalDilution: horizontalDilution = cursor.decimal(bytes) ?? horizontalDilution
        case .mode: mode = cursor.decimal(bytes) ?? mode
        }
    }

    /// OwnTracks' other messages have positions, too: those of waypoints and of crossings.
    private mutating func readMessage(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard let type = cursor.stringOrSkip(bytes) else { return }
        if !bytes.extracting(type).equals("location") { kind = .action }
    }

    private mutating func readText(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard let text = cursor.textOrSkip(bytes), let place = Coordinate(degrees: text) else { return }
        (latitude, longitude) = (place.latitude, place.longitude)
    }

    /// Degrees from ten millionths of them. Old exports have numbers of 32 bits without their sign.
    private static func degrees(e7 number: Double, _ most: Double) -> Double {
        let signed = number > most * 1e7 ? number - 4_294_967_296 : number
        return signed / 1e7
    }

    /// `"type":"trip"` in the properties makes a trip; an action, once seen, stays one.
    private mutating func readType(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard let type = cursor.stringOrSkip(bytes) else { return }
        if bytes.extracting(type).equals("trip"), kind == .location { kind = .trip }
    }

    /// The place of a point; of a line only where its places begin.
    private mutating func readCoordinates(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "[") else { return cursor.skip(bytes) }
        if cursor.beginsList(of: UInt8(ascii: "["), bytes) {
            lineOffset = cursor.offset
            cursor.skip(bytes)
        } else {
            point = GeoJSONPosition(&cursor, bytes)
            hasPoint = true
        }
    }

    /// A text with or without a zone, or a number since 1970, which may be a text, too.
    private mutating func readTimestamp(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        hasTimestamp = true
        guard let read = WrittenMoment(&cursor, bytes, zone) else { return }
        (time, hasNumericTime) = (read.time, read.isNumber)
    }

    /// Overland's `motion` is a list of words, some senders write one word; of several the fastest counts.
    private mutating func readMotion(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "[") else { return readMotionWord(&cursor, bytes) }
        cursor.beginArray(bytes)
        while cursor.nextElement(bytes) { readMotionWord(&cursor, bytes) }
    }

    private mutating func readMotionWord(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard let word = cursor.stringOrSkip(bytes), let found = Activity(word: bytes.extracting(word)) else { return }
        if found.rawValue > activity?.rawValue ?? 0 { activity = found }
    }

    /// CalmGeo's `activity` is an object with a `type`; Overland's, a setting of the phone, is a word and says nothing.
    private mutating func readActivity(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "{") else { return cursor.skip(bytes) }
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            if bytes.extracting(name).equals("type") {
                readMotionWord(&cursor, bytes)
            } else {
                cursor.skip(bytes)
            }
        }
    }
}
