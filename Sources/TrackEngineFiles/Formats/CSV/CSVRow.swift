internal import TrackEngine

/// The values of one record.
struct CSVRow {
    private var zone: ZoneOffsetTable
    private let named: ZoneNames
    /// The defect of the zone that the row names; it counts for times that name none.
    private var zoneDefect: String?
    private var time: Timestamp?
    /// A time of day, and the date in another column.
    private var timeOfDay: TimeText?
    private var date: TimeText?
    /// Whether the headings of the date and of the time of day say that they are in UTC.
    private var isDateUTC = false
    private var isTimeUTC = false
    private var isDateLocal = false
    /// Whether nothing names the zone of the time.
    private var isLocalTime = false
    private var hasZone = false
    /// A time in a column that counts where the best one has no value. It must name its zone, or an hour would be missing.
    private var otherTime: (text: Range<Int>, meaning: CSVHeader.Entry)?
    /// Whether the row declares that it has no fix.
    private var isInvalid = false
    private var isWaypoint = false
    /// The name of the object in the record; `nil` if it has none.
    private(set) var object: Range<Int>?
    /// By the raw values of columns, of which there are fewer.
    private var numbers = InlineArray<48, Double?>(repeating: nil)

    /// - Parameters:
    ///   - zone: of times that name none, where the row names none either.
    ///   - named: finds the zones that rows name.
    init(zone: ZoneOffsetTable, named: @escaping ZoneNames) {
        self.zone = zone
        self.named = named
    }

    private subscript(column: CSVHeader.Column) -> Double? { numbers[column.rawValue] }

    /// Whether the row has a position and a time.
    var isFix: Bool { time != nil && self[.latitude] != nil && self[.longitude] != nil }

    /// Whether the row is a fix with a usable position.
    var hasPosition: Bool {
        guard isFix, !isWaypoint, !isMarkedInvalid, let coordinate else { return false }
        return coordinate.isValid && !coordinate.isOnAxis
    }

    /// Whether the row declares that it has no fix. gpsd: mode 1 is no fix.
    private var isMarkedInvalid: Bool { isInvalid || self[.mode] == 1 }

    private var coordinate: Coordinate? {
        guard let latitude = degrees(.latitude, .northSouth), let longitude = degrees(.longitude, .eastWest) else {
            return nil
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Whether commas have made several fields of the row's numbers.
    private(set) var isSplit = false

    /// The expectation for the first value that cannot be read and that a fix can do without.
    private(set) var unread: String?

    /// Reads the fields; returns the expectation for the first invalid one of time and place.
    ///
    /// - Parameter isOftenSplit: whether commas have made several fields of the numbers of a row before this one.
    mutating func read(
        _ record: Span<UInt8>, _ columns: CSVHeader, _ origin: inout TimeOrigin, isOftenSplit: Bool = false
    ) -> String? {
        if columns.hasZone { setZone(record, columns) }
        var fields = CSVFields(separator: columns.separator)
        var index = 0
        var points = Points()
        var timeDefect: String?
        while let field = fields.next(in: record) {
            defer { index += 1 }
            let inner = record.extracting(field.range)
            let text = inner.extracting(inner.trimmedRange)
            guard text.count > 0 else { continue }
            let entry = columns[index]
            if entry?.column == .valid { isInvalid = isInvalid || Self.saysInvalid(text) }
            guard !Self.isUnknown(text) else { continue }
            if index >= columns.count { points.isTooLong = true }
            points.noteField()
            guard let meaning = entry else { continue }
            if meaning.column == .object { object = field.range }
            points.note(meaning, text, separator: columns.separator)
            if meaning.column == .time {
                if meaning.isFallback {
                    otherTime = otherTime ?? (field.range, meaning)
                } else {
                    timeDefect = setTime(text, meaning, columns, &origin)
                }
            } else if let defect = set(meaning, text, columns) {
                return defect
            }
        }
        timeDefect = takeOtherTime(record, columns, &origin, timeDefect)
        if let defect = timeDefect ?? joinDate(record) { return defect }
        if let whole = time, whole.nanosecondsSince1970 % 1_000_000_000 == 0,
            let milliseconds = self[.milliseconds].flatMap({ Int(exactly: $0) }), (1..<1000).contains(milliseconds)
        {
            time = whole.advanced(by: .milliseconds(milliseconds))
        }
        let isShort = index < columns.count || isOftenSplit
        isSplit =
            points.areSplitByCommas(index > columns.count, separator: columns.separator)
            || columns.separator == UInt8(ascii: ",") && points.seemSplitByCommas(isShort: isShort)
        guard isSplit else { return nil }
        return "expected \(columns.count) fields, and a point in latitude and longitude; "
            + "with decimal commas, semicolons between the fields"
    }

    /// Which numbers of a row have a decimal point. A comma for it makes two fields of a number, and a place of its
    /// whole degrees.
    private struct Points {
        private var (inLatitude, inLongitude, inOthers) = (false, false, false)
        /// Whether there are fields behind the last column.
        var isTooLong = false
        /// The degrees without a hemisphere, sign or unit, in digits alone.
        private var wholeDegrees = 0
        /// Whether one of them can only be decimals: `5511`, `05`.
        private var isDecimals = false
        /// The number of fields behind the place.
        private var behind = 0

        mutating func noteField() { behind += 1 }

        mutating func note(_ meaning: CSVHeader.Entry, _ text: Span<UInt8>, separator: UInt8) {
            let column = meaning.column
            let isThere =
                text.offset(of: UInt8(ascii: "."), from: 0) != nil
                || separator != UInt8(ascii: ",") && text.offset(of: UInt8(ascii: ","), from: 0) != nil
            switch column {
            case .latitude: inLatitude = inLatitude || isThere
            case .longitude: inLongitude = inLongitude || isThere
            default: inOthers = inOthers || isThere && column.quantity != .time
            }
            guard column == .latitude || column == .longitude else { return }
            behind = 0
            guard meaning.scale == nil, let degrees = Double(decimal: text), degrees == degrees.rounded() else {
                return
            }
            wholeDegrees += 1
            let hasLeadingZero = text.count > 1 && text[0] == UInt8(ascii: "0")
            isDecimals = isDecimals || hasLeadingZero || degrees > (column == .latitude ? 90 : 180)
        }

        /// Whether a row seems to have decimals in fields of their own, though it has no field too many: at least the
        /// two of the place, of which the second and the one behind it are not where they belong.
        ///
        /// - Parameter isShort: whether it has fewer fields than the header, or others of the table are split.
        func seemSplitByCommas(isShort: Bool) -> Bool {
            wholeDegrees == 2 && behind >= 2 && !inLatitude && !inLongitude && !inOthers && (isDecimals || isShort)
        }

        /// Whether commas seem to have made several fields of the numbers of a row.
        ///
        /// - Parameter hasMoreFields: whether it has more fields than the header, if only empty ones.
        func areSplitByCommas(_ hasMoreFields: Bool, separator: UInt8) -> Bool {
            guard hasMoreFields, !(inLatitude && inLongitude) else { return false }
            return isTooLong || separator == UInt8(ascii: ",") && !inLatitude && !inLongitude && !inOthers
        }
    }

    /// Whether a cell contains a word for a missing value.
    static func isUnknown(_ text: Span<UInt8>) -> Bool {
        guard text.count <= 7, text[0] &- UInt8(ascii: "0") >= 10 else { return false }
        return ["n/a", "na", "nan", "null", "nil", "none", "unknown", "-", "--"]
            .contains(text.text(in: 0..<text.count).lowercased())
    }

    /// Takes the other time where the best one is missing or of a clock that was not set. Returns the defect of the time.
    private mutating func takeOtherTime(
        _ record: Span<UInt8>, _ columns: CSVHeader, _ origin: inout TimeOrigin, _ defect: String?
    ) -> String? {
        guard let other = otherTime, timeOfDay == nil, time?.isOfUnsetClock ?? true else { return defect }
        let best = time
        isLocalTime = false
        let inner = record.extracting(other.text)
        let otherDefect = setTime(inner.extracting(inner.trimmedRange), other.meaning, columns, &origin)
        guard isLocalTime && !hasZone && zone == .utc || timeOfDay != nil else { return otherDefect }
        (time, timeOfDay, isLocalTime) = (best, nil, false)
        return defect
    }

    /// Gives a time of day its date. Each may be in UTC and the other one in a zone.
    private mutating func joinDate(_ record: Span<UInt8>) -> String? {
        guard time == nil, let timeOfDay else { return nil }
        let namesZone = isTimeUTC || timeOfDay.namesZone
        if let zoneDefect, !namesZone { return zoneDefect }
        guard let date, let day = date.day, let moment = timeOfDay.moment(on: date, in: isTimeUTC ? .utc : zone) else {
            return "date: expected year, month and day, such as 2026-03-01"
        }
        time = moment
        if isDateUTC {
            time = moment.moved(toDay: day, secondsAhead: 0)
        } else if isTimeUTC, isDateLocal, zone != .utc {
            time = moment.moved(toDay: day, secondsAhead: zone.offset(whenClockShows: day * 86_400 + 43_200))
        }
        isLocalTime = !namesZone && !isDateUTC
        // With a local time of day beside that in UTC the date may be local, too: around midnight it is then another one.
        guard isTimeUTC, !isDateUTC, let otherTime else { return nil }
        let inner = record.extracting(otherTime.text)
        guard let other = TimeText(inner.extracting(inner.trimmedRange)), other.day == nil,
            let local = other.moment(on: date, in: .utc),
            let offset = CSVEpoch.offset(local.duration(since: moment) / .seconds(1)),
            abs(offset) >= 10 * 3600
        else { return nil }
        return "expected a date in UTC: beside these two times of day it may be that of another day"
    }

    private mutating func set(_ meaning: CSVHeader.Entry, _ text: Span<UInt8>, _ columns: CSVHeader) -> String? {
        switch meaning.column {
        case .date:
            (isDateUTC, isDateLocal) = (meaning.isUTC, meaning.isLocal)
            date = columns.hasShortDates ? TimeText(shortDate: text) : TimeText(text)
            return nil
        case .time, .deviceTime, .createdTime, .groundSpeed, .x, .y, .zone, .zoneHint, .object, .valid, .visible:
            return nil
        case .epoch:
            numbers[CSVHeader.Column.epoch.rawValue] = Self.number(text, meaning, separator: columns.separator)
            return nil
        case .status:
            isInvalid = isInvalid || text.equals("V")
            return nil
        case .pointType:
            isWaypoint = isWaypoint || text.equals("W")
            return nil
        case .northSouth: return setSign(.northSouth, Self.sign(text, "N", "S"), "expected N or S")
        case .eastWest: return setSign(.eastWest, Self.sign(text, "E", "W"), "expected E or W")
        case let column where numbers[column.rawValue] != nil: return nil  // the first of several columns counts
        case let column:
            guard let number = Self.number(text, meaning, separator: columns.separator) else {
                let hasComma = Double(written: text) != nil
                let expectation = "\(column): expected a number" + (hasComma ? " with a decimal point" : "")
                switch column {
                case .latitude, .longitude, .milliseconds: return expectation
                default: unread = unread ?? expectation + "; the point is kept without it"
                }
                return nil
            }
            numbers[column.rawValue] = number == meaning.unknown ? nil : number
            return nil
        }
    }

    /// A number in the unit of the column, or in its own: `12.5 km/h`. A degree may have a hemisphere: `33.5S`.
    private static func number(_ text: Span<UInt8>, _ meaning: CSVHeader.Entry, separator: UInt8) -> Double? {
        let whole = separator == UInt8(ascii: ",") ? Double(decimal: text) : Double(written: text)
        if let whole { return meaning.scale?.applied(to: whole) ?? whole }
        if meaning.column == .latitude || meaning.column == .longitude {
            let letters = meaning.column == .latitude ? ("N", "S") : ("E", "W") as (Unicode.Scalar, Unicode.Scalar)
            let (number, letter) = (
                text.extracting(0..<(text.count - 1)), text.extracting((text.count - 1)..<text.count)
            )
            if letter[0] < UInt8(ascii: "a"), let sign = sign(letter, letters.0, letters.1) {
                return Double(decimal: number.extracting(number.trimmedRange)).map { sign * $0.magnitude }
            }
        }
        var end = 0
        guard let number = Double(decimalAt: &end, in: text), end < text.count else { return nil }
        let unit = CSVColumnHeader.unit(text.copied(end..<text.count)[...].drop(while: \.isWhiteSpace))
        return meaning.column.quantity.scale(of: unit.span)?.applied(to: number)
    }

    /// The words of Traccar, its databases, NMEA and iBlue for an invalid fix.
    private static func saysInvalid(_ text: Span<UInt8>) -> Bool {
        if Double(decimal: text) == 0 { return true }
        guard text.count <= 32 else { return false }
        let word = text.text(in: 0..<text.count).lowercased()
        return ["false", "f", "no", "n", "\\0", "v", "none", "invalid"].contains(word)
            || ["nofix", "notfix", "nogpsfix", "notavailable"].contains { word.filter(\.isLetter).contains($0) }
    }

    private mutating func setSign(_ column: CSVHeader.Column, _ sign: Double?, _ expectation: String) -> String? {
        numbers[column.rawValue] = sign
        return sign == nil ? "\(column): \(expectation)" : nil
    }

    /// The sign for a letter, or for a word that begins with it.
    private static func sign(_ text: Span<UInt8>, _ positive: Unicode.Scalar, _ negative: Unicode.Scalar) -> Double? {
        let letter = text[0].lowercasedASCII
        if letter == UInt8(ascii: positive).lowercasedASCII { return 1 }
        return letter == UInt8(ascii: negative).lowercasedASCII ? -1 : nil
    }

    /// A number of degrees; with a southern or western hemisphere it is negative, with or without a sign.
    private func degrees(_ column: CSVHeader.Column, _ hemisphere: CSVHeader.Column) -> Double? {
        guard let value = self[column], let sign = self[hemisphere], sign < 0 else { return self[column] }
        return -value.magnitude
    }

    /// Takes the zone that the row names for its times, in a column before or behind them.
    private mutating func setZone(_ record: Span<UInt8>, _ columns: CSVHeader) {
        var fields = CSVFields(separator: columns.separator)
        var index = 0
        while let field = fields.next(in: record) {
            defer { index += 1 }
            guard let meaning = columns[index], meaning.column == .zone || meaning.column == .zoneHint else { continue }
            let inner = record.extracting(field.range)
            let text = inner.extracting(inner.trimmedRange)
            let isVague = meaning.column == .zoneHint && Double(decimal: text) != nil
            guard text.count > 0, !Self.isUnknown(text), !isVague else { continue }
            if let found = ZoneOffsetTable(cell: text, meaning.scale, named: named) {
                zone = found
                hasZone = true
            } else if meaning.column == .zone {
                zoneDefect = "zone: expected an offset such as +01:00, or the name of a time zone such as Europe/Berlin"
            }
        }
    }

    private mutating func setTime(
        _ text: Span<UInt8>, _ meaning: CSVHeader.Entry, _ columns: CSVHeader, _ origin: inout TimeOrigin
    ) -> String? {
        time = Timestamp(text: text)
        if time != nil { return nil }
        if let written = TimeText(text) {
            if let moment = written.moment(in: meaning.isUTC ? .utc : zone) {
                if let zoneDefect, !meaning.isUTC, !written.namesZone { return zoneDefect }
                time = moment
                isLocalTime = !meaning.isUTC && !written.namesZone
                return nil
            }
            if columns.hasDate, written.day == nil, written.second != nil {
                timeOfDay = written
                isTimeUTC = meaning.isUTC
                return nil
            }
        }
        guard let number = Double(written: text),
            let moment = Timestamp(unixNumber: meaning.scale?.applied(to: number) ?? number)
        else { return "expected the time as RFC 3339 or since 1970" }
        guard origin.accepts(moment) else { return TimeOrigin.expectation }
        time = moment
        return nil
    }

    /// Takes the zone from the table's column `epoch` where nothing else names it.
    mutating func correct(_ epoch: inout CSVEpoch) {
        guard isLocalTime, !hasZone, hasPosition, let local = time else { return }
        time = epoch.moment(of: local, self[.epoch].flatMap(Timestamp.init(unixNumber:)))
    }

    func deliver(line: Int, into chunk: inout TrackChunk) {
        guard !isWaypoint else {
            return chunk.report(.incomplete, line: line, "expected a fix: the row is a waypoint")
        }
        guard !isMarkedInvalid else {
            return chunk.report(.incomplete, line: line, "expected a fix: the row is marked as invalid")
        }
        guard let coordinate else { return chunk.report(.incomplete, line: line, "expected a position") }
        guard let time else { return chunk.report(.incomplete, line: line, "expected a time") }
        chunk.fixes.append(
            Fix(
                time: time, coordinate: coordinate, altitude: self[.altitude],
                ellipsoidalAltitude: self[.ellipsoidalAltitude],
                horizontalAccuracy: self[.horizontalAccuracy], verticalAccuracy: self[.verticalAccuracy],
                speed: self[.speed], speedAccuracy: self[.speedAccuracy],
                course: self[.course]?.knownCourse, courseAccuracy: self[.courseAccuracy],
                horizontalDilution: self[.horizontalDilution].map { Float($0) },
                positionDilution: self[.positionDilution].map { Float($0) },
                satellitesUsed: self[.satellites].flatMap { UInt8(exactly: $0) },
                mode: self[.mode].flatMap { UInt8(exactly: $0) }.flatMap { Fix.Mode(rawValue: $0) }))
        if let unread { chunk.report(.malformed, line: line, unread) }
    }
}

extension Timestamp {
    /// The same time of day on another day, days since 1970, of a zone so far ahead of UTC.
    fileprivate func moved(toDay day: Int64, secondsAhead: Int64) -> Timestamp {
        let shown = advanced(by: .seconds(secondsAhead)).daysSince1970
        return advanced(by: .seconds((day - shown) * 86_400))
    }
}
