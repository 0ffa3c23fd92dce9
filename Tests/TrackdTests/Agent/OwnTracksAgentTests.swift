import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// An agent that sends to a receiver of OwnTracks' HTTP mode, and is killed again and again.
@Suite(.serialized, .timeLimit(.minutes(30))) struct OwnTracksAgentTests {
    private static let kills = 10

    @Test func `10 kills lose and invent nothing, whatever the receiver does with its replies`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let receiver = try await ReceiverProcess(log: folder + "/receiver.log")
            try receiver.setInput("ok")
            let yaml = """
                device: {id: van-7}
                sources: [{type: simulated, rate: 10}]
                tracking: {distanceFilter: 0}
                store: {path: \(folder)/state, keepSyncedDays: 1, maxDaysToPersist: 0}
                sinks: [{type: owntracks, url: "\(receiver.url("/input"))", user: jane, backoff: {maximum: 1}}]
                """
            let scripts = ["ok", "ok,lost-reply,ok", "ok,status:503,ok", "lost-reply,ok", "ok,reset,ok"]
            for kill in 0..<Self.kills {
                try receiver.setInput(scripts[kill % scripts.count])
                let before = Set(try receiver.records().map(\.id)).count
                let agent = try RunningAgent(folder, yaml)
                try await eventually(
                    "records come, trackd printed: \(agent.child.text)", from: agent.child
                ) {
                    Set(try receiver.records().map(\.id)).count > before + kill % 7
                }
                agent.child.killNow()
                _ = await agent.end()
            }
            try receiver.setInput("ok")
            let last = try RunningAgent(folder, yaml)
            let before = try receiver.records().count
            try await eventually(
                "the backlog is sent, trackd printed: \(last.child.text)", from: last.child
            ) {
                try receiver.records().count > before + 5
            }
            last.child.send(SIGTERM)
            #expect(await last.end() == 0)
            let export = try await last.trackd("export", "--format", "ndjson")
            #expect(export.status == 0)
            let stored = export.text.split(separator: "\n").compactMap {
                JSONValue(ifReadable: Array($0.utf8))?["id"]?.string
            }
            #expect(stored.count > Self.kills)
            var seen: Set<String> = []
            let everything = try receiver.records()
            let arrivals = everything.map(\.id).filter { seen.insert($0).inserted }
            #expect(arrivals == stored, "nothing lost, nothing invented, in order of acceptance")
            #expect(everything.count > arrivals.count, "lost replies have made duplicates")
            let contents = Dictionary(grouping: everything, by: \.id).mapValues { Set($0.map(\.json)).count }
            #expect(contents.values.allSatisfy { $0 == 1 }, "a duplicate is the same message")
            receiver.stop()
        }
    }
}
