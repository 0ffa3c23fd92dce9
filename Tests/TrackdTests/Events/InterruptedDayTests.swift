import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A day whose agent ends in the middle of something: trips and stays under way are known afterwards.
@Suite(.timeLimit(.minutes(5))) struct InterruptedDayTests {
    private static func yaml(_ folder: String, _ more: String = "") -> String {
        """
        device: {id: van-7}
        sources: [{type: replay, path: "\(folder)/day.csv", speed: max}]
        store: {path: \(folder)/state, keepSyncedDays: 1, maxDaysToPersist: 0}
        \(more)
        \(RecordedDay.events)
        """
    }

    /// Half an hour at home, then on the way to the depot.
    private static func writeBeginning(in folder: String) throws -> (beginning: String, whole: String) {
        let whole = try String(contentsOfFile: RecordedDay.write(in: folder), encoding: .utf8)
        let lines = whole.split(separator: "\n")
        let beginning = lines.prefix(1 + 180 + 45).joined(separator: "\n") + "\n"
        try beginning.write(toFile: folder + "/day.csv", atomically: true, encoding: .utf8)
        return (beginning, whole)
    }

    private static func runToTheEnd(
        _ folder: String, _ yaml: String, _ body: (RunningAgent) async throws -> Void = { _ in }
    ) async throws {
        let agent = try RunningAgent(folder, yaml)
        await eventually("the file is read, trackd printed: \(agent.child.text)", within: .seconds(60)) {
            ((try? await agent.trackd("status"))?.text ?? "").contains("finished")
        }
        try await body(agent)
        agent.child.send(SIGKILL)
        _ = await agent.end()
    }

    private static func trips(_ folder: String) async throws -> [JSONValue] {
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), ["trips", "--json", "--config", folder + "/trackd.yaml"],
            environment: ["STATE_DIRECTORY": folder + "/state"])
        await eventually("trips ends", within: .seconds(20)) { child.exitCode != nil }
        return try child.text.split(separator: "\n").compactMap { try JSONValue.parse($0.utf8)["trip"] }
    }

    @Test func `a trip that nobody saw end is ended once, where it was last seen, when fixes come hours later`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let (beginning, _) = try Self.writeBeginning(in: folder)
            try await Self.runToTheEnd(folder, Self.yaml(folder))
            let open = try #require(try await Self.trips(folder).first)
            #expect(open["end"] == nil || open["end"] == .null)
            // Six hours later the van stands 20 km away.
            let later = (0..<60).map { step in
                "\(1_772_359_200 + 8 * 3600 + step * 10),\(RecordedDay.home.latitude + 0.18),10.0,5,0"
            }
            try (beginning + later.joined(separator: "\n") + "\n").write(
                toFile: folder + "/day.csv", atomically: true, encoding: .utf8)
            try await Self.runToTheEnd(folder, Self.yaml(folder))
            let trips = try await Self.trips(folder)
            let ended = try #require(trips.first)
            #expect(trips.count == 1 && ended["id"] == open["id"])
            let end = ended["end"]?["time"]?.string.flatMap { Timestamp(rfc3339: $0) }
            // The last fix of the beginning: half an hour and 44 fixes of ten seconds.
            #expect(end == Timestamp(secondsSince1970: 1_772_359_200 + 1800 + 440), "\(ended)")
            #expect((ended["distance"]?.number ?? 0) < 6_000, "the way that nobody saw is none of its")
        }
    }

    @Test func `a trip by hand goes on after a kill, under its id, until somebody ends it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let (_, whole) = try Self.writeBeginning(in: folder)
            try await Self.runToTheEnd(folder, Self.yaml(folder)) { agent in
                let started = try await agent.trackd("trip", "start", "--mode", "tram")
                #expect(started.status == 0, "\(started.text)")
            }
            let open = try #require(try await Self.trips(folder).last)
            #expect(open["mode"]?.string == "tram")
            try whole.write(toFile: folder + "/day.csv", atomically: true, encoding: .utf8)
            try await Self.runToTheEnd(folder, Self.yaml(folder)) { agent in
                let stopped = try await agent.trackd("trip", "stop")
                #expect(stopped.status == 0, "\(stopped.text)")
            }
            let trips = try await Self.trips(folder).filter { $0["mode"]?.string == "tram" }
            #expect(trips.count == 1 && trips.first?["id"] == open["id"], "\(trips)")
            // All of the rest of the day, over the stay at the depot.
            #expect((trips.first?["distance"]?.number ?? 0) > 12_000, "\(trips)")
        }
    }

    @Test func `a stay that lasts is in the list, in JSON and in the server's day`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            _ = try RecordedDay.write(in: folder)
            let port = try ReservedPort()
            let server = "sinks: [{type: server, directory: \(folder)/server, port: \(port.number)}]"
            try await Self.runToTheEnd(folder, Self.yaml(folder, server)) { agent in
                let text = try await agent.trackd("visits").text.split(separator: "\n")
                #expect(text.count == 3 && text.last?.contains("so far, Home") == true, "\(text)")
                let last = try #require(try await agent.trackd("visits", "--json").text.split(separator: "\n").last)
                let visit = try JSONValue.parse(last.utf8)["visit"]
                #expect(visit?["arrival"]?.string == "2026-03-01T11:30:00.000Z", "\(last)")
                #expect(visit?["departure"] == nil || visit?["departure"] == .null, "\(last)")
                let link = try await agent.trackd("device", "link").text
                let key = try #require(link.split(separator: "?key=").last).filter { !$0.isWhitespace }
                let target = "/api/day?device=van-7&from=1772359200&to=1772366400"
                await eventually("the server has it") {
                    let reply = await RawReply.to(
                        "GET", target, ["Authorization": "Bearer \(key)"], at: port.number)
                    let visits = (try? JSONValue.parse(reply.body.utf8))?["visits"]?.array
                    return visits?.count == 3 && visits?.last?["isOpen"] == .boolean(true)
                        && visits?.first?["isOpen"] == .boolean(false)
                }
            }
        }
    }
}
