import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A receiver that does not take the event of a place.
@Suite(.timeLimit(.minutes(30))) struct RefusedEventTests {
    /// Runs an agent with sinks through a place, whose position is recorded each ten seconds.
    private static func with(
        _ sinks: (ReceiverProcess) -> String, _ body: (RunningAgent, PipedTrack, ReceiverProcess) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            defer { receiver.stop() }
            let track = try PipedTrack(in: folder)
            let yaml = """
                device: {id: van-7}
                \(track.sources)
                tracking: {distanceFilter: 1, disableSpeedMultiplier: true}
                store: {path: \(folder)/state, keepSyncedDays: 36500, maxDaysToPersist: 0}
                sinks:
                \(sinks(receiver))
                events:
                  places:
                    - {id: depot-1, name: Depot, latitude: \(PipedTrack.latitude(2000)), longitude: 10.0, radius: 100}
                """
            let agent = try RunningAgent(folder, yaml)
            try await track.open()
            try await body(agent, track, receiver)
            await agent.finish()
        }
    }

    /// A webhook for events that refuses them, beside a receiver of the track.
    private static func twoSinks(_ receiver: ReceiverProcess) -> String {
        """
          - {type: http, name: hook, url: "\(receiver.url("/status:400"))", kinds: [transition], places: [depot-1],
             syncThreshold: 1}
          - {type: overland, name: home, url: "\(receiver.url("/ok"))", syncThreshold: 1}
        """
    }

    /// One receiver of positions and events, which sends nothing by itself.
    private static func oneQueue(_ receiver: ReceiverProcess) -> String {
        let body = #"{"location": {"id": "%{id}", "event": "%{transition}", "at": [%{latitude}, %{longitude}]}}"#
        return """
              - {type: http, name: hook, url: "\(receiver.url("/input"))", kinds: [location, transition],
                 body: '\(body)', syncThreshold: 1, autoSync: false}
            """
    }

    private static func dead(_ agent: RunningAgent) async throws -> [JSONValue] {
        try await agent.trackd("dead", "list", "--json").text.split(separator: "\n")
            .map { try JSONValue.parse($0.utf8) }
    }

    private static func ids(_ records: [JSONValue]) -> [String] { records.compactMap { $0["id"]?.string } }

    /// A receiver that takes nothing at all proves nothing about a record.
    @Test func `a webhook that takes no event keeps it waiting, with the reason, and the track goes on beside it`()
        async throws
    {
        try await Self.with(Self.twoSinks) { agent, track, receiver in
            for second in 0..<10 { track.feed(Int64(second) * 10, metres: Double(second) * 500) }
            try await eventually("the webhook waits for a person") {
                let status = try await JSONValue.parse(agent.trackd("status", "--json").text.utf8)
                let hook = status["sinks"]?.array?.first { $0["id"]?.string == "hook" }
                return hook?["activity"]?.string == "paused" && hook?["failure"]?.string?.contains("HTTP 400") == true
            }
            #expect(try await Self.dead(agent).isEmpty)
            try await eventually("the track arrives") { try receiver.records().count == 10 }
            #expect(try await receiver.records().map(\.id) == Self.ids(agent.stored("location")))
        }
    }

    /// What proves that the receiver refuses no more than the event arrives ahead of its turn.
    @Test func `in one queue the refused event is dead, with the reason, and positions go on in order`() async throws {
        try await Self.with(Self.oneQueue) { agent, track, receiver in
            for second in 0..<10 { track.feed(Int64(second) * 10, metres: Double(second) * 500) }
            await agent.stores(10)
            let (positions, events) = try await (Self.ids(agent.stored("location")), agent.stored("transition"))
            let entry = try #require(events.first?["id"]?.string)
            try receiver.setInput("poison:400:\(entry)")
            _ = try await agent.trackd("sync")
            await eventually("the entry is dead") { (try? await Self.dead(agent).count) == 1 }
            let letter = try await Self.dead(agent).first
            #expect(letter?["record"]?.string == entry && letter?["sink"]?.string == "hook")
            #expect(letter?["reason"]?.string?.contains("HTTP 400") == true)
            #expect(letter?["reason"]?.string?.contains("bad record") == true, "what the receiver said")
            try await eventually("the rest arrives") { try receiver.records().count == 11 }
            let arrived = try receiver.records().compactMap { positions.firstIndex(of: $0.id) }
            #expect(arrived.prefix(5) == [0, 1, 2, 3, 4] && arrived.sorted() == Array(0..<10), "\(arrived)")
            let early = arrived.indices.count { place in arrived[place...].contains { $0 < arrived[place] } }
            #expect(early <= 3, "\(arrived)")

            for second in 10..<20 { track.feed(Int64(second) * 10, metres: Double(second) * 500) }
            await agent.stores(20)
            _ = try await agent.trackd("sync")
            try await eventually("they arrive, too") { try receiver.records().count == 21 }
            #expect(try await receiver.records().suffix(10).map(\.id) == Self.ids(agent.stored("location")).suffix(10))
            #expect(try await Self.dead(agent).count == 1)
        }
    }
}
