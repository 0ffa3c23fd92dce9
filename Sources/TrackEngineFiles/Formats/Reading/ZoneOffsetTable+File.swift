internal import TrackEngine

extension ZoneOffsetTable {
    /// Reads a file of the time zone database (TZif version 2 or later, RFC 9636).
    ///
    /// After the last change in the file, a POSIX rule applies; its changes are computed up to the year 2200. `nil`
    /// for a damaged file, and for a rule that counts days of the year, which no zone uses.
    package init?(zoneFile bytes: [UInt8]) {
        guard let first = Header(bytes, at: 0), first.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: 44 + first.length(ofTime: 4))
        else { return nil }
        let start = 44 + first.length(ofTime: 4) + 44
        let end = start + header.length(ofTime: 8)
        guard end <= bytes.count, header.types > 0 else { return nil }
        let indices = start + header.times * 8
        let types = indices + header.times
        func offset(_ type: Int) -> Int64? {
            type < header.types ? Int64(Int32(truncatingIfNeeded: Self.number(bytes, types + type * 6, 4))) : nil
        }
        guard let initial = offset(0), initial.magnitude < 2 * 86_400 else { return nil }
        var changes: [Change] = []
        for index in 0..<header.times {
            let time = Self.number(bytes, start + index * 8, 8)
            // Some files begin with the Big Bang, at -2^59.
            guard let offset = offset(Int(bytes[indices + index])), offset.magnitude < 2 * 86_400,
                time.magnitude < 1 << 60
            else { return nil }
            changes.append(Change(time: time, offset: offset))
        }
        let text = bytes[end...].split(separator: 0x0a).first ?? []
        let rule = ZoneRule(text)
        guard zip(changes, changes.dropFirst()).allSatisfy({ $0.time < $1.time }), text.isEmpty || rule != nil else {
            return nil
        }
        let last = changes.last?.time ?? 0
        self.init(initial: initial, changes: changes + (rule?.changes(after: last) ?? []))
    }

    /// A big-endian number.
    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64 {
        Int64(bitPattern: bytes[start..<(start + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// The numbers of items in one block of the file.
    private struct Header {
        let version: UInt8
        let times: Int
        let types: Int
        private let others: (isUTC: Int, isStandard: Int, leapSeconds: Int, characters: Int)

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 44 <= bytes.count, bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else { return nil }
            version = bytes[start + 4]
            let counts = (0..<6).map { Int(ZoneOffsetTable.number(bytes, start + 20 + $0 * 4, 4)) }
            guard counts.allSatisfy({ $0 <= 65_536 }) else { return nil }
            others = (counts[0], counts[1], counts[2], counts[5])
            (times, types) = (counts[3], counts[4])
        }

        /// The length of the data after the header, in bytes, for times of the given size.
        func length(ofTime size: Int) -> Int {
            times * (size + 1) + types * 6 + others.characters + others.leapSeconds * (size + 4) + others.isStandard
                + others.isUTC
        }
    }
}

/// A POSIX rule in the form of the variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
private struct ZoneRule {
    /// A day of each year, `M10.5.0/3`: the fifth, which means the last, Sunday of October at 3 o'clock.
    private struct Day {
        let month: Int64
        let week: Int64
        let weekday: Int64
        let second: Int64

        /// Seconds since 1970 on the clock before the change.
        func time(in year: Int64) -> Int64 {
            let first = CivilDate(year: year, month: month, day: 1).daysSince1970
            let firstWeekday = ((first + 4) % 7 + 7) % 7  // the first day of 1970 was a Thursday
            var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day >= CivilDate.days(inMonth: month, of: year) { day -= 7 }
            return (first + day) * 86_400 + second
        }
    }

    private var standard: Int64 = 0
    private var daylight: (offset: Int64, begin: Day, end: Day)?
    private var rest: ArraySlice<UInt8>

    init?(_ text: ArraySlice<UInt8>) {
        rest = text
        guard skipName(), let west = duration() else { return nil }
        standard = -west
        if rest.isEmpty { return }
        guard skipName() else { return nil }
        var offset = standard + 3600
        if rest.first != UInt8(ascii: ",") {
            guard let west = duration() else { return nil }
            offset = -west
        }
        guard skip(","), let begin = day(), skip(","), let end = day(), rest.isEmpty else { return nil }
        daylight = (offset, begin, end)
    }

    /// The changes after a time.
    func changes(after last: Int64) -> [ZoneOffsetTable.Change] {
        guard let daylight else { return [] }
        guard last < 7_258_118_400 else { return [] }  // 2200
        let first = last > 0 ? CivilDate(daysSince1970: last / 86_400).year : 1970
        return (first..<2200).flatMap { year in
            [
                ZoneOffsetTable.Change(time: daylight.begin.time(in: year) - standard, offset: daylight.offset),
                ZoneOffsetTable.Change(time: daylight.end.time(in: year) - daylight.offset, offset: standard),
            ]
        }
        .filter { $0.time > last }.sorted { $0.time < $1.time }
    }

    // MARK: Text

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips `CEST` or `<+0330>`.
    private mutating func skipName() -> Bool {
        if skip("<") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            return skip(">")
        }
        let count = rest.count
        rest = rest.drop { $0.lowercasedASCII &- UInt8(ascii: "a") < 26 }
        return rest.count < count
    }

    private mutating func digits() -> Int64? {
        let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
        guard !digits.isEmpty, digits.count <= 3 else { return nil }
        rest.removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Reads `-3`, `5:30` or `-1:30:15`, in seconds.
    private mutating func duration() -> Int64? {
        let sign: Int64 = skip("-") ? -1 : 1
        _ = skip("+")
        guard var seconds = digits().map({ $0 * 3600 }) else { return nil }
        for unit: Int64 in [60, 1] where skip(":") {
            guard let count = digits() else { return nil }
            seconds += count * unit
        }
        return sign * seconds
    }

    private mutating func day() -> Day? {
        guard skip("M"), let month = digits(), skip("."), let week = digits(), skip("."), let weekday = digits(),
            (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
        else { return nil }
        var second: Int64 = 7200
        if skip("/") {
            guard let given = duration() else { return nil }
            second = given
        }
        return Day(month: month, week: week, weekday: weekday, second: second)
    }
}
