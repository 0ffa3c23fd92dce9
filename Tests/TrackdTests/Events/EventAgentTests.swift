import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// What an agent finds in a recorded day, and what reaches a receiver.
@Suite(.timeLimit(.minutes(30))) struct EventAgentTests {
    /// An event as the receiver has it.
    private struct Event: Hashable {
        let id: String
        let word: String

        init?(_ record: ReceiverProcess.StoredRecord) throws {
            let feature = try JSONValue.parse(record.json.utf8)
            guard let properties = feature["properties"] else { return nil }
            id = record.id
            switch (properties["action"]?.string, properties["type"]?.string) {
            case ("visit", _):
                let place = properties["place"]?.string ?? "?"
                word = (properties["departure_date"]?.string == nil ? "arrival " : "departure ") + place
            case (_, "trip"):
                let ends = ["start_location", "end_location"].map {
                    properties[$0]?["properties"]?["place"]?.string ?? "?"
                }
                word = "trip \(ends.joined(separator: " to "))"
            default: return nil
            }
        }
    }

    private static func yaml(_ folder: String, _ day: String, _ receiver: ReceiverProcess, speed: String) -> String {
        """
        device: {id: van-7}
        sources: [{type: replay, path: "\(day)", speed: \(speed)}]
        store: {path: \(folder)/state, keepSyncedDays: 1, maxDaysToPersist: 0}
        sinks: [{type: overland, name: home, url: "\(receiver.url("/ok"))", events: [visit, trip]}]
        log: {level: warning}
        \(RecordedDay.events)
        """
    }

    private static let words = [
        "arrival Home", "departure Home", "trip Home to Depot", "arrival Depot", "departure Depot",
        "trip Depot to Home", "arrival Home", "departure Home",
    ]

    private func events(_ receiver: ReceiverProcess) throws -> [Event] {
        var seen: Set<String> = []
        return try receiver.records().compactMap { try Event($0) }.filter { seen.insert($0.id).inserted }
    }

    /// Waits until the whole day has arrived, and ends the agent in order.
    private func finish(_ agent: RunningAgent, _ receiver: ReceiverProcess) async throws {
        await eventually(
            "the day has arrived, trackd printed: \(agent.child.text)", from: agent.child
        ) {
            // A signal that comes before the agent is there ends it as any program.
            guard ((try? await agent.trackd("status"))?.text ?? "").contains("finished") else { return false }
            return (try? events(receiver).count).map { $0 >= Self.words.count } ?? false
        }
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
    }

    @Test func `visits and trips of a day arrive once, in order, with their places`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            let day = try RecordedDay.write(in: folder)
            let agent = try RunningAgent(folder, Self.yaml(folder, day, receiver, speed: "max"))
            try await finish(agent, receiver)
            #expect(try events(receiver).map(\.word) == Self.words)
            #expect(try receiver.records().count == Set(try receiver.records().map(\.id)).count, "nothing came twice")
            receiver.stop()
        }
    }

    @Test func `kills during the day change no event and lose none`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            let day = try RecordedDay.write(in: folder)
            var chance = SystemRandomNumberGenerator()
            for _ in 0..<20 {
                let agent = try RunningAgent(folder, Self.yaml(folder, day, receiver, speed: "1500"))
                // Some end before they have begun, some with all of the day behind them.
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...600, using: &chance)))
                agent.child.send(SIGKILL)
                _ = await agent.end()
            }
            let agent = try RunningAgent(folder, Self.yaml(folder, day, receiver, speed: "max"))
            try await finish(agent, receiver)
            #expect(try events(receiver).map(\.word) == Self.words)

            let calm = folder + "/calm"
            try FileManager.default.createDirectory(atPath: calm, withIntermediateDirectories: true)
            let other = try await ReceiverProcess(log: calm + "/log")
            let undisturbed = try RunningAgent(calm, Self.yaml(calm, day, other, speed: "max"))
            try await finish(undisturbed, other)
            #expect(try events(receiver) == events(other), "the same events under the same ids")
            for one in [receiver, other] { one.stop() }
        }
    }

    @Test func `a place that is cut out is in no file of the agent's`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            let day = try RecordedDay.write(in: folder)
            let yaml = Self.yaml(folder, day, receiver, speed: "max").replacingOccurrences(
                of: "dwell: 600}", with: "privacy: cut}")
            let agent = try RunningAgent(folder, yaml)
            await eventually(
                "the day is over, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                ((try? await agent.trackd("status"))?.text ?? "").contains("finished")
            }
            _ = try await agent.trackd("sync")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            let features = try receiver.records().map { try JSONValue.parse($0.json.utf8) }
            #expect(!features.isEmpty)
            let latitudes = features.compactMap { $0["geometry"]?["coordinates"]?.array?.last?.number }
            #expect(latitudes.allSatisfy { $0 < RecordedDay.depot.latitude - 195 / 111_300 })
            let depot = RecordedDay.depot.latitude
            let bytes = withUnsafeBytes(of: depot.bitPattern.littleEndian) { Data($0) }
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder + "/state") {
                guard let data = FileManager.default.contents(atPath: folder + "/state/" + name) else { continue }
                #expect(data.range(of: bytes) == nil, "\(name) holds the hidden place")
            }
            receiver.stop()
        }
    }

    @Test func `check tells what is wrong with a place under its key`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(
                folder,
                """
                sources: [{type: simulated}]
                events:
                  heartbeat: 2
                  places:
                    - {name: Home, latitude: 53.5}
                    - {name: Work, latitude: 53.5, longitude: 10, radius: 0}
                    - {name: Road, line: ["53.5, 10", "north"]}
                """)
            #expect(await agent.end() == 78)
            let text = agent.child.text
            #expect(text.contains("events.heartbeat = 2"))
            #expect(text.contains("events.places.Work.radius = 0"))
            #expect(text.contains("events.places.Road.line"))
        }
    }
}
