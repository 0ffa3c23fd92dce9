import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A visit that lasts: somebody has arrived and not departed.
@Suite(.timeLimit(.minutes(30))) struct OpenVisitTests {
    @Test func `a visit that lasts has no departure: in the table, as JSON and over the reading interface`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            // The end of a file would end the visit.
            let (day, pipe) = (try RecordedDay.write(in: folder), folder + "/pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            let yaml = """
                device: {id: van-7}
                sources: [{type: replay, path: "\(pipe)", format: csv, speed: max}]
                store: {path: \(folder)/state, keepSyncedDays: 36500, maxDaysToPersist: 0}
                sinks: [{type: server, directory: \(folder)/server, port: \(port.number), syncThreshold: 1}]
                \(RecordedDay.events)
                """
            let agent = try RunningAgent(folder, yaml)
            let descriptor = try await NamedPipe.writer(pipe)
            defer { close(descriptor) }
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: day)))
            #expect(write(descriptor, bytes, bytes.count) == bytes.count)
            await eventually("three visits") {
                (try? await agent.trackd("visits").text.split(separator: "\n").count) == 3
            }
            let lines = try await agent.trackd("visits").text.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.map { $0.contains("so far, Home  ") } == [false, false, true], "\(lines)")
            let told = try await agent.trackd("visits", "--json").text.split(separator: "\n")
                .map { try JSONValue.parse($0.utf8)["visit"] }
            #expect(told.map { $0?["departure"] == nil } == [false, false, true])
            #expect(told.last??["arrival"]?.string == "2026-03-01T11:30:00.000Z")
            #expect(told.last??["place"]?["name"]?.string == "Home")

            let key = try #require(
                try await agent.trackd("device", "link", "--key").text.split(separator: "?key=").last
            )
            .trimmingCharacters(in: .whitespacesAndNewlines)
            let target = "/api/day?device=van-7&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z"
            func answer() async throws -> JSONValue {
                let reply = await RawReply.to("GET", target, ["Authorization": "Bearer \(key)"], at: port.number)
                return try JSONValue.parse(reply.body.utf8)
            }
            try await eventually("the day is in the history") { try await answer()["visits"]?.array?.count == 3 }
            let visits = try await answer()["visits"]?.array ?? []
            #expect(visits.map { $0["isOpen"]?.boolean } == [false, false, true])
            #expect(visits.last?["endsAfter"]?.boolean == true)
            let last = try await answer()["segments"]?.array?.last
            #expect(last?["kind"]?.string == "stop" && last?["id"] == visits.last?["id"])
            await agent.finish()
        }
    }
}
