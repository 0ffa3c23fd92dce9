import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd replay --events`, and what replay hides.
@Suite struct ReplayEventsTests {
    private static func write(_ yaml: String, _ folder: String) throws {
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder + "/trackd.yaml"))
    }

    @Test func `the events of a recorded day are those of the agent, the same each time`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            try Self.write("device: {id: van-7}\n" + RecordedDay.events, folder)
            let command = "trackd replay day.csv --config trackd.yaml --events"
            let text = try await shell("\(command) 2> summary", folder)
            let lines = text.split(separator: "\n").map { String($0.dropFirst(21)) }.filter { $0 != "heartbeat" }
            expectMessage(lines.first, begin: "arrival Home,")
            #expect(lines.contains("enter Depot") && lines.contains("dwell Depot") && lines.contains("leave Home"))
            #expect(lines.contains { $0.hasPrefix("trip ends, ") && $0.hasSuffix("Home to Depot") })
            #expect(lines.count { $0.hasPrefix("arrival ") } == 3)
            let json = try await shell("\(command) --json 2> /dev/null", folder)
            #expect(try await shell("\(command) --json 2> /dev/null", folder) == json)
            let kinds = try json.split(separator: "\n").map { try JSONValue.parse($0.utf8)["kind"]?.string }
            #expect(kinds.count == text.split(separator: "\n").count)
            #expect(Set(kinds) == ["visit", "trip", "transition", "heartbeat"])
            let summary = try String(contentsOfFile: folder + "/summary", encoding: .utf8)
            #expect(summary.contains("\(kinds.count) events"))
        }
    }

    @Test(arguments: [(60, "trip ends"), (140, "departure")])
    func `the end of a recording ends what lasts, and says so`(_ fixes: Int, _ word: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let lines = (0..<fixes).map { second in
                // Twenty minutes at 9 m/s at the most, then rest.
                let metres = Double(min(second, 60)) * 90
                let speed = second < 60 ? 9 : 0
                return "\(1_772_359_200 + second * 10),\(53.5 + metres / 111_300),10.0,5,\(speed)"
            }
            let text = "time,lat,lon,hacc,speed\n" + lines.joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/ride.csv"))
            try Self.write("device: {id: van-7}\nevents: {visits: true, trips: true}\n", folder)
            let command = "trackd replay ride.csv --config trackd.yaml --events"
            let told = try await shell("\(command) 2> /dev/null", folder).split(separator: "\n")
            #expect(told.last?.dropFirst(21).hasPrefix(word) == true, "\(told)")
            let last = try await shell("\(command) --json 2> /dev/null | tail -n 1", folder)
            let event = try JSONValue.parse(last.utf8)
            #expect(told.last?.hasSuffix("where the recording ends") == true)
            #expect(told.dropLast().allSatisfy { !$0.hasSuffix("where the recording ends") })
            if word == "trip ends" {
                #expect(event["trip"]?["endedBy"]?.string == "recording")
                #expect(event["trip"]?["distance"]?.number.map { abs($0 - 5_310) < 60 } == true)
            } else {
                #expect(event["visit"]?["departure"]?.string == event["timestamp"]?.string)
                #expect(event["visit"]?["endedBy"]?.string == "recording")
            }
        }
    }

    @Test func `who looks for nothing is told so`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            let text = try await shell("trackd replay day.csv --events 2>&1; echo status $?", folder)
            #expect(text.hasSuffix("\nstatus 78\n"))
            expectMessage(text.line(with: "events"))
        }
    }

    @Test(arguments: ["", "--decisions", "--events", "--events --json"])
    func `no hidden position comes out of a replay`(_ arguments: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            func lines(_ privacy: String) async throws -> [String] {
                try Self.write(
                    """
                    events:
                      visits: true
                      trips: true
                      places:
                        - {name: Home, latitude: 53.5, longitude: 10.0, radius: 500, \(privacy)}
                    """, folder)
                let command = "trackd replay day.csv --config trackd.yaml \(arguments)"
                return try await shell("\(command) 2> summary", folder).split(separator: "\n").map(String.init)
            }
            let isHome: (String) -> Bool = { line in
                guard let latitude = (try? JSONValue.parse(line.utf8))?["coords"]?["latitude"]?.number else {
                    return false
                }
                return latitude < 53.5 + 490 / 111_300.0
            }
            let open = try await lines("privacy: none")
            if !arguments.isEmpty, arguments != "--events" { #expect(open.contains(where: isHome)) }
            for hiding in ["privacy: cut", "tracking: off"] {
                let closed = try await lines(hiding)
                #expect(!closed.contains(where: isHome))
                #expect(!closed.contains { $0.contains("Home") })
                let summary = try String(contentsOfFile: folder + "/summary", encoding: .utf8)
                #expect(summary.contains("hidden"))
            }
        }
    }

    @Test func `a place where tracking is off has no event`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            let events = RecordedDay.events.replacing("dwell: 600}", with: "tracking: off}")
            try Self.write("device: {id: van-7}\n" + events, folder)
            let text = try await shell("trackd replay day.csv --config trackd.yaml --events 2> summary", folder)
            #expect(text.contains("arrival Home"))
            for told in ["enter Depot", "arrival Depot", "departure Depot"] {
                #expect(!text.contains(told), "\(told)")
            }
        }
    }

    @Test func `a schedule that is off at the recording's time, or now, hides no event`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            func replay(_ schedule: String) async throws -> String {
                try Self.write("device: {id: van-7}\n\(RecordedDay.events)\n\(schedule)\n", folder)
                return try await shell("trackd replay day.csv --config trackd.yaml --events 2> summary", folder)
            }
            let plain = try await replay("")
            #expect(plain.contains("enter Depot") && plain.contains("heartbeat"))
            for window in ["{tracking: off}", "{from: 10:00, to: 11:00, tracking: off}"] {
                let text = try await replay("profiles: {schedule: {zone: UTC, windows: [\(window)]}}")
                #expect(text == plain, "\(window)")
            }
        }
    }

    /// Runs a command line with the built `trackd`; answers what it printed.
    private func shell(_ line: String, _ folder: String) async throws -> String {
        let program = TestEnvironment.builtProduct("trackd")
        let child = try ChildProcess(
            "/bin/bash", ["-c", "trackd() { '\(program)' \"$@\"; }; " + line], directory: folder)
        await eventually("\(line) ends") { child.exitCode != nil }
        return child.text
    }
}
