internal import TrackEngine

/// The parsing of a track object.
extension TrackElement {
    /// Reads the members of an object: of the whole element, of `properties`, of `geometry` or of `coords`.
    ///
    /// - Parameter depth: 0 for the whole element; relevant objects are one level below it and no deeper.
    mutating func readMembers(
        _ cursor: inout JSONReader, _ bytes: Span<UInt8>, _ names: borrowing NameTable<Name>, depth: Int
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
        _ name: Name, _ cursor: inout JSONReader, _ bytes: Span<UInt8>, _ names: borrowing NameTable<Name>, depth: Int
    ) {
        switch name {
        case .geometry, .properties, .coords, .position, .coordinateProperties:
            if name == .coords { isRecord = true }
            let level = name == .coordinateProperties ? 2 : 1
            guard depth < level, cursor.peek(bytes) == UInt8(ascii: "{") else { return cursor.skip(bytes) }
            readMembers(&cursor, bytes, names, depth: level)
        case .times: readTimes(&cursor, bytes)
        case .type: readType(&cursor, bytes)
        case .action: if cursor.stringOrSkip(bytes) != nil { kind = .action }
        case .coordinates: readCoordinates(&cursor, bytes)
        case .timestamp: if depth == 0 || !isRecord { readTimestamp(&cursor, bytes) } else { cursor.skip(bytes) }
        case .motion: readMotion(&cursor, bytes)
        case .activity: readActivity(&cursor, bytes)
        case .mock: isMock = cursor.isTrue(bytes)
        case .scan, .segment:
            if depth == 0 { kind = name == .scan ? .scan : .segment }
            cursor.skip(bytes)
        case .fixTime, .deviceTime:
            hasTimestamp = true
            let read = JSONTime(&cursor, bytes, zone)?.time
            if name == .fixTime { fixTime = read } else { deviceTime = read }
        case .valid: isInvalid = !cursor.isTrue(bytes)
        case .message: readMessage(&cursor, bytes)
        case .latLng: readText(&cursor, bytes)
        case .latitudeE7:
            hasE7 = true
            latitude = cursor.decimal(bytes).map { Self.degrees(e7: $0, 90) } ?? latitude
        case .longitudeE7: longitude = cursor.decimal(bytes).map { Self.degrees(e7: $0, 180) } ?? longitude
        case .kilometresAnHour: kilometresAnHour = cursor.decimal(bytes) ?? kilometresAnHour
        case .bearing: bearing = cursor.decimal(bytes) ?? bearing
        case .object: readObject(&cursor, bytes)
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
        case .appMember: readAppMember(&cursor, bytes)
        }
    }

    /// Notes the place of a line's times.
    private mutating func readTimes(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        if cursor.peek(bytes) == UInt8(ascii: "[") { timesOffset = cursor.offset }
        cursor.skip(bytes)
    }

    /// Notes that the mode is that of the app.
    private mutating func readAppMember(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        hasModeOfApp = true
        cursor.skip(bytes)
    }

    /// Excludes OwnTracks' other messages, some of which have positions: waypoints and transitions.
    private mutating func readMessage(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard let type = cursor.stringOrSkip(bytes) else { return }
        let word = bytes.extracting(type)
        if word.equals("encrypted") {
            kind = .encrypted
        } else if !word.equals("location") {
            kind = .message
        }
    }

    /// Notes the place of a name, which is a string or a number.
    private mutating func readObject(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        let first = cursor.peek(bytes)
        let start = cursor.offset
        cursor.skip(bytes)
        let value = start..<cursor.offset
        if first != UInt8(ascii: "n"), value.count > 2 || first != UInt8(ascii: "\"") { object = value }
    }

    private mutating func readText(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard let text = cursor.textOrSkip(bytes), let place = Coordinate(degrees: text) else { return }
        (latitude, longitude) = (place.latitude, place.longitude)
    }

    /// Degrees from ten-millionths of a degree. Old exports contain 32-bit numbers without their sign.
    static func degrees(e7 number: Double, _ most: Double) -> Double {
        let signed = number > most * 1e7 ? number - 4_294_967_296 : number
        return signed / 1e7
    }

    /// Detects a trip by `"type":"trip"` in the properties; an action, once detected, remains one.
    private mutating func readType(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard let type = cursor.stringOrSkip(bytes) else { return }
        if bytes.extracting(type).equals("trip"), kind == .location { kind = .trip }
    }

    /// Reads the position of a point, or only the offset of a line's positions.
    private mutating func readCoordinates(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "[") else { return cursor.skip(bytes) }
        if cursor.beginsList(of: UInt8(ascii: "["), bytes) {
            lineOffset = cursor.offset
            cursor.skip(bytes)
        } else {
            point = GeoJSONPosition(&cursor, bytes)
            hasPoint = true
        }
    }

    /// Reads a string with or without a zone, or a number since 1970, which may also be a string.
    private mutating func readTimestamp(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        hasTimestamp = true
        guard let read = JSONTime(&cursor, bytes, zone) else { return }
        (time, hasNumericTime) = (read.time, read.isNumber)
    }

    /// Reads Overland's `motion`, a list of words; some senders write a single word. The fastest of several counts.
    private mutating func readMotion(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "[") else { return readMotionWord(&cursor, bytes) }
        cursor.beginArray(bytes)
        while cursor.nextElement(bytes) { readMotionWord(&cursor, bytes) }
    }

    private mutating func readMotionWord(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
        guard let word = cursor.stringOrSkip(bytes), let found = Activity(word: bytes.extracting(word)) else { return }
        if found.rawValue > activity?.rawValue ?? 0 { activity = found }
    }

    /// Reads CalmGeo's `activity`, an object with a `type`. Overland's is a word for a setting of the phone and is
    /// ignored.
    private mutating func readActivity(_ cursor: inout JSONReader, _ bytes: Span<UInt8>) {
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
