package import TrackEngine

/// The wait that a server requests (RFC 9110 section 10.2.3): seconds, or a date in one of three formats.
package enum RetryTime {
    /// The longest wait that is granted, so a broken server cannot stop deliveries for years.
    package static let maximum = Duration.seconds(3600)

    /// The wait; `nil` for any other text, for zero and for a date in the past, where the engine's own back-off
    /// applies.
    package static func wait(_ value: String, now: Timestamp) -> Duration? {
        let text = value.drop { $0 == " " || $0 == "\t" }
        guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
        let wait: Duration
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            wait = Int64(text).map { .seconds(min($0, 3600)) } ?? maximum  // too many digits are a long wait
        } else {
            guard let date = HTTPDate.timestamp(text) else { return nil }
            wait = date.duration(since: now)
        }
        return wait > .zero ? min(wait, maximum) : nil
    }
}

/// A date in HTTP (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT` and two obsolete forms, `Sunday,
/// 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The weekday is ignored.
enum HTTPDate {
    static func timestamp(_ text: Substring) -> Timestamp? {
        let words = text.split(whereSeparator: { " ,-:".contains($0) }).dropFirst().map { String($0) }
        if words.count == 7, words[6] == "GMT" {
            return timestamp(year: words[2], month: words[1], day: words[0], time: words[3...5])
        }
        guard words.count == 6 else { return nil }
        return timestamp(year: words[5], month: words[0], day: words[1], time: words[2...4])
    }

    private static func timestamp(year: String, month: String, day: String, time: ArraySlice<String>) -> Timestamp? {
        let clock = time.compactMap { number($0) }
        guard let year = fullYear(year), let index = months.firstIndex(of: month), let day = number(day),
            (1...CivilDate.days(inMonth: Int64(index + 1), of: year)).contains(day),
            clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60
        else { return nil }
        let days = CivilDate(year: year, month: Int64(index + 1), day: day).daysSince1970
        return Timestamp(secondsSince1970: days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    /// Expands a year of two digits to 1970 to 2069.
    private static func fullYear(_ text: String) -> Int64? {
        guard let year = number(text) else { return nil }
        if text.utf8.count == 2 { return year < 70 ? 2000 + year : 1900 + year }
        return text.utf8.count == 4 ? year : nil
    }

    private static func number(_ text: String) -> Int64? {
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
