internal import TrackEngine

/// One JSON object of a track file: a GeoJSON feature in the form of Overland and others, a CalmGeo record, a
/// location of Google's `Records.json` or `rawSignals`, a position of Traccar, or a message of OwnTracks.
///
/// The same code reads all of them, because they differ in their members: a feature has `geometry` and `properties`,
/// a record has `coords`. Unknown members are skipped. Numbers may be strings. An unreadable value does not replace
/// another one, and the properties never replace the geometry.
struct TrackElement {
    /// The used members, on any level.
    enum Name {
        case type, geometry, properties, coordinates, coords, timestamp, latitude, longitude
        case altitude, ellipsoidalAltitude, speed, course, horizontalAccuracy, verticalAccuracy, speedAccuracy
        case courseAccuracy, satellites, horizontalDilution, mode, motion, activity, action, mock
        /// The times of a line's positions, and the object that may contain them.
        case times, coordinateProperties
        /// Google's: degrees as whole numbers or as a string, and the scans of a phone in addition to its positions.
        case position, latitudeE7, longitudeE7, latLng, velocity, scan
        /// Google's: a member that only segments have (``TimelineSegment``).
        case segment
        /// Traccar's: the times of the fix and of the device's message, and whether the fix is valid.
        case fixTime, deviceTime, valid
        /// OwnTracks': the kind of message, the speed in km/h, and the course in the messages of the app Colota.
        case message, kilometresAnHour, bearing
        /// The name of the object whose position it is.
        case object
        /// Dawarich's: a member of OwnTracks' messages, whose `mode` is the app's and not the fix's.
        case appMember
    }

    /// The meaning of each member's name, with the names of Overland, CalmGeo and other senders.
    static let names = NameTable<Name>([
        "type": .type, "geometry": .geometry, "properties": .properties, "coordinates": .coordinates,
        "coords": .coords, "timestamp": .timestamp, "time": .timestamp, "latitude": .latitude,
        "longitude": .longitude, "altitude": .altitude, "ele": .altitude,
        "ellipsoidalAltitude": .ellipsoidalAltitude, "ellipsoidal_altitude": .ellipsoidalAltitude, "speed": .speed,
        "course": .course, "heading": .course,
        "bearing": .course, "horizontal_accuracy": .horizontalAccuracy, "accuracy": .horizontalAccuracy,
        "vertical_accuracy": .verticalAccuracy, "altitudeAccuracy": .verticalAccuracy,
        "speed_accuracy": .speedAccuracy, "speedAccuracy": .speedAccuracy, "course_accuracy": .courseAccuracy,
        "headingAccuracy": .courseAccuracy, "satellites": .satellites, "hdop": .horizontalDilution,
        "mode": .mode, "motion": .motion, "activity": .activity, "action": .action, "mock": .mock,
        "coordTimes": .times, "times": .times, "coordinateProperties": .coordinateProperties,
        "verticalAccuracy": .verticalAccuracy, "timestampMs": .timestamp, "position": .position,
        "latitudeE7": .latitudeE7, "longitudeE7": .longitudeE7, "LatLng": .latLng, "latLng": .latLng,
        "velocity": .velocity, "speedMetersPerSecond": .speed, "accuracyMeters": .horizontalAccuracy,
        "altitudeMeters": .altitude, "activityRecord": .scan, "wifiScan": .scan, "startTime": .segment,
        "placeVisit": .segment, "activitySegment": .segment, "fixTime": .fixTime, "deviceTime": .deviceTime,
        "valid": .valid, "linestringTimestamps": .times, "datetimes": .times, "temporalGeometry": .geometry,
        "_type": .message, "lat": .latitude, "lon": .longitude, "tst": .timestamp, "alt": .altitude,
        "acc": .horizontalAccuracy, "vac": .verticalAccuracy, "cog": .course, "vel": .kilometresAnHour,
        "bear": .bearing, "deviceId": .object, "device_id": .object, "mmsi": .object, "MMSI": .object,
        "icao24": .object, "speed_kmh": .kilometresAnHour, "recorded_at": .timestamp, "recordedAt": .timestamp,
        "inrids": .appMember, "tracker_id": .appMember,
    ])

    /// The kind of the object.
    enum Kind {
        case location
        /// Overland's records other than positions.
        case trip, action
        /// OwnTracks' messages other than positions, and those whose kind is not known without the key.
        case message, encrypted
        /// Google's records other than positions.
        case scan
        /// A part of a Google timeline.
        case segment
    }

    let zone: ZoneOffsetTable
    var kind = Kind.location
    var hasTimestamp = false
    /// Whether the time is a number.
    var hasNumericTime = false
    var time: Timestamp?
    /// Traccar's times of the fix and of the device's message. With both, that of the fix comes before any other.
    var fixTime: Timestamp?
    var deviceTime: Timestamp?
    /// Whether `valid` is not true; it counts for Traccar's positions only.
    var isInvalid = false
    /// The position of the geometry.
    var point = GeoJSONPosition()
    /// Whether the geometry is a point, readable or not.
    var hasPoint = false
    var latitude: Double?
    var longitude: Double?
    /// The offsets in the object of the positions of a line, and of their times.
    var lineOffset: Int?
    var timesOffset: Int?
    /// Google's speed in metres per second; that of others may be any value.
    var velocity: Double?
    /// OwnTracks' speed in km/h; in messages of Colota, in metres per second.
    var kilometresAnHour: Double?
    private(set) var isOfColota = false
    var bearing: Double?
    /// The place in the object of the name of the tracked object.
    var object: Range<Int>?
    /// Whether it is one of Google's locations.
    var hasE7 = false
    var altitude: Double?
    var ellipsoidalAltitude: Double?
    var speed: Double?
    var course: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var speedAccuracy: Double?
    var courseAccuracy: Double?
    var satellites: Double?
    var horizontalDilution: Double?
    var mode: Double?
    var hasModeOfApp = false
    var activity: Activity?
    var isMock = false
    /// Whether it is a CalmGeo record.
    var isRecord = false

    /// Reads an object with times that may lack a zone; `nil` for invalid JSON.
    init?(_ bytes: Span<UInt8>, names: borrowing NameTable<Name>, zone: ZoneOffsetTable) {
        self.zone = zone
        var cursor = JSONReader()
        readMembers(&cursor, bytes, names, depth: 0)
        guard cursor.isAtEnd(bytes) else { return nil }
        if kilometresAnHour != nil { isOfColota = Self.isOfColota(bytes) }
        if hasModeOfApp { mode = nil }
    }

    private static func isOfColota(_ bytes: Span<UInt8>) -> Bool {
        var (cursor, members) = (JSONReader(), OwnTracksMembers())
        note(&members, &cursor, bytes, depth: 0)
        return members.isOfColota
    }

    /// Notes the names of the members, and of those of `properties`.
    private static func note(
        _ members: inout OwnTracksMembers, _ cursor: inout JSONReader, _ bytes: Span<UInt8>, depth: Int
    ) {
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            let text = bytes.extracting(name)
            members.note(text)
            if depth == 0, text.equals("properties"), cursor.peek(bytes) == UInt8(ascii: "{") {
                note(&members, &cursor, bytes, depth: 1)
            } else {
                cursor.skip(bytes)
            }
        }
    }

    /// The fix, or the reason why the object is not one.
    func fix() -> Result<Fix, Problem> {
        switch kind {
        case .trip: return .failure(Problem(kind: .incomplete, message: "a trip, not a location: passed over"))
        case .action:
            return .failure(Problem(kind: .incomplete, message: "an action or visit, not a location: passed over"))
        case .message:
            return .failure(
                Problem(kind: .incomplete, message: "an OwnTracks message of another kind, not a location: passed over")
            )
        case .encrypted:
            return .failure(
                Problem(
                    kind: .incomplete,
                    message: "expected a location in plain text: this OwnTracks message is encrypted and may be one"))
        case .location, .scan, .segment: break
        }
        // gpsd: mode 1 is no fix.
        guard !isTraccars || !isInvalid, mode != 1 else {
            return .failure(Problem(kind: .incomplete, message: "expected a fix: it is marked as invalid"))
        }
        // An axis that is missing in the geometry is not taken from the properties.
        let place = hasPoint ? (point.latitude, point.longitude) : (latitude, longitude)
        guard let latitude = place.0, let longitude = place.1 else {
            return .failure(Problem(kind: .incomplete, message: "expected a Point with longitude and latitude"))
        }
        guard let time = (isTraccars ? fixTime : nil) ?? time ?? point.time ?? fixTime ?? deviceTime else {
            return hasTimestamp
                ? .failure(
                    Problem(kind: .malformed, message: "expected the timestamp as RFC 3339 or seconds since 1970"))
                : .failure(Problem(kind: .incomplete, message: "expected a timestamp with the position"))
        }
        return .success(makeFix(time, Coordinate(latitude: latitude, longitude: longitude)))
    }

    /// Whether it is one of Traccar's positions, with speeds in knots.
    private var isTraccars: Bool { fixTime != nil && deviceTime != nil }

    /// The reason why an object is not a fix.
    struct Problem: Error {
        let kind: SourceProblem.Kind
        let message: String
    }

    /// Creates the fix. Overland writes -1 for unknown values, and an altitude of 0 together with a vertical
    /// accuracy of -1. From most writers, the third number of a position is the only height that they have. If the
    /// object also has the height above the ellipsoid under its name, the third number is that one.
    private func makeFix(_ time: Timestamp, _ coordinate: Coordinate) -> Fix {
        let speed = speed ?? kilometresAnHour.map { isOfColota ? $0 : $0 * 1000 / 3600 } ?? (hasE7 ? velocity : nil)
        let hasNoAltitude = !isRecord && altitude == 0 && verticalAccuracy.map { $0 < 0 } == true
        return Fix(
            time: time, coordinate: coordinate,
            altitude: hasNoAltitude ? nil : altitude ?? (ellipsoidalAltitude == nil ? point.height : nil),
            ellipsoidalAltitude: ellipsoidalAltitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, speed: isTraccars ? speed.map(CSVQuantity.knot.applied) : speed,
            speedAccuracy: speedAccuracy,
            course: (course ?? bearing)?.knownCourse, courseAccuracy: courseAccuracy,
            horizontalDilution: horizontalDilution.map { Float($0) },
            satellitesUsed: satellites.flatMap { UInt8(exactly: $0) },
            mode: mode.flatMap { UInt8(exactly: $0) }.flatMap { Fix.Mode(rawValue: $0) }, activity: activity,
            flags: isMock ? .simulated : [])
    }
}
