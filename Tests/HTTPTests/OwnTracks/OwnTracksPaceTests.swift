import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineTestKit

/// How soon commands in replies follow each other.
@Suite("The pace of commands in replies") struct OwnTracksPaceTests {
    private static func waypoints(_ name: String) -> String {
        #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[{"desc":"\#(name)"}]}}"#
    }

    @Test func `other waypoints within ten seconds wait and are kept, and the same ones are not kept twice`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let reply = "[\(Self.waypoints("a")),\(Self.waypoints("b")),\(Self.waypoints("a"))]"
            let script = reply.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let clock = ManualClock()
            let sink = try OwnTracksSink(
                configuration: OwnTracksSamples.configuration(receiver.url("/ok-body:\(script)")) {
                    $0.commands = [.setWaypoints]
                }, clock: clock)
            let agent = RecordingAgent()
            sink.attach(to: agent)
            let upkeep = Task { try await sink.run() }
            _ = try await sink.deliver(
                RecordBatch(records: [SampleRecords.record(1)]), reporting: DeliveryProgressReport { _ in })
            await eventually("the first are kept") { agent.waypoints.count == 1 }
            #expect(agent.waypoints.map { String(decoding: $0, as: UTF8.self).contains(#""a""#) } == [true])
            await eventually("the others are kept") {
                clock.advance(by: .seconds(1))
                return agent.waypoints.count == 2
            }
            #expect(agent.waypoints.map { String(decoding: $0, as: UTF8.self).contains(#""b""#) } == [false, true])
            let rejected = sink.statusItems(now: .now()).first { $0.name == "commandsRejected" }
            #expect(rejected?.value == .count(1))
            upkeep.cancel()
            await sink.close()
            receiver.stop()
        }
    }
}
