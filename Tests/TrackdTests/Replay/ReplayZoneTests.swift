import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// The zone of times without one, as an option and as a key.
@Suite struct ReplayZoneTests {
    private static func shell(_ command: String, in folder: String) async throws -> String {
        let table = "date,time,lat,lon\n2026-07-15,12:00:00,1,2\n"
        try Data(table.utf8).write(to: URL(fileURLWithPath: folder + "/track.csv"))
        let arguments = command.split(separator: " ").map(String.init)
        let child = try ChildProcess(TestEnvironment.builtProduct("trackd"), arguments, directory: folder)
        await eventually("\(command) ends", within: .seconds(900)) { child.exitCode != nil }
        return child.text
    }

    @Test(arguments: [
        ("", "2026-07-15T12:00:00.000Z"), ("--time-zone Europe/Berlin", "2026-07-15T10:00:00.000Z"),
        ("--time-zone=-02:30", "2026-07-15T14:30:00.000Z"),
    ])
    func `an option says the zone of times without one, which is UTC without it`(
        _ option: String, _ time: String
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let text = try await Self.shell("replay track.csv \(option)", in: folder)
            #expect(text.contains(time), "\(text)")
        }
    }

    @Test func `a zone that nobody knows is refused with what is expected`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let text = try await Self.shell("replay track.csv --time-zone Nowhere", in: folder)
            expectMessage(text.line(with: "Nowhere"))
        }
    }

    @Test(arguments: [("UTC", 0), ("Europe/Berlin", 0), ("+01:00", 0), ("\"-03:30\"", 0), ("Nowhere", 1), ("1", 1)])
    func `the key takes a zone`(_ zone: String, _ problems: Int) {
        let found = Given.problems("sources: [{type: replay, path: a, timeZone: \(zone)}]")
        #expect(found.count == problems, "\(found)")
        for problem in found {
            expectMessage(problem, begin: "trackd.yaml:1: sources.replay.timeZone", as: "zone \(zone)")
        }
    }
}
