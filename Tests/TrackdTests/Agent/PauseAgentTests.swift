import Foundation
import TestSupport
import Testing
import TortureKit
import TrackEngine
import TrackEngineTestKit

/// `trackd pause` and `trackd resume` with real processes.
@Suite(.timeLimit(.minutes(30))) struct PauseAgentTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory(body)
    }

    private func start(_ folder: String) async throws -> RunningAgent {
        try RunningAgent(folder, RunningAgent.simulated + "sinks: [{type: file, directory: \(folder)/out}]\n")
    }

    private func status(_ agent: RunningAgent) async throws -> JSONValue {
        try JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
    }

    @Test func `a running agent pauses, says so everywhere, and resumes`() async throws {
        try await withFolder { folder in
            let agent = try await start(folder)
            await agent.prints("source simulated: moving")
            let paused = try await agent.trackd("pause", "2h")
            #expect(paused.status == 0)
            #expect(paused.text.wholeMatch(of: /paused until [-0-9T:.]+Z: no tracking or sending\n/) != nil)
            await agent.prints("tracking: paused until ")
            let before = try await status(agent)
            #expect(before["pause"]?["until"]?.string != nil)
            #expect(before["sources"]?.array?.first?["latest"] == nil)
            #expect(try await agent.trackd("status").text.contains("no tracking or sending"))
            let sync = try await agent.trackd("sync")
            #expect(sync.status == 1)
            #expect(sync.text.contains(": no sending"))
            await eventually("fixes are dropped") {
                let now = try? await status(agent)
                return now?["sources"]?.array?.first?["rejected"]?["paused"]?.number ?? 0 > 1
            }
            #expect(try await status(agent)["store"]?["lastSequence"] == before["store"]?["lastSequence"])
            #expect(try await agent.trackd("resume").text == "resumed\n")
            #expect(!FileManager.default.fileExists(atPath: folder + "/state/pause"))
            await agent.prints("tracking: resumed")
            expectMessage(try await agent.trackd("resume").text)
            await eventually("it tracks") {
                (try? await status(agent))?["sources"]?.array?.first?["causes"]?["resumed"]?.number == 1
            }
        }
    }

    @Test func `a pause outlives a kill and a restart`() async throws {
        try await withFolder { folder in
            let first = try await start(folder)
            await first.prints("source simulated: moving")
            expectMessage(try await first.trackd("pause").text)
            first.child.send(SIGKILL)
            _ = await first.end()
            let second = try await start(folder)
            await second.prints("tracking: paused until it is resumed")
            #expect(try await status(second)["sources"]?.array?.first?["recorded"]?.number == 0)
            #expect(try await second.trackd("resume").status == 0)
            await eventually("the new leg begins") {
                (try? await status(second))?["sources"]?.array?.first?["causes"]?["resumed"]?.number == 1
            }
        }
    }

    @Test func `where no agent runs the file is written, and says so`() async throws {
        try await withFolder { folder in
            let agent = try await start(folder)
            await agent.prints("source simulated: moving")
            agent.child.send(SIGTERM)
            _ = await agent.end()
            #expect(
                try await agent.trackd("pause", "1d").text == "no agent runs; one that starts is paused for 1 day\n")
            let path = folder + "/state/pause"
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let paused = try await start(folder)
            await paused.prints("tracking: paused until ")
            paused.child.send(SIGTERM)
            _ = await paused.end()
            expectMessage(try await agent.trackd("resume").text)
            let resumed = try await start(folder)
            await resumed.prints("source simulated: moving")
            #expect(try await status(resumed)["pause"] == nil)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try await status(resumed)["sources"]?.array?.first?["causes"]?["resumed"]?.number == 1)
        }
    }

    @Test(arguments: ["0", "59s", "31d", "2 h", "-1h", "tomorrow", "1e3"])
    func `a duration that is none says what was expected`(_ text: String) async throws {
        let child = try ChildProcess(TestEnvironment.builtProduct("trackd"), ["pause", "--", text])
        await eventually("it ends") { child.exitCode != nil }
        #expect(child.exitCode == 64)
        expectMessage(child.text.line(with: text), as: "a pause of \(text)")
    }

    @Test func `a file that holds no pause keeps the agent paused until it is resumed`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try Data("not a pause".utf8).write(to: URL(fileURLWithPath: folder + "/state/pause"))
            let agent = try await start(folder)
            await agent.prints("tracking: paused until it is resumed")
            #expect(try await agent.trackd("resume").text == "resumed\n")
            await agent.prints("source simulated: moving")
        }
    }

    /// Kills an agent at a change of its files from the moment on at which somebody pauses or resumes it; returns whether there
    /// were so many changes. What the command confirmed holds afterwards, and the next one works.
    private func kill(at change: Int, isPausing: Bool, _ bench: TortureBench) async throws -> Bool {
        try await TestEnvironment.withTemporaryDirectory { folder in
            // Without a source nothing else changes a file.
            let yaml = "sources: []\nsinks: [{type: file, directory: \(folder)/out}]\n"
            let first = try RunningAgent(
                folder, yaml,
                environment: [
                    "LD_PRELOAD": bench.shim, "TORTURE_DIR": folder + "/state", "TORTURE_START": folder + "/start",
                    "TORTURE_FAULT": "kill:\(change):1",
                ])
            await eventually("it runs, trackd printed: \(first.child.text)", from: first.child) {
                (try? await first.trackd("status").status) == 0
            }
            if !isPausing { #expect(try await first.trackd("pause").status == 0) }
            #expect(FileManager.default.createFile(atPath: folder + "/start", contents: nil))
            let command = try await first.trackd(isPausing ? "pause" : "resume")
            let wasKilled = command.status != 0
            if !wasKilled { first.child.send(SIGKILL) }
            #expect(await first.end() == -SIGKILL)
            let second = try RunningAgent(folder, yaml)
            await eventually(
                "it runs again, trackd printed: \(second.child.text)", from: second.child
            ) {
                (try? await second.trackd("status").status) == 0
            }
            let isPaused = try await status(second)["pause"] != nil
            #expect(wasKilled || isPaused == isPausing, "\(command.text)")
            for (next, expected) in [("pause", true), ("resume", false)] {
                #expect(try await second.trackd(next).status == 0, "\(next) after a kill at change \(change)")
                #expect(try await (status(second)["pause"] != nil) == expected)
            }
            second.child.send(SIGTERM)
            #expect(await second.end() == 0)
            return wasKilled
        }
    }

    @Test(arguments: [true, false])
    func `killed at any change of a pause or a resume, what was confirmed holds`(_ isPausing: Bool) async throws {
        try await TortureBench.with(seed: 1, program: "") { bench in
            var change = 1
            while try await kill(at: change, isPausing: isPausing, bench), change < 50 { change += 1 }
            // A pause is a file, its bytes, their sync, its name and the folder's sync; a resume removes it.
            #expect(change > (isPausing ? 4 : 1) && change < 50)
        }
    }
}
