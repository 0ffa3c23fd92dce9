import Foundation
import Testing
import TrackEngine
import TrackEngineAgent

/// Which window holds when, by the clock on the wall of a zone.
@Suite struct WeekScheduleTests {
    private static func window(
        _ from: String, _ to: String, _ days: [Weekday] = Weekday.allCases, _ tracking: TrackingProfile = .coarse
    ) throws -> ScheduleSettings.Window {
        var window = ScheduleSettings.Window()
        window.from = try #require(TimeOfDay(from))
        window.to = try #require(TimeOfDay(to))
        (window.days, window.tracking) = (days, tracking)
        return window
    }

    private static func schedule(_ zone: String, _ windows: [ScheduleSettings.Window]) throws -> WeekSchedule {
        let clock = try #require(ZoneClock(named: zone))
        return try #require(WeekSchedule(windows, clock: clock))
    }

    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    /// In Berlin the clock goes from 02:00 to 03:00 on 29 March 2026, at 01:00 in Greenwich, and from 03:00 to 02:00 on 25
    /// October 2026, at the same time there. Both are Sundays.
    @Test(arguments: [
        // A time that does not exist.
        ("02:15", "02:45", "2026-03-29T00:59:00Z", false), ("02:15", "02:45", "2026-03-29T01:00:00Z", false),
        ("02:15", "02:45", "2026-03-29T01:30:00Z", false),
        // One that begins in the hour that does not exist.
        ("02:30", "04:00", "2026-03-29T00:59:59Z", false), ("02:30", "04:00", "2026-03-29T01:00:00Z", true),
        ("02:30", "04:00", "2026-03-29T01:59:59Z", true), ("02:30", "04:00", "2026-03-29T02:00:00Z", false),
        // One that is there twice.
        ("02:15", "02:45", "2026-10-25T00:15:00Z", true), ("02:15", "02:45", "2026-10-25T00:45:00Z", false),
        ("02:15", "02:45", "2026-10-25T01:15:00Z", true), ("02:15", "02:45", "2026-10-25T01:45:00Z", false),
        // Over midnight on the days of the change.
        ("22:00", "06:00", "2026-03-28T21:00:00Z", true), ("22:00", "06:00", "2026-03-29T03:59:59Z", true),
        ("22:00", "06:00", "2026-03-29T04:00:00Z", false), ("22:00", "06:00", "2026-10-25T04:59:59Z", true),
        ("22:00", "06:00", "2026-10-25T05:00:00Z", false),
    ])
    func `the clock on the wall decides on the days when it is set`(
        _ from: String, _ to: String, _ moment: String, _ holds: Bool
    ) throws {
        let schedule = try Self.schedule("Europe/Berlin", [Self.window(from, to)])
        #expect(try (schedule.window(at: Self.time(moment)) != nil) == holds)
    }

    @Test func `a window over midnight belongs to the day on which it begins`() throws {
        let schedule = try Self.schedule("UTC", [Self.window("22:00", "06:00", [.fri])])
        for (moment, holds) in [
            ("2026-03-06T05:00:00Z", false), ("2026-03-06T22:00:00Z", true), ("2026-03-07T05:59:59Z", true),
            ("2026-03-07T06:00:00Z", false), ("2026-03-07T22:00:00Z", false),
        ] {
            #expect(try (schedule.window(at: Self.time(moment)) != nil) == holds, "\(moment)")
        }
    }

    @Test func `of several windows the first one decides`() throws {
        let schedule = try Self.schedule(
            "UTC", [Self.window("12:00", "13:00", Weekday.allCases, .fine), Self.window("00:00", "24:00")])
        #expect(try schedule.window(at: Self.time("2026-03-06T12:30:00Z"))?.tracking == .fine)
        #expect(try schedule.window(at: Self.time("2026-03-06T13:00:00Z"))?.tracking == .coarse)
    }

    @Test func `the next look is at a bound of a window, or when the clock is set`() throws {
        let schedule = try Self.schedule("Europe/Berlin", [Self.window("08:00", "18:00", [.mon])])
        for (now, next) in [
            ("2026-03-27T06:59:59.5Z", "2026-03-27T07:00:00Z"), ("2026-03-27T07:00:00Z", "2026-03-27T17:00:00Z"),
            ("2026-03-27T17:00:00Z", "2026-03-28T07:00:00Z"), ("2026-03-28T20:00:00Z", "2026-03-29T01:00:00Z"),
            ("2026-03-29T01:00:00Z", "2026-03-29T06:00:00Z"),
        ] {
            #expect(try schedule.nextLook(after: Self.time(now)) == Self.time(next), "\(now)")
        }
    }

    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns",
        "Africa/Casablanca", "Pacific/Chatham", "UTC",
    ]

    /// Each bound's minute and the one before it, by the calendar of Foundation: all bounds, and all changes of the zones'
    /// offsets, lie on fives. Each zone lets other tests go on in between.
    @Test(arguments: zones)
    func `all year a calendar says the same, and no change is missed`(_ name: String) async throws {
        let windows = [
            try Self.window("02:15", "02:45", [.sun], .fine), try Self.window("22:30", "06:10", [.sat, .sun], .off),
            try Self.window("08:00", "18:00", [.mon, .tue, .wed, .thu, .fri], .normal),
            try Self.window("23:00", "24:00", [.wed]),
        ]
        let schedule = try Self.schedule(name, windows)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        let start = try Self.time("2026-01-01T00:00:00Z")
        var look = start
        var expected = schedule.window(at: start)
        var wrong = 0
        for number in 0..<(366 * 1440) where [0, 4].contains(number % 5) {
            if number % 1440 == 0 { await Task.yield() }
            let minute = start.advanced(by: .seconds(60 * number))
            if minute >= look {
                expected = schedule.window(at: minute)
                look = schedule.nextLook(after: minute)
                #expect(look > minute)
            }
            let oracle = Self.oracle(windows, minute, calendar)
            if schedule.window(at: minute) != oracle || expected != oracle { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    private static func oracle(
        _ windows: [ScheduleSettings.Window], _ time: Timestamp, _ calendar: Calendar
    ) -> ScheduleSettings.Window? {
        let date = Date(timeIntervalSince1970: Double(time.nanosecondsSince1970) / 1e9)
        let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
        guard let day = parts.weekday, let hour = parts.hour, let minute = parts.minute else { return nil }
        let names: [Weekday] = [.sun, .mon, .tue, .wed, .thu, .fri, .sat]
        let (today, yesterday) = (names[day - 1], names[(day + 5) % 7])
        let clock = hour * 60 + minute
        return windows.first { window in
            let (from, to) = (window.from.minutes, window.to.minutes)
            if from < to { return window.days.contains(today) && from <= clock && clock < to }
            return window.days.contains(today) && clock >= from || window.days.contains(yesterday) && clock < to
        }
    }

    @Test(arguments: ["24:01", "8", "8:5", "-1:00", "08:60", "25:00", "", "08:00:00", "٠٨:٠٠"])
    func `a time of day that is none is none`(_ text: String) { #expect(TimeOfDay(text) == nil) }
}
