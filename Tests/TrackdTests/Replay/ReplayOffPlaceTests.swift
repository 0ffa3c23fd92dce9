import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd replay --events` of a configuration with a place where tracking is off.
@Suite(.timeLimit(.minutes(3))) struct ReplayOffPlaceTests {
    private static func replay(_ yaml: String, _ folder: String) async throws -> String {
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder + "/trackd.yaml"))
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"),
            ["replay", folder + "/day.csv", "--config", folder + "/trackd.yaml", "--events"])
        await eventually("the replay ends") { child.exitCode != nil }
        #expect(child.exitCode == 0, "\(child.text)")
        return child.text
    }

    @Test func `a place where tracking is off has no event in a replay`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            let base = "device: {id: van-7}\n\(RecordedDay.events)\n"
            let events = try await Self.replay(base.replacing("dwell: 600}", with: "tracking: off}"), folder)
            #expect(events.contains("arrival Home"))
            for told in ["enter Depot", "arrival Depot", "departure Depot"] {
                #expect(!events.contains(told), "\(told)")
            }
        }
    }
}
