import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// What a place has an agent do when the object comes there or goes, seen by a receiver.
@Suite(.timeLimit(.minutes(5))) struct PlaceActionAgentTests {
    /// All of a recorded day, for sinks that send only what a rule has them send.
    private static func yaml(_ folder: String, _ day: String, sinks: String, sync: Bool) -> String {
        """
        device: {id: van-7}
        sources: [{type: replay, path: "\(day)", speed: max}]
        store: {path: \(folder)/state, keepSyncedDays: 1, maxDaysToPersist: 0}
        sinks: [\(sinks)]
        events:
          places:
            - {name: Depot, latitude: \(RecordedDay.depot.latitude), longitude: 10.0, radius: 200, sync: \(sync)}
        """
    }

    private static func sink(_ agent: RunningAgent) async -> JSONValue? {
        guard let text = try? await agent.trackd("status", "--json").text else { return nil }
        return (try? JSONValue.parse(text.utf8))?["sinks"]?.array?.first
    }

    private static func isOver(_ agent: RunningAgent) async -> Bool {
        ((try? await agent.trackd("status"))?.text ?? "").contains("finished")
    }

    @Test(arguments: [true, false])
    func `what waits for a command is sent when the object leaves a place with sync, and not without`(
        _ sync: Bool
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            let agent = try RunningAgent(
                folder,
                """
                sources: [{type: simulated, rate: 10}]
                sinks: [{type: overland, url: "\(receiver.url("/ok"))", autoSync: false}]
                events:
                  places: [{name: Start, latitude: 52.52, longitude: 13.405, radius: 30, sync: \(sync)}]
                """)
            await agent.prints("source simulated: moving")  // before that a command would open the store itself
            await eventually("it has left, trackd printed: \(agent.child.text)", within: .seconds(60)) {
                (try? await agent.trackd("export", "--kind", "transition", "--format", "ndjson").text)?
                    .contains(#""event":"leave""#) == true
            }
            if sync {
                await eventually("what waited arrives") { (try? receiver.records().isEmpty) == false }
            } else {
                #expect(await Self.sink(agent)?["queued"]?.number ?? 0 > 1)
                #expect(try receiver.requests().isEmpty)
            }
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            receiver.stop()
        }
    }

    @Test func `an event that a webhook's receiver refuses is dead with the reason, the others and the track arrive`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/log")
            let hook = try await ReceiverProcess(log: folder + "/hook")
            let day = try RecordedDay.write(in: folder)
            let sinks = """
                {type: overland, url: "\(receiver.url("/ok"))"}, \
                {type: http, name: hook, url: "\(hook.url("/poison-times:400:7200000/3600000"))", kinds: [transition], \
                body: '[{"properties":{"record_id":"%{id}","timestamp":"%{time:isoMilliseconds}"}}]'}
                """
            let agent = try RunningAgent(folder, Self.yaml(folder, day, sinks: sinks, sync: true))
            await eventually("both are settled, trackd printed: \(agent.child.text)", within: .seconds(60)) {
                guard await Self.isOver(agent), let text = try? await agent.trackd("status", "--json").text,
                    let sinks = (try? JSONValue.parse(text.utf8))?["sinks"]?.array
                else { return false }
                return sinks.count == 2 && sinks.allSatisfy { $0["queued"]?.number == 0 }
            }
            let dead = try await agent.trackd("dead", "list").text
            // The object came to the depot before 11, and left it after that, which shows that the receiver takes events.
            #expect(dead.split(separator: "\n").count == 1 && dead.contains("hook") && dead.contains("400"), "\(dead)")
            #expect(Set(try hook.records().map(\.id)).count == 1)
            let recorded = try await agent.trackd("export", "--format", "ndjson").text.split(separator: "\n")
            let arrived = try receiver.records().map(\.id)
            #expect(arrived.count == Set(arrived).count && arrived.count >= recorded.count)
            let ids = try recorded.compactMap { try JSONValue.parse($0.utf8)["id"]?.string }
            #expect(!ids.isEmpty && ids.allSatisfy { Set(arrived).contains($0) })
            #expect(arrived.filter { Set(ids).contains($0) } == ids, "in order")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            for one in [receiver, hook] { one.stop() }
        }
    }

    @Test func `a reload leaves places that were added, and knows its own beside them`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            func yaml(_ places: String) -> String {
                RunningAgent.simulated + "events: {places: [\(places)]}\n"
            }
            let everywhere = "{name: City, latitude: 52.52, longitude: 13.405, radius: 900000}"
            let agent = try RunningAgent(folder, yaml(everywhere))
            await agent.prints("source simulated: moving")
            #expect(try await agent.trackd("place", "add", "Here", "--here", "--radius", "900000").status == 0)
            try RunningAgent.write(
                yaml(everywhere + ", {name: Far, latitude: -33, longitude: 151, radius: 100}"), folder)
            agent.child.send(SIGHUP)
            await agent.prints("configuration applied keys=events.places")
            let places = try await agent.trackd("places").text
            for name in ["City", "Here", "Far"] { #expect(places.contains(name), "\(places)") }
            // The object is where it was: nobody has come or gone.
            let recorded = try await agent.trackd("status", "--json").text
            await eventually("it goes on recording") {
                (try? await agent.trackd("status", "--json").text) != recorded
            }
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
            let transitions = try await agent.trackd("export", "--kind", "transition", "--format", "ndjson").text
            #expect(transitions.isEmpty, "\(transitions)")
        }
    }
}
