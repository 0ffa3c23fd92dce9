import Foundation
import TrackEngine
package import TrackEngineSettings

/// The profiles by the time of the week: windows in the local time of a zone.
package struct ScheduleSettings: Sendable, Hashable {
    /// A part of some days of the week. A window that does not end after it begins continues past midnight.
    package struct Window: Sendable, Hashable {
        /// The days on which it begins.
        package var days = Weekday.allCases
        /// The time at which it begins.
        package var from = TimeOfDay.begin
        /// The time at which it ends; that moment is not included.
        package var to = TimeOfDay.end
        /// The profile in force then. Required.
        package var tracking = TrackingProfile.normal

        package init() {}

        package static let fields: [Field<Self>] = [
            .choices("days", \.days).meaning("The days of the week on which the window begins."),
            .value("from", \.from, .timeOfDay, show: { .text($0.description) })
                .meaning("When the window begins, by the clock of the zone."),
            .value("to", \.to, .timeOfDay, show: { .text($0.description) })
                .meaning("When the window is over; a time that is not after from is one of the next day."),
            .choice("tracking", \.tracking).required().meaning("The profile in the window."),
        ]

        /// `08:00 to 18:00`
        package var times: String { "\(from) to \(to)" }
    }

    /// The zone's IANA name; the machine's zone without one.
    package var zone: String?
    /// The windows; the first that applies decides.
    package var windows: [Window] = []
    /// The profile outside all windows.
    package var outside = TrackingProfile.normal

    package static let fields: [Field<Self>] = [
        .text("zone", \.zone, .zone).meaning("The IANA name of the time zone of the windows; null for the machine's."),
        .tables("windows", \.windows, Window.fields, of: Window())
            .meaning("Parts of the week with a profile of their own; of several that hold the first one decides."),
        .choice("outside", \.outside).meaning("The profile outside of all windows, if there are any."),
    ]

    /// All problems beyond single values, under the keys of this table.
    var problems: [ConfigurationProblem] {
        guard !windows.isEmpty || outside == .normal else {
            return [
                ConfigurationProblem(
                    key: "outside", value: outside.rawValue, expectation: "normal where windows has no window")
            ]
        }
        return windows.enumerated().flatMap { index, window in
            var problems: [ConfigurationProblem] = []
            func add(_ key: String, _ value: String, _ expectation: String) {
                problems.append(
                    ConfigurationProblem(key: "windows.\(index).\(key)", value: value, expectation: expectation))
            }
            if window.days.isEmpty { add("days", "[]", "at least one day of the week") }
            if window.from == .end { add("from", "24:00", "a time of day from 00:00 to 23:59") }
            if window.from == window.to {
                add("to", "\(window.to)", "another time than from; 00:00 to 24:00 for the whole day")
            }
            if window.to == .begin { add("to", "00:00", "24:00 for the end of the day") }
            return problems
        }
    }
}

extension TextRule {
    fileprivate static let zone = TextRule(expectation: "the IANA name of a time zone, such as Europe/Berlin, or null")
    {
        $0.utf8.count <= 64 && TimeZone(identifier: $0) != nil
    }
}
