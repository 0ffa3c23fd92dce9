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
        case .geometry, .properties, .coords:
            if name == .coords { isRecord = true }
            guard depth == 0, cursor.peek(bytes) == UInt8(ascii: "{") else { return cursor.skip(bytes) }
            readMembers(&cursor, bytes, names, depth: 1)
        case .type: readType(&cursor, bytes)
        case .action: if cursor.stringOrSkip(bytes) != nil { kind = .action }
        case .coordinates: readPosition(&cursor, bytes)
        case .timestamp: if depth == 0 || !isRecord { readTimestamp(&cursor, bytes) } else { cursor.skip(bytes) }
        case .motion: readMotion(&cursor, bytes)
        case .activity: readActivity(&cursor, bytes)
        case .mock: isMock = cursor.isTrue(bytes)
        case .latitude: latitude = cursor.number(bytes)
        case .longitude: longitude = cursor.number(bytes)
        case .altitude: altitude = cursor.number(bytes)
        case .ellipsoidalAltitude: ellipsoidalAltitude = cursor.number(bytes)
        case .speed: speed = cursor.number(bytes)
        case .course: course = cursor.number(bytes)
        case .horizontalAccuracy: horizontalAccuracy = cursor.number(bytes)
        case .verticalAccuracy: verticalAccuracy = cursor.number(bytes)
        case .speedAccuracy: speedAccuracy = cursor.number(bytes)
        case .courseAccuracy: courseAccuracy = cursor.number(bytes)
        case .satellites: satellites = cursor.number(bytes)
        case .horizontalDilution: horizontalDilution = cursor.number(bytes)
        case .mode: mode = cursor.number(bytes)
        }
    }

    /// `"type":"trip"` in the properties makes a trip; an action, once seen, stays one.
    private mutating func readType(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard let type = cursor.stringOrSkip(bytes) else { return }
        if bytes.extracting(type).equals("trip"), kind == .location { kind = .trip }
    }

    /// `[longitude, latitude]` or `[longitude, latitude, height]`; anything else is no position.
    private mutating func readPosition(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        guard cursor.peek(bytes) == UInt8(ascii: "[") else { return cursor.skip(bytes) }
        cursor.beginArray(bytes)
        var numbers = (longitude: Double?.none, latitude: Double?.none, height: Double?.none)
        var count = 0
        while cursor.nextElement(bytes) {
            let number = cursor.number(bytes)
            switch count {
            case 0: numbers.longitude = number
            case 1: numbers.latitude = number
            case 2: numbers.height = number
            default: break
            }
            count += 1
        }
        (longitude, latitude, height) = numbers
    }

    /// A text in RFC 3339, or a number since 1970.
    private mutating func readTimestamp(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) {
        hasTimestamp = true
        hasNumericTime = cursor.peek(bytes) != UInt8(ascii: "\"")
        if !hasNumericTime {
            time = cursor.string(bytes).flatMap { Timestamp(text: bytes.extracting($0)) }
        } else {
            time = cursor.number(bytes).flatMap { Timestamp(unixNumber: $0) }
        }
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
