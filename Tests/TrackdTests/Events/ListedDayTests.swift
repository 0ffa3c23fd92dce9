import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// Which trips `trackd trips` lists of a day on which clocks are changed.
@Suite(.timeLimit(.minutes(30))) struct ListedDayTests {
    /// A day of Berlin, and when it begins by Greenwich, with the hours after which trips begin.
    struct Day: Sendable {
        let from: String
        let to: String
        let midnight: String
        let hours: Int64
        /// The same day by Greenwich.
        let date: String
        let next: String
    }

    static let days = [
        Day(
            from: "2026-03-29T00:00:00+01:00", to: "2026-03-30T00:00:00+02:00", midnight: "2026-03-28T23:00:00Z",
            hours: 23, date: "2026-03-29", next: "2026-03-30"),
        Day(
            from: "2026-10-25T00:00:00+02:00", to: "2026-10-26T00:00:00+01:00", midnight: "2026-10-24T22:00:00Z",
            hours: 25, date: "2026-10-25", next: "2026-10-26"),
    ]

    /// Five minutes of driving after each of these minutes, and rest between.
    private static func track(_ begin: Int64, minutes trips: [Int64], to end: Int64) -> String {
        var text = "time,lat,lon,hacc,speed\n"
        var metres = 0.0
        for second in stride(from: -7200, to: end, by: 20) {
            let isDriving = trips.contains { second >= $0 * 60 && second < $0 * 60 + 300 }
            text += "\(begin + second),\(PipedTrack.latitude(metres)),10.0,5,\(isDriving ? 10 : 0)\n"
            if isDriving { metres += 200 }
        }
        return text
    }

    @Test(arguments: days)
    func `bounds are those that were given, and a bare day is one of UTC, whatever the zone of the machine`(
        _ day: Day
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let begin = try #require(Timestamp(rfc3339: day.midnight)).secondsSince1970
            // Half an hour before, in and after the day of Berlin.
            let minutes = [-30, 30, day.hours * 60 - 30, day.hours * 60 + 30]
            let text = Self.track(begin, minutes: minutes, to: day.hours * 3600 + 4800)
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/days.csv"))
            let agent = try RunningAgent(
                folder,
                """
                device: {id: van-7}
                sources: [{type: replay, path: "\(folder)/days.csv", speed: max}]
                store: {path: \(folder)/state, maxDaysToPersist: 0}
                events: {trips: true}
                """)
            await agent.reachesEnd()
            await agent.finish()
            func starts(_ from: String, _ to: String) async throws -> [Int64] {
                let child = try ChildProcess(
                    TestEnvironment.builtProduct("trackd"),
                    ["trips", "--json", "--from", from, "--to", to, "--config", folder + "/trackd.yaml"],
                    environment: ["STATE_DIRECTORY": folder + "/state", "TZ": "Europe/Berlin"])
                await eventually("trips ends") { child.exitCode != nil }
                return try child.text.split(separator: "\n").map { line in
                    let text = try JSONValue.parse(line.utf8)["trip"]?["start"]?["time"]?.string
                    let start = try #require(Timestamp(rfc3339: text ?? ""))
                    // To the half hour: where a way begins is known to a fix.
                    return Int64((Double(start.secondsSince1970 - begin) / 1800).rounded()) * 30
                }
            }
            #expect(try await starts("2026-01-01", "2027-01-01") == minutes)
            #expect(try await starts(day.from, day.to) == [30, day.hours * 60 - 30])
            // The day by Greenwich begins an hour or two after that of Berlin and ends after it.
            let offset = try #require(Timestamp(rfc3339: day.date + "T00:00:00Z")).secondsSince1970 - begin
            let inUTC = minutes.filter { $0 * 60 >= offset && $0 * 60 < offset + 86_400 }
            #expect(try await starts(day.date, day.next) == inUTC)
        }
    }
}
