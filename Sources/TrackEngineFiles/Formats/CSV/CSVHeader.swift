internal import TrackEngine

/// The columns of a CSV file, according to its header.
struct CSVHeader {
    /// The content of a column. Speeds are metres per second, lengths metres, angles degrees.
    enum Column: Int, CaseIterable {
        case time, latitude, longitude, altitude, ellipsoidalAltitude, speed, course, horizontalAccuracy
        case verticalAccuracy, speedAccuracy, courseAccuracy, horizontalDilution, positionDilution, satellites, mode
        /// The hemispheres of a latitude and a longitude without a sign.
        case northSouth, eastWest
        /// The milliseconds of a time of whole seconds.
        case milliseconds
        /// The date of a time of day; words that say whether the row has a fix, and letters for that: NMEA's status, and
        /// GPS Visualizer's type.
        case date, valid, status, pointType
        /// The name of the vehicle, vessel or animal whose position it is.
        case object
        /// The time zone of times without one, or its offset from UTC; and a column with that or a heart rate.
        case zone, zoneHint
        /// A column that takes another one's place, depending on the others (``CSVHeader/resolve(_:)``).
        case x, y, fixTime, deviceTime, createdTime, vesselTime, kilometresAnHour, knots, groundSpeed
        /// Names that also identify the program of the table: Columbus' loggers, and Movebank.
        case columbusLatitude, animalLongitude
        /// Whether Movebank takes the place for true.
        case visible
        /// The place in a message of flespi, where there is no other.
        case positionLatitude, positionLongitude
        /// A number that may be the time of the row in UTC.
        case epoch
        /// Names with a second meaning, the number of a track and a height above the ground: where there is no other.
        case track, height

        /// The quantity of the column's numbers.
        var quantity: CSVQuantity {
            switch self {
            case .time, .date, .fixTime, .deviceTime, .createdTime, .vesselTime, .epoch: .time
            case .latitude, .longitude, .x, .y, .course, .courseAccuracy, .columbusLatitude, .animalLongitude,
                .positionLatitude, .positionLongitude, .track:
                .angle
            case .altitude, .ellipsoidalAltitude, .horizontalAccuracy, .verticalAccuracy, .height: .length
            case .speed, .kilometresAnHour, .knots, .groundSpeed, .speedAccuracy: .speed
            case .zone, .zoneHint: .duration
            case .horizontalDilution, .positionDilution, .satellites, .mode, .northSouth, .eastWest, .milliseconds,
                .valid, .status, .pointType, .object, .visible:
                .count
            }
        }
    }

    /// The names, in lower case and with only letters and digits.
    private static let names = NameTable<Column>([
        "time": .time, "timestamp": .time, "datetime": .time, "utc": .time, "lat": .latitude, "latitude": .latitude,
        "lon": .longitude, "lng": .longitude, "long": .longitude, "longitude": .longitude, "alt": .altitude,
        "altitude": .altitude, "ele": .altitude, "elevation": .altitude, "ellipsoidalaltitude": .ellipsoidalAltitude,
        "althae": .ellipsoidalAltitude, "speed": .speed, "course": .course, "heading": .course, "bearing": .course,
        "track": .track, "accuracy": .horizontalAccuracy, "hacc": .horizontalAccuracy,
        "horizontalaccuracy": .horizontalAccuracy, "vacc": .verticalAccuracy, "verticalaccuracy": .verticalAccuracy,
        "altitudeaccuracy": .verticalAccuracy, "sacc": .speedAccuracy, "speedaccuracy": .speedAccuracy,
        "cacc": .courseAccuracy, "courseaccuracy": .courseAccuracy, "headingaccuracy": .courseAccuracy,
        "hdop": .horizontalDilution, "pdop": .positionDilution, "satellites": .satellites, "sat": .satellites,
        "satellitesused": .satellites, "mode": .mode, "ns": .northSouth, "northsouth": .northSouth,
        "latdir": .northSouth, "latitudedirection": .northSouth, "latref": .northSouth, "latituderef": .northSouth,
        "lathemisphere": .northSouth, "latitudehemisphere": .northSouth, "ew": .eastWest, "eastwest": .eastWest,
        "date": .date, "utcdate": .date, "gpsdate": .date, "localdate": .date, "utctime": .time, "gpstime": .time,
        "localtime": .time, "recordedat": .time, "fixtime": .fixTime, "devicetime": .deviceTime, "tst": .time,
        "isotst": .time, "vel": .kilometresAnHour, "cog": .course, "acc": .horizontalAccuracy, "vac": .verticalAccuracy,
        "timezone": .zone, "tz": .zone, "utcoffset": .zone, "gmtoffset": .zone, "tzoffset": .zone,
        "timezoneoffset": .zone, "zoneoffset": .zone, "offsetutc": .zone, "timeoffset": .zoneHint, "zone": .zoneHint,
        "offset": .zoneHint, "x": .x, "y": .y, "valid": .valid, "height": .height, "gpslatitude": .latitude,
        "gpslongitude": .longitude,
        "gpsaltitude": .altitude, "gpsspeed": .speed, "gpsbearing": .course, "gpsaccuracy": .horizontalAccuracy,
        "gpssatellites": .satellites, "satused": .satellites, "horizontaldilutionofprecision": .horizontalDilution,
        "londir": .eastWest, "lngdir": .eastWest, "longitudedirection": .eastWest, "lonref": .eastWest,
        "ms": .milliseconds, "msec": .milliseconds, "millisecond": .milliseconds, "milliseconds": .milliseconds,
        "longituderef": .eastWest, "lonhemisphere": .eastWest, "longitudehemisphere": .eastWest,
        "latitudens": .columbusLatitude, "longitudeew": .longitude, "locationlat": .latitude,
        "locationlong": .animalLongitude, "groundspeed": .groundSpeed, "basedatetime": .vesselTime, "sog": .knots,
        "positionlatitude": .positionLatitude, "positionlongitude": .positionLongitude, "positionaltitude": .altitude,
        "positionspeed": .kilometresAnHour, "positiondirection": .course, "createdat": .createdTime,
        "velocity": .speed, "kmh": .kilometresAnHour, "kph": .kilometresAnHour, "heightabovemsl": .altitude,
        "altitudeabovesealevel": .altitude, "fix": .valid, "fixquality": .valid, "fixtype": .valid, "status": .status,
        "visible": .visible, "individuallocalidentifier": .object, "mmsi": .object, "icao24": .object,
        "deviceid": .object, "device": .object, "vehicleid": .object, "trackerid": .object, "type": .pointType,
        "unixtime": .time, "epoch": .epoch, "gpsdatetime": .time, "utcdatetime": .time, "locationtime": .time,
    ])

    /// The requirements for a header, for messages.
    static let expectation =
        "expected a header with time or timestamp, lat or latitude, lon, lng or longitude; and of your choice date, altitude, "
        + "speed, course, accuracy, vertical_accuracy, speed_accuracy, course_accuracy, hdop, pdop, satellites, mode"

    /// The meaning of a used column.
    struct Entry {
        let column: Column
        /// The conversion of its numbers to the fix's unit; `nil` if they already have it.
        let scale: CSVScale?
        /// Whether the heading declares that times without a zone are in UTC.
        var isUTC = false
        /// Whether it declares that they are not.
        var isLocal = false
        /// Whether it names GPS, whose times of day are in UTC beside a date in UTC.
        var isOfGPS = false
        /// The number for an unknown value, in the fix's unit.
        var unknown: Double?
        /// Whether it counts only in rows in which the best column of its kind has no value.
        var isFallback = false
    }

    /// The separator of the fields: comma, semicolon or tab, the most frequent one in the header.
    let separator: UInt8
    var columns: [Entry?] = []
    /// The problems of headings that would be used if their unit were known.
    var defects: [String] = []
    /// Whether dates are the year, the month and the day with two digits each.
    let hasShortDates: Bool

    /// Reads a header; `nil` if time or position have no column.
    init?(header: Span<UInt8>) {
        separator = Self.separator(of: header)
        var named: [Column] = []
        var fields = CSVFields(separator: separator)
        while let field = fields.next(in: header) {
            let text = CSVFields.text(of: field, in: header)
            let heading = CSVColumnHeader(text.span)
            switch heading.meaning {
            case .column(.x, _) where columns.count != 0 || text != Array("X".utf8),
                .column(.y, _) where columns.count != 1 || text != Array("Y".utf8):
                columns.append(nil)  // axes of another sensor
            case .column(.pointType, _) where columns.count != 0:
                columns.append(nil)  // the kind of something else
            case .column(.milliseconds, _) where text.contains(UInt8(ascii: "/")):
                columns.append(nil)  // a speed, m/s
            case .column(.kilometresAnHour, let scale) where !heading.isBare,
                .column(.knots, let scale) where !heading.isBare,
                .column(.groundSpeed, let scale) where !heading.isBare:
                columns.append(Entry(column: .speed, scale: scale))
            case .column(let column, let scale):
                named.append(column)
                let isLocal = Self.says(["local"], text)
                let isUTC =
                    Self.says(["utc", "gmt", "unix"], text) || column == .epoch
                    || column == .date && Self.says(["gps"], text)
                columns.append(
                    Entry(
                        column: column, scale: scale, isUTC: isUTC, isLocal: isLocal, isOfGPS: Self.says(["gps"], text))
                )
            case .unknownUnit(let column, let unit):
                named.append(column)
                columns.append(nil)
                defects.append("column \(columns.count): unit \(unit): \(column.quantity.expectation)")
            case nil: columns.append(nil)
            }
        }
        hasShortDates = named.contains(.columbusLatitude)
        let resolution = Self.resolve(named)
        named = named.map { resolution[$0] ?? $0 }
        guard Self.needed.allSatisfy({ named.contains($0) }) else { return nil }
        columns = columns.map { $0.flatMap { Self.resolved($0, resolution) } }
        keepOneOfEach(isOfVessel: resolution[.vesselTime] != nil)
        // Traccar's positions have speeds in knots, and Columbus' in km/h.
        let isTraccars = resolution[.fixTime] != nil && resolution[.deviceTime] == .deviceTime
        guard isTraccars || hasShortDates else { return }
        let unit = isTraccars ? CSVQuantity.knot : CSVQuantity.kilometreAnHour
        columns = columns.map {
            $0?.column == .speed && $0?.scale == nil ? Entry(column: .speed, scale: unit) : $0
        }
    }

    /// The columns that are used only in another one's place.
    private static let substitutes: Set<Column> = [
        .x, .y, .createdTime, .vesselTime, .kilometresAnHour, .knots, .groundSpeed, .columbusLatitude, .animalLongitude,
        .positionLatitude, .positionLongitude, .visible, .track, .height,
    ]

    /// The meaning of a column that may take another one's place; `nil` if it does not and has none of its own.
    private static func resolved(_ meaning: Entry, _ resolution: [Column: Column]) -> Entry? {
        guard let column = resolution[meaning.column] else {
            return substitutes.contains(meaning.column) ? nil : meaning
        }
        var found = Entry(column: column, scale: meaning.scale, isUTC: meaning.isUTC, isLocal: meaning.isLocal)
        if meaning.column == .kilometresAnHour { found = Entry(column: column, scale: CSVQuantity.kilometreAnHour) }
        if meaning.column == .knots {
            // ITU-R M.1371: 1023 tenths of a knot are no speed.
            let unknown = CSVQuantity.knot.applied(to: 102.3)
            found = Entry(column: column, scale: CSVQuantity.knot, unknown: unknown)
        }
        return found
    }

    /// Keeps one of several columns with the same meaning, such as a local time and one in UTC: the one in UTC, else
    /// the first; other times for rows in which it has no value. The date is the one that belongs to the time. Of a
    /// vessel, that is the course over ground, and not its heading; ITU-R M.1371: 360 is no course.
    private mutating func keepOneOfEach(isOfVessel: Bool) {
        if columns.contains(where: { $0?.column == .date && $0?.isUTC == true }) {
            for index in columns.indices where columns[index]?.column == .time && columns[index]?.isOfGPS == true {
                columns[index]?.isUTC = true
            }
        }
        let hasUTC = columns.contains { $0?.column == .time && $0?.isUTC == true }
        for kind in [Column.time, .date, .latitude, .longitude, .zone, .object] + (isOfVessel ? [.course] : []) {
            let all = columns.indices.filter { columns[$0]?.column == kind }
            let isWanted = kind != .date || hasUTC
            let best = all.first { columns[$0]?.isUTC == isWanted } ?? all.first
            for index in all where index != best {
                if kind == .time { columns[index]?.isFallback = true } else { columns[index] = nil }
            }
        }
        for index in columns.indices where isOfVessel && columns[index]?.column == .course {
            columns[index]?.unknown = 360
        }
    }

    private static let needed: [Column] = [.time, .latitude, .longitude]

    private static func says(_ words: [StaticString], _ heading: [UInt8]) -> Bool {
        let text = heading.map(\.lowercasedASCII)
        return words.contains { text.span.contains($0) }
    }

    /// The meanings of columns that depend on others.
    ///
    /// | column | meaning | condition |
    /// |---|---|---|
    /// | `fixTime` | the time | always |
    /// | `deviceTime` | the time | no other time |
    /// | `date` | the time | no other time |
    /// | `X`, `Y` | longitude and latitude | first columns, as GDAL writes them, and no others |
    /// | `created_at` | the time | no other time |
    /// | `epoch` | the time | no other time, or one that differs by the offset of a zone, which nothing names |
    /// | `vel`, `position.speed` | OwnTracks' and flespi's speed in km/h | no `speed` |
    /// | `SOG` | the speed of a vessel in knots | no `speed` |
    /// | `position.latitude`, `position.longitude` | the place | no other |
    /// | `ground-speed` | the speed | with Movebank's `location-long` |
    /// | `visible` | whether it is a fix | the same |
    /// | `track`, `height` | the course, the altitude | no other |
    /// | `LATITUDE N/S` | the latitude, in the tables of Columbus' loggers | always |
    private static func resolve(_ named: [Column]) -> [Column: Column] {
        var resolution: [Column: Column] = [
            .columbusLatitude: .latitude, .animalLongitude: .longitude,
        ]
        if !named.contains(.speed) { (resolution[.kilometresAnHour], resolution[.knots]) = (.speed, .speed) }
        if named.contains(.animalLongitude) { (resolution[.groundSpeed], resolution[.visible]) = (.speed, .valid) }
        if !named.contains(.course) { resolution[.track] = .course }
        if !named.contains(.altitude) { resolution[.height] = .altitude }
        let kinds = named.map { resolution[$0] ?? $0 }
        for time in [Column.fixTime, .vesselTime] where kinds.contains(time) { resolution[time] = .time }
        let hasTime = !kinds.allSatisfy { $0 != .time && resolution[$0] != .time }
        if kinds.contains(.deviceTime) {
            resolution[.deviceTime] = hasTime || kinds.contains(.date) ? .deviceTime : .time
        }
        if !hasTime, kinds.contains(.date) { resolution[.date] = .time }
        if !hasTime, !kinds.contains(.date), !kinds.contains(.deviceTime) {
            (resolution[.createdTime], resolution[.epoch]) = (.time, .time)
        }
        if !kinds.contains(.latitude), !kinds.contains(.longitude) {
            let isInMessage = kinds.contains(.positionLatitude)
            resolution[isInMessage ? .positionLongitude : .x] = .longitude
            resolution[isInMessage ? .positionLatitude : .y] = .latitude
        }
        return resolution
    }

    /// Removes the reported defects.
    mutating func forgetDefects() { defects = [] }

    /// Whether there is a date column in addition to the time.
    var hasDate: Bool { columns.contains { $0?.column == .date } }

    /// Whether time and position have columns in known units.
    var isComplete: Bool { Self.needed.allSatisfy { needed in columns.contains { $0?.column == needed } } }

    /// Whether times are in a zone that nothing in the table names.
    var hasLocalTime: Bool {
        !hasZone
            && columns.contains { $0?.isLocal == true && $0?.isFallback == false && $0?.column.quantity == .time }
    }

    /// Whether rows name the zone of their times.
    var hasZone: Bool { columns.contains { $0?.column == .zone || $0?.column == .zoneHint } }

    /// How many fields a record has.
    var count: Int { columns.count }

    /// The meaning of the column at an index; `nil` for an unused one.
    subscript(index: Int) -> Entry? {
        index < columns.count ? columns[index] : nil
    }

    /// The column of a name in lower case and with only letters and digits.
    static func column(named name: Span<UInt8>) -> Column? { names[name] }

    /// The separator of the fields in a header.
    static func separator(of header: Span<UInt8>) -> UInt8 {
        var best = (byte: UInt8(ascii: ","), count: 0)
        for candidate in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            var count = 0
            for index in 0..<header.count where header[index] == candidate { count += 1 }
            if count > best.count { best = (candidate, count) }
        }
        return best.byte
    }
}
