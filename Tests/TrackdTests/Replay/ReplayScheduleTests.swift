import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd replay --events` of a configuration whose schedule turns tracking off.
@Suite(.timeLimit(.minutes(3))) struct ReplayScheduleTests {
    private static func replay(_ yaml: String, _ folder: String) async throws -> String {
        try Data(yaml.utf8).write(to: URL(fileURLWithPath: folder + "/trackd.yaml"))
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"),
            ["replay", folder + "/day.csv", "--config", folder + "/trackd.yaml", "--events"])
        await eventually("the replay ends") { child.exitCode != nil }
        #expect(child.exitCode == 0, "\(child.text)")
        return child.text
    }

    @Test func `a schedule that is off at the recording's time, or now, hides no event of a recording`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            let base = "device: {id: van-7}\n\(RecordedDay.events)\n"
            let plain = try await Self.replay(base, folder)
            #expect(plain.contains("enter Depot") && plain.contains("heartbeat"))
            for window in ["{tracking: off}", "{from: 10:00, to: 11:00, tracking: off}"] {
                let schedule = "profiles: {schedule: {zone: UTC, windows: [\(window)]}}\n"
                #expect(try await Self.replay(base + schedule, folder) == plain, "\(window)")
            }
        }
    }
}
