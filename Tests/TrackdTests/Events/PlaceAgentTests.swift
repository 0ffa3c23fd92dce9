import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// Places that are added, and visits that are put right, through commands.
@Suite(.timeLimit(.minutes(30))) struct PlaceAgentTests {
    private static let events = """
        events: {visits: true, trips: true}
        log: {level: warning}
        """

    private static func day(_ folder: String, _ store: String = "") throws -> String {
        """
        device: {id: van-7}
        sources: [{type: replay, path: "\(try RecordedDay.write(in: folder))", speed: max}]
        store: {path: \(folder)/state\(store)}
        \(events)
        """
    }

    /// Runs the day to its end.
    private func run(_ folder: String, _ yaml: String) async throws {
        let agent = try RunningAgent(folder, yaml)
        await eventually("the day is over, trackd printed: \(agent.child.text)", from: agent.child) {
            ((try? await agent.trackd("status"))?.text ?? "").contains("finished")
        }
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
    }

    private func trackd(_ folder: String, _ arguments: String...) async throws -> (status: Int32?, text: String) {
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + ["--config", folder + "/trackd.yaml"],
            environment: ["STATE_DIRECTORY": folder + "/state"])
        await eventually("\(arguments) ends") { child.exitCode != nil }
        return (child.exitCode, child.text)
    }

    private static let depot = "\(RecordedDay.depot.latitude),10.0"

    @Test func `a place that was added before the agent ran names the visits and has transitions`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(Self.day(folder), folder)
            #expect(
                try await trackd(folder, "place", "add", "Depot", "--at", Self.depot, "--radius", "200").status == 0)
            try await run(folder, Self.day(folder))
            #expect(try await trackd(folder, "visits").text.contains("30 min, Depot  "))
            let transitions = try await trackd(folder, "export", "--kind", "transition", "--format", "ndjson").text
            #expect(
                transitions.contains(#""event":"enter""#) && transitions.contains(#""event":"leave""#), "\(transitions)"
            )
            expectMessage(try await trackd(folder, "places").text)
        }
    }

    @Test func `a running agent takes a place where the object is, changes it, and removes it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await eventually(
                "the agent has a place, it printed: \(agent.child.text)", from: agent.child
            ) {
                (try? await agent.trackd("place", "add", "Here", "--here"))?.text == "Here is added\n"
            }
            #expect(
                try await agent.trackd("place", "add", "Here", "--here", "--radius", "70").text == "Here is changed\n")
            expectMessage(try await agent.trackd("place", "list").text, begin: "Here", as: "a place that was added")
            let unknown = try await agent.trackd("place", "remove", "Ther")
            #expect(unknown.status == 1)
            expectMessage(unknown.text, as: "a place that was not added")
            #expect(try await agent.trackd("place", "remove", "Here").text == "removed\n")
            expectMessage(try await agent.trackd("places").text, as: "no places")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `a running agent lists as many places as there are`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            // Rings of so many corners that their list does not fit into one line of an answer.
            let features = (0..<400).map { number in
                let corners = (0...150).map { corner in
                    let angle = Double(corner % 150) / 75 * .pi
                    return "[\(Double(number) / 100 + cos(angle) / 1000),\(sin(angle) / 1000)]"
                }
                return """
                    {"type":"Feature","id":"place-\(number)","geometry":{"type":"Polygon","coordinates":\
                    [[\(corners.joined(separator: ","))]]},"properties":{"name":"\(number)"}}
                    """
            }
            let collection = #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
            try Data(collection.utf8).write(to: URL(fileURLWithPath: folder + "/many.geojson"))
            let yaml = RunningAgent.simulated + "events: {placeFiles: [\(folder)/many.geojson]}\n"
            let agent = try RunningAgent(folder, yaml)
            await eventually("the agent is there, it printed: \(agent.child.text)", from: agent.child) {
                ((try? await agent.trackd("status"))?.text ?? "").contains("running")
            }
            #expect(try await agent.trackd("places").text.split(separator: "\n").count == 400)
            let list = try await agent.trackd("places", "--json").text
            #expect(list.utf8.count > ControlReplyLine.longestLine)
            #expect(try JSONValue.parse(list.utf8)["features"]?.array?.count == 400)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `an agent that is killed has the places that it confirmed, and the next one is told of no arrival`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await eventually(
                "the agent has a place, it printed: \(agent.child.text)", from: agent.child
            ) {
                (try? await agent.trackd("place", "add", "Here", "--here", "--radius", "900000"))?.status == 0
            }
            agent.child.send(SIGKILL)
            _ = await agent.end()
            expectMessage(try await trackd(folder, "places").text)
            let next = try RunningAgent(folder, RunningAgent.simulated)
            // It has recorded fixes in the place, so that there would be something to tell.
            await next.prints("source simulated: moving")
            #expect(try await next.trackd("places").text.contains("Here"))
            next.child.send(SIGTERM)
            #expect(await next.end() == 0, "\(next.child.text)")
            #expect(try await trackd(folder, "export", "--kind", "transition", "--format", "ndjson").text.isEmpty)
        }
    }

    @Test func `beside an encrypted store nothing of a place or a correction can be read`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let key = folder + "/key"
            let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedData()
            #expect(
                FileManager.default.createFile(atPath: key, contents: bytes, attributes: [.posixPermissions: 0o600]))
            let yaml = try Self.day(folder, ", encryption: {key: {file: \(key)}}")
            try await run(folder, yaml)
            #expect(
                try await trackd(folder, "place", "add", "Harrow Cottage", "--at", Self.depot).status == 0)
            let visit = try #require(try await trackd(folder, "visits").text.split(separator: "\n").first)
            let mark = try #require(visit.split(separator: " ").last)
            let renamed = try await trackd(folder, "visits", "rename", String(mark), "Quinta Verde")
            #expect(renamed.status == 0 && renamed.text.contains("Quinta Verde"), "\(renamed.text)")
            var seen = 0
            for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/state") {
                guard let content = FileManager.default.contents(atPath: "\(folder)/state/\(name)") else { continue }
                seen += 1
                #expect(content.range(of: Data("Harrow".utf8)) == nil, "\(name)")
                #expect(content.range(of: Data("Quinta".utf8)) == nil, "\(name)")
            }
            #expect(seen >= 3)
            #expect(try await trackd(folder, "visits").text.contains("Quinta Verde"))
            #expect(try await trackd(folder, "places").text.contains("Harrow Cottage"))
        }
    }

    @Test func `what is put right stays so when the track is looked through again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await run(folder, Self.day(folder))
            let trips = try await trackd(folder, "trips").text.split(separator: "\n")
            let visits = try await trackd(folder, "visits").text.split(separator: "\n")
            #expect(trips.count == 2 && visits.count == 3)
            let marks = trips.map { String($0.suffix(8)) }
            guard trips.count == 2, visits.count == 3 else { return }
            let stay = String(visits[1].suffix(8))
            let outside = try await trackd(folder, "visits", "split", stay, "--at", "2027-06-01T18:40:00Z")
            #expect(
                outside.status == 64 && outside.text.contains("within the visit, between 2026-03-01T"),
                "\(outside.text)")
            let backwards = try await trackd(folder, "trips", "merge", marks[1], marks[0])
            #expect(backwards.status == 64 && backwards.text.contains("begins later"), "\(backwards.text)")
            #expect(try await trackd(folder, "visits", "rename", stay, "Yard").text.contains("30 min, Yard"))
            for _ in 0..<2 {
                #expect(try await trackd(folder, "trips", "mode", marks[0], "bus").text.contains(", bus, "))
            }
            let split = try await trackd(folder, "trips", "split", marks[1], "--at", "2026-03-01T11:20:00Z")
            #expect(split.text.split(separator: "\n").count == 2, "\(split.text)")
            #expect(try await trackd(folder, "visits", "reject", String(visits[2].suffix(8))).status == 0)
            let shown = try await trackd(folder, "trips").text + trackd(folder, "visits").text

            // The same day in a new store, with the corrections of before.
            for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/state")
            where name != "corrections.json" {
                try FileManager.default.removeItem(atPath: "\(folder)/state/\(name)")
            }
            try await run(folder, Self.day(folder))
            let again = try await trackd(folder, "trips").text + trackd(folder, "visits").text
            #expect(again == shown)
            let undone = try await trackd(folder, "visits", "undo", stay)
            #expect(undone.status == 0 && undone.text.contains("at no named place"))
            #expect(try await trackd(folder, "trips", "undo", marks[1]).status == 0)
            let back = try await trackd(folder, "visits", "undo", String(visits[2].suffix(8)))
            #expect(back.status == 0 && back.text.contains(visits[2].suffix(8)), "\(back.text)")
            let joined = try await trackd(folder, "trips", "merge", marks[0], marks[1])
            #expect(joined.text.contains("1 h 00 min, 18 km, bus"), "\(joined.text)")
            let lines = joined.text.split(separator: "\n")
            #expect(try await trackd(folder, "trips").text == lines[0] + "\n")
            // The stay between the two, which is in no list any more.
            #expect(lines.count == 2 && lines[1].hasPrefix("with it goes the visit 2026-03-01 "), "\(joined.text)")
            #expect(lines.last?.hasSuffix(stay) == true, "\(joined.text)")
        }
    }

    @Test(arguments: [
        (["place", "add", "X"], "--here"),
        (["place", "add", "X", "--at", "91,0"], "--at"),
        (["place", "add", "X", "--at", "1,1", "--radius", "0"], "radius"),
        (["place", "add", "", "--at", "1,1"], "expected"),
        (["place", "add", "X", "--here"], "no agent runs"),
        (["visits", "rename", "ABC", "x"], "ABC"),
        (["trips", "mode", "ABCD", "hoover"], "hoover"),
    ])
    func `a command that cannot be carried out says what was expected`(_ arguments: [String], _ text: String)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(Self.day(folder), folder)
            if arguments[0] != "place" { try await run(folder, Self.day(folder)) }
            let child = try ChildProcess(
                TestEnvironment.builtProduct("trackd"), arguments + ["--config", folder + "/trackd.yaml"],
                environment: ["STATE_DIRECTORY": folder + "/state"])
            await eventually("\(arguments) ends") { child.exitCode != nil }
            #expect(child.exitCode != 0)
            expectMessage(
                child.text.line(with: text), as: arguments.joined(separator: " "), replacing: [folder: "FOLDER"])
        }
    }
}
