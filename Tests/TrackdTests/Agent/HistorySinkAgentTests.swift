import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

/// `trackd` with a history.
@Suite(.timeLimit(.minutes(30))) struct HistorySinkAgentTests {
    @Test func `a drive comes into the history, whole and once, also when it is replayed again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            var text = "time,latitude,longitude,speed\r\n"
            for number in 0..<300 {
                let time = Timestamp(secondsSince1970: 1_772_359_200 + Int64(number) * 10)
                text += "\(time.rfc3339()),\(50 + Double(number) * 0.000_9),8.5,10\r\n"
            }
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/drive.csv"))
            for state in ["first", "second"] {
                let agent = try RunningAgent(
                    folder,
                    """
                    device: {id: van-7}
                    sources: [{type: replay, path: \(folder)/drive.csv, speed: max}]
                    tracking: {distanceFilter: 0, stillAfter: 0, standbyAfter: 0}
                    store: {path: \(folder)/\(state)}
                    sinks: [{type: history, directory: \(folder)/history, syncThreshold: 1}]
                    """)
                await eventually("everything is delivered") {
                    let status = try? JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
                    return status?["sinks"]?.array?.first?["delivered"]?.number == 300
                }
                agent.child.send(SIGTERM)
                #expect(await agent.end() == 0)
                let history = try await TrackHistory.open(directory: folder + "/history")
                let whole = Timestamp(secondsSince1970: 0)..<Timestamp(secondsSince1970: 2_000_000_000)
                let points = try await history.points(of: "van-7", during: whole, limit: 1000)
                #expect(points.count == 300)
                #expect(points.allSatisfy { $0.source == "replay" && $0.isMoving != nil })
                await history.close()
            }
        }
    }
}
