internal import TrackEngine

/// A date, a time of day, or both, as far as a text contains them.
///
/// | text | source |
/// |---|---|
/// | `2026-03-01T10:00:00`, `2026/03/01 10:00:00+00` | programs that leave out the zone, GDAL |
/// | `2026-03-01`, `20260301`, `10:00:00.5`, `10:00`, `10:00:00 AM`, `100000` | tables with a column for each |
/// | `Sun Mar 01 10:00:00 GMT+01:00 2026`, `01-Mar-2026 10:00:00` | Torque |
/// | `Sun Mar 01 10:00:00 EST 2026` | Java; the names of RFC 822, others in the zone that is given for the file |
/// | `Sun Mar 01 2026 10:00:00 GMT+0100 (Central European Standard Time)` | JavaScript |
/// | `2026-02-28T24:00:00` | XML Schema: the beginning of the next day |
///
/// Not supported, because the year, the month and the day cannot be distinguished: `010326` and `01/03/2026`.
struct TimeText {
    /// Days since 1970.
    private(set) var day: Int64?
    /// Seconds since midnight.
    private(set) var second: Int64?
    private var nanoseconds: Int64 = 0
    /// The offset from UTC in seconds, positive if ahead.
    private var offset: Int64?
    /// Whether the text has a short name of a zone that several zones have.
    private var hasVagueZone = false
    /// The parts of a date with the name of a month, until it is complete.
    private var month: Int64?
    private var dayOfMonth: Int64?

    /// Parses a text of at most 96 bytes; `nil` for any other text.
    init?(_ text: Span<UInt8>) {
        guard text.count <= 96 else { return nil }
        var place = 0
        while place < text.count {
            if text[place].isWhiteSpace || text[place] == UInt8(ascii: ",") {
                place += 1
            } else if !takePart(of: text, at: &place) {
                return nil
            }
        }
        guard month == nil, dayOfMonth == nil else { return nil }
    }

    /// Parses a date of six digits, the year of this century, the month and the day.
    init?(shortDate text: Span<UInt8>) {
        guard text.count == 6 else { return nil }
        let whole = Array("20".utf8) + text.copied(0..<text.count)
        self.init(whole.span)
    }

    /// Whether the text has an offset from UTC.
    var namesZone: Bool { offset != nil }

    /// The moment, in a zone where the text names none; `nil` where the date or the time of day is missing, and for a
    /// year that no timestamp has.
    func moment(in zone: ZoneOffsetTable) -> Timestamp? {
        guard let day, let second, !hasVagueZone || zone != .utc else { return nil }
        let clock = day * 86_400 + second
        return Timestamp(
            exactSecondsSince1970: clock - (offset ?? zone.offset(whenClockShows: clock)), nanoseconds: nanoseconds)
    }

    /// The same time of day on the date of another text; `nil` if either is missing.
    func moment(on date: TimeText, in zone: ZoneOffsetTable) -> Timestamp? {
        var whole = self
        whole.day = date.day
        return whole.moment(in: zone)
    }

    /// The beginning of the day, if the text is a date alone.
    func midnight(in zone: ZoneOffsetTable) -> Timestamp? {
        guard second == nil else { return nil }
        var whole = self
        whole.second = 0
        return whole.moment(in: zone)
    }

    // MARK: Parts

    private mutating func takePart(of text: Span<UInt8>, at place: inout Int) -> Bool {
        switch text[place] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): takeNumber(text, &place)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): takeOffset(text, &place)
        case UInt8(ascii: "("): takeZoneName(text, &place)
        default: takeWord(text, &place)
        }
    }

    private mutating func takeNumber(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
        let start = place
        guard let number = Self.digits(text, &place) else { return false }
        let next = place < text.count ? text[place] : 0
        switch place - start {
        case 4 where next == UInt8(ascii: "-") || next == UInt8(ascii: "/") || next == UInt8(ascii: "."):
            return takeMonthAndDay(of: number, next, text, &place)
        case 4: return setDate(number, month, dayOfMonth)
        case 8: return setDate(number / 10_000, number / 100 % 100, number % 100)
        case 6: return setTime(number / 10_000, number / 100 % 100, number % 100, text, &place)
        case 1, 2:
            if next == UInt8(ascii: ":") { return takeMinutes(of: number, text, &place) }
            guard dayOfMonth == nil, day == nil else { return false }
            dayOfMonth = number
            if next == UInt8(ascii: "-") { place += 1 }
            return month != nil || next == UInt8(ascii: "-") || next.isWhiteSpace
        default: return false
        }
    }

    /// Reads `-03-01` after a year.
    private mutating func takeMonthAndDay(
        of year: Int64, _ separator: UInt8, _ text: Span<UInt8>, _ place: inout Int
    ) -> Bool {
        place += 1
        guard let month = Self.digits(text, &place), place < text.count, text[place] == separator else { return false }
        place += 1
        guard let day = Self.digits(text, &place) else { return false }
        return setDate(year, month, day)
    }

    /// `:00:00` or `:00` behind an hour.
    private mutating func takeMinutes(of hour: Int64, _ text: Span<UInt8>, _ place: inout Int) -> Bool {
        place += 1
        let start = place
        guard let minute = Self.digits(text, &place), place == start + 2 else { return false }
        guard place < text.count, text[place] == UInt8(ascii: ":") else {
            let hasFraction = place < text.count && text[place] == UInt8(ascii: ".")
            return !hasFraction && setTime(hour, minute, 0, text, &place)
        }
        place += 1
        guard let second = Self.digits(text, &place), place == start + 5 else { return false }
        return setTime(hour, minute, second, text, &place)
    }

    private mutating func setDate(_ year: Int64, _ month: Int64?, _ day: Int64?) -> Bool {
        guard self.day == nil, let month, let day,
            let date = CivilDate(checkedYear: year, month: month, day: day)
        else { return false }
        self.day = date.daysSince1970
        (self.month, dayOfMonth) = (nil, nil)
        return true
    }

    /// Sets the time of day, including a fraction if one follows.
    private mutating func setTime(
        _ hour: Int64, _ minute: Int64, _ second: Int64, _ text: Span<UInt8>, _ place: inout Int
    ) -> Bool {
        let isEndOfDay = (hour, minute, second) == (24, 0, 0)
        guard self.second == nil, hour < 24 || isEndOfDay, minute < 60, second <= 60 else { return false }
        self.second = hour * 3600 + minute * 60 + second
        guard place < text.count, text[place] == UInt8(ascii: ".") || text[place] == UInt8(ascii: ",") else {
            return true
        }
        var scale: Int64 = 100_000_000
        let start = place + 1
        place = start
        while place < text.count, text[place] &- UInt8(ascii: "0") < 10 {
            nanoseconds += Int64(text[place] - UInt8(ascii: "0")) * scale
            scale /= 10
            place += 1
        }
        return place > start && (!isEndOfDay || nanoseconds == 0)
    }

    /// Reads `+01:00`, `+0100` or `+01` after a time of day.
    private mutating func takeOffset(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
        guard second != nil, offset ?? 0 == 0, !hasVagueZone else { return false }
        let sign: Int64 = text[place] == UInt8(ascii: "-") ? -1 : 1
        place += 1
        let start = place
        guard var hours = Self.digits(text, &place) else { return false }
        var minutes: Int64 = 0
        switch place - start {
        case 2 where place + 3 <= text.count && text[place] == UInt8(ascii: ":"):
            place += 1
            guard let given = Self.digits(text, &place), place == start + 5 else { return false }
            minutes = given
        case 2: break
        case 4: (hours, minutes) = (hours / 100, hours % 100)
        default: return false
        }
        guard hours < 24, minutes < 60 else { return false }
        offset = sign * (hours * 3600 + minutes * 60)
        return true
    }

    private mutating func takeWord(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
        let start = place
        while place < text.count, text[place].lowercasedASCII &- UInt8(ascii: "a") < 26 { place += 1 }
        guard place > start else { return false }
        let word = text.text(in: start..<place).lowercased()
        if let index = Self.months.firstIndex(of: word) {
            guard month == nil, day == nil else { return false }
            month = Int64(index + 1)
            if place < text.count, text[place] == UInt8(ascii: "-") { place += 1 }
            return true
        }
        switch word {
        case "t": return day != nil && second == nil
        case "am", "pm": return setHalf(isAfternoon: word == "pm")
        default:
            if Self.weekdays.contains(word) { return day == nil }
            return takeZone(named: text.text(in: start..<place))
        }
    }

    /// Takes the name of a zone. One that is not in the table of RFC 822 occurs in the middle of Java's dates.
    private mutating func takeZone(named name: String) -> Bool {
        guard second != nil, offset == nil, !hasVagueZone else { return false }
        if let hours = Self.zones[name.lowercased()] {
            offset = hours * 3600
            return true
        }
        let isInDate = month != nil && dayOfMonth != nil
        hasVagueZone = isInDate && (3...5).contains(name.utf8.count) && name == name.uppercased()
        return hasVagueZone
    }

    /// Reads JavaScript's name of a zone in brackets at the end, which repeats the offset.
    private func takeZoneName(_ text: Span<UInt8>, _ place: inout Int) -> Bool {
        guard offset != nil, day != nil, text[text.count - 1] == UInt8(ascii: ")") else { return false }
        place = text.count
        return true
    }

    /// Applies AM or PM: 12 AM is midnight and 12 PM is noon.
    private mutating func setHalf(isAfternoon: Bool) -> Bool {
        guard let second, (3600..<13 * 3600).contains(second) else { return false }
        self.second = second % (12 * 3600) + (isAfternoon ? 12 * 3600 : 0)
        return true
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The hours ahead of UTC of the names in RFC 822, section 5.1.
    private static let zones: [String: Int64] = [
        "z": 0, "utc": 0, "ut": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
        "pst": -8, "pdt": -7,
    ]

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Reads one to nine digits.
    private static func digits(_ text: Span<UInt8>, _ place: inout Int) -> Int64? {
        let start = place
        var number: Int64 = 0
        while place < text.count, place - start < 10, text[place] &- UInt8(ascii: "0") < 10 {
            number = number * 10 + Int64(text[place] - UInt8(ascii: "0"))
            place += 1
        }
        return place > start && place - start < 10 ? number : nil
    }
}

extension ZoneOffsetTable {
    /// Parses a time: RFC 3339, or one of the forms of ``TimeText``, in this zone if the text has none.
    func time(_ text: Span<UInt8>) -> Timestamp? {
        Timestamp(text: text) ?? TimeText(text)?.moment(in: self)
    }
}
