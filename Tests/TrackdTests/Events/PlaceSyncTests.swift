import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A place at which all that waits is sent.
@Suite(.timeLimit(.minutes(30))) struct PlaceSyncTests {
    private static func yaml(_ track: PipedTrack, _ receiver: ReceiverProcess, sync: Bool) -> String {
        """
        device: {id: van-7}
        \(track.sources)
        tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
        store: {keepSyncedDays: 1}
        sinks: [{type: overland, name: home, url: "\(receiver.url("/ok"))", syncThreshold: 100000}]
        events:
          places:
            - {name: Yard, latitude: \(PipedTrack.latitude(1000)), longitude: 10.0, radius: 100}
            - {name: Depot, latitude: \(PipedTrack.latitude(2000)), longitude: 10.0, radius: 100, sync: \(sync)}
        """
    }

    /// Runs an agent that has come as far as the yard, where nothing is to be sent.
    private static func atYard(
        sync: Bool, _ body: (RunningAgent, PipedTrack, ReceiverProcess) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            defer { receiver.stop() }
            let track = try PipedTrack(in: folder)
            let agent = try RunningAgent(folder, yaml(track, receiver, sync: sync))
            try await track.open()
            // That it moves is sent at once, whatever the threshold.
            for (second, metres) in [(0, 0.0), (10, 500)] { track.feed(Int64(second), metres: metres) }
            await eventually("that is sent, and nothing more") {
                let status = try? JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
                let sink = status?["sinks"]?.array?.first
                return sink?["delivered"]?.number == 2 && sink?["activity"]?.string == "waiting"
            }
            track.feed(20, metres: 1000)
            await eventually("it is at the yard") { (try? await agent.transitions()) == ["enter Yard"] }
            #expect(try receiver.records().count == 2)
            try await body(agent, track, receiver)
            await agent.finish()
        }
    }

    @Test func `entering a place that wants it sends all that waits, though the threshold is far away`() async throws {
        try await Self.atYard(sync: true) { agent, track, receiver in
            let before = try receiver.requests().count
            track.feed(30, metres: 1500)
            track.feed(40, metres: 2000)
            try await eventually("a request comes") { try receiver.records().count > 2 }
            await eventually("it is at the depot") {
                (try? await agent.transitions()) == ["enter Yard", "leave Yard", "enter Depot"]
            }
            #expect(try receiver.records().count == 5 && receiver.requests().count == before + 1)
            track.feed(50, metres: 2500)
            try await eventually("leaving sends, too") { try receiver.records().count == 6 }
        }
    }

    @Test func `entering a place that does not want it sends nothing`() async throws {
        try await Self.atYard(sync: false) { agent, track, receiver in
            for (second, metres) in [(30, 1500.0), (40, 2000), (50, 2500)] { track.feed(Int64(second), metres: metres) }
            await eventually("it has left") { (try? await agent.transitions().last) == "leave Depot" }
            #expect(try receiver.records().count == 2)
            _ = try await agent.trackd("sync")
            #expect(try receiver.records().count == 6, "it was not the receiver")
        }
    }
}
