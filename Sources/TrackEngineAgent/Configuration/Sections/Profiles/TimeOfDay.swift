import TrackEngine
package import TrackEngineSettings

/// A local time to the minute: `00:00` to `24:00`, the end of the day.
package struct TimeOfDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of minutes of a day.
    static let minutesOfDay = 1440

    /// Minutes since midnight, 0 to 1440.
    package let minutes: Int

    /// Midnight, at the beginning of the day.
    package static let begin = TimeOfDay(minutes: 0)
    /// Midnight, at the end of the day.
    package static let end = TimeOfDay(minutes: minutesOfDay)

    private init(minutes: Int) { self.minutes = minutes }

    /// Reads `8:00`, `08:00` or `24:00`; `nil` for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60,
            hours * 60 + minutes <= Self.minutesOfDay
        else { return nil }
        self.minutes = hours * 60 + minutes
    }

    /// `08:00`
    package var description: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minutes < right.minutes }
}

extension ValueRule<TimeOfDay> {
    /// A time of day.
    package static let timeOfDay = ValueRule(.text, "a time of day from 00:00 to 24:00, such as 08:30") { node in
        node.text.flatMap { TimeOfDay($0) }
    }
}

/// The days of a week, as the configuration writes them.
package enum Weekday: String, Sendable, Hashable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// The weekday with a number; Monday is 0.
    init(number: Int) { self = Self.allCases[number] }
}
