import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineTestKit

/// A receiver that wants the same in each of its replies.
@Suite("Commands that come again and again", .serialized, .timeLimit(.minutes(30)))
struct OwnTracksPaceTests {
    @Test func `a command is carried out every ten seconds at most, and not from the reply to an answer`() async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let receiver = try await ReceiverProcess(log: directory + "/log")
            let command = #"[{"_type":"cmd","action":"reportLocation"}]"#
            let script = command.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let clock = ManualClock()
            let sink = try OwnTracksSink(
                configuration: OwnTracksSamples.configuration(receiver.url("/ok-body:\(script)")) {
                    $0.commands = [.report]
                }, clock: clock)
            let agent = RecordingAgent()
            sink.attach(to: agent)
            let upkeep = Task { try await sink.run() }
            func deliver(_ number: Int) async throws {
                _ = try await sink.deliver(RecordBatch(records: [SampleRecords.record(number)]))
            }
            try await deliver(1)
            await eventually("it was carried out, and answered") {
                agent.requests == [.report] && (try? receiver.requests().count) == 2
            }
            for number in 2...4 { try await deliver(number) }
            let requests = try receiver.requests().count
            #expect(agent.requests == [.report] && requests == 5)
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(10))
            try await eventually("it has rested, and is carried out again") {
                try await deliver(5)
                return agent.requests.count == 2
            }
            upkeep.cancel()
            _ = await upkeep.result  // nothing is under way when the connections end
            await sink.close()
            receiver.stop()
        }
    }

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
            _ = try await sink.deliver(RecordBatch(records: [SampleRecords.record(1)]))
            await eventually("the first are kept") { agent.waypoints.count == 1 }
            #expect(agent.waypoints.map { $0.contains(#""a""#) } == [true])
            await eventually("the others are kept") {
                clock.advance(by: .seconds(1))
                return agent.waypoints.count == 2
            }
            #expect(agent.waypoints.map { $0.contains(#""b""#) } == [false, true])
            let rejected = sink.statusItems(now: .now()).first { $0.name == "commandsRejected" }
            #expect(rejected?.value == .count(1))
            upkeep.cancel()
            await sink.close()
            receiver.stop()
        }
    }
}

extension RecordingAgent {
    /// The places to save, as texts.
    fileprivate var waypoints: [String] {
        requests.compactMap { request in
            guard case .setWaypoints(let waypoints) = request else { return nil }
            return String(decoding: waypoints, as: UTF8.self)
        }
    }
}
