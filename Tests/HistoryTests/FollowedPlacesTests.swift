import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineSettings
import TrackEngineTestKit

/// Places of devices that the agent follows, in a history.
@Suite(.timeLimit(.minutes(30))) struct FollowedPlacesTests {
    /// An agent that was told of devices before anybody asked for its reports.
    private struct EarlyAgent: FollowReader {
        let told: [FollowedDevice]

        func followedDevices() -> [FollowedDevice] { told }
        func followedReports() -> AsyncStream<FollowedDevice> { AsyncStream { $0.finish() } }
    }

    @Test func `What was told before the sink runs is kept, too, except under the own device's name`() async throws {
        try await Samples.withHistory { history in
            let sink = HistorySink(history: history, device: Samples.device)
            let fix = Samples.point(0).fix
            let told = ["Anna", Samples.device].map { device in
                var report = FollowedDevice(device, source: "miataru")
                report.fix = fix
                return report
            }
            sink.attach(to: EarlyAgent(told: told))
            let upkeep = Task { try await sink.run() }
            await eventually("Anna's place is kept") {
                (try? await history.points(of: "Anna", during: Samples.seconds(0..<1), limit: 9).count) == 1
            }
            upkeep.cancel()
            _ = await upkeep.result
            let own = try await history.points(of: Samples.device, during: Samples.seconds(0..<1), limit: 9)
            #expect(own.isEmpty)
            await sink.close()
        }
    }
}
