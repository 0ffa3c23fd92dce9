import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The commands that talk to a running agent.
@Suite struct ControlCommandTests {
    @Test func `status for people and for programs`() async throws {
        try await withAgent { agent in
            let table = try await agent.trackd("status")
            #expect(table.status == 0)
            #expect(table.text.contains("simulated     receiving"))
            #expect(!table.text.contains("\u{1b}"), "no colours where no terminal is")
            let json = try await agent.trackd("status", "--json")
            let status = try JSONValue.parse(json.text.utf8)
            #expect(status["state"]?.string == "running")
            #expect(status["sources"]?.array?.first?["id"]?.string == "simulated")
            #expect(status["sources"]?.array?.first?["odometer"]?.number ?? -1 >= 0)
            #expect(status["store"]?["records"]?.number ?? 0 >= 1)
        }
    }

    @Test func `export of a running agent, and of its store once it has ended`() async throws {
        try await withAgent { agent in
            let running = try await agent.trackd("export", "--format", "ndjson")
            #expect(running.status == 0)
            #expect(running.text.hasPrefix(#"{"id":""#))
            agent.child.send(SIGTERM)
            _ = await agent.end()
            let ended = try await agent.trackd("export", "--format", "ndjson")
            #expect(ended.status == 0)
            #expect(ended.text.hasPrefix(running.text))
        }
    }

    @Test func `an export goes into a file that only its owner can read`() async throws {
        try await withAgent { agent in
            let path = agent.folder + "/track.gpx"
            #expect(try await agent.trackd("export", "--output", path).status == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("</gpx>\n"))
        }
    }

    @Test func `clear asks for yes, then removes every record`() async throws {
        try await withAgent { agent in
            #expect(try await agent.trackd("clear").status == 64)
            let cleared = try await agent.trackd("clear", "--yes")
            #expect(cleared.status == 0)
            #expect(cleared.text.wholeMatch(of: /(1 record|[0-9]+ records) removed\n/) != nil, "\(cleared.text)")
        }
    }

    @Test func `sync without a sink has nothing to do; no dead letters are listed`() async throws {
        try await withAgent { agent in
            #expect(try await agent.trackd("sync").status == 0)
            let dead = try await agent.trackd("dead", "list")
            #expect(dead.status == 0 && dead.text.isEmpty)
            #expect(try await agent.trackd("dead", "drop", "--all").text == "0 dropped\n")
            #expect(try await agent.trackd("dead", "drop").status == 64)
        }
    }

    @Test(arguments: [["list"], ["requeue"], ["drop"]])
    func `a sink that the agent does not have is an error with the nearest that it has`(_ verb: [String]) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let sink = #"sinks: [{type: overland, name: home, url: "http://127.0.0.1:9/"}]"# + "\n"
            let agent = try RunningAgent(folder, RunningAgent.simulated + sink)
            await agent.prints("source simulated: receiving")
            let near = try await agent.trackd("dead", verb[0], "--sink", "hoem")
            #expect(near.status == 64)
            expectMessage(near.text, begin: "\"hoem\"", as: "a sink whose name is near")
            let far = try await agent.trackd("dead", verb[0], "--sink", "elsewhere")
            expectMessage(far.text, begin: "\"elsewhere\"", as: "a sink whose name is far")
            #expect(try await agent.trackd("dead", verb[0], "--sink", "home").status == 0)
        }
    }

    @Test(arguments: [["status"], ["sync"], ["clear", "--yes"], ["dead", "list"], ["dead", "requeue", "--all"]])
    func `where no agent runs, the status is 69 and the message says so`(_ arguments: [String]) async throws {
        let child = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), arguments + ["--socket", "/nonexistent/trackd.sock"])
        await eventually("it ends") { child.exitCode != nil }
        #expect(child.exitCode == 69)
        expectMessage(child.text)
    }

    @Test func `an agent whose control socket another one has says that and nothing else`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            chmod(folder, 0o700)
            let yaml = RunningAgent.simulated + "store: {type: memory}\ncontrol: {socket: \(folder)/trackd.sock}\n"
            let first = try RunningAgent(folder, yaml)
            await first.prints("source simulated: receiving")
            let second = try RunningAgent(folder, yaml)
            #expect(await second.end() == 75)
            let message = "another agent answers at \(folder)/trackd.sock: Address already in use\n"
            #expect(second.child.text == message)
            #expect(try await first.trackd("status").status == 0)
        }
    }

    private func withAgent(_ body: (RunningAgent) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await agent.prints("source simulated: moving")
            try await body(agent)
        }
    }
}
