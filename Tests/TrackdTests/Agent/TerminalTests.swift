import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// The running program and whoever looks at it: a terminal, a pipe, a program that reads JSON.
@Suite(.timeLimit(.minutes(30))) struct TerminalTests {
    private static let failing = """
        sources: [{type: simulated}]
        tracking: {distanceFilter: 0}
        sinks: [{type: overland, name: home, url: "http://127.0.0.1:1/", syncThreshold: 1}]

        """

    @Test func `with log.format json every line is a JSON object, and a failing sink is a warning`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, Self.failing + "log: {format: json}\n")
            await agent.prints(#""state":"backing off""#)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            let lines = try agent.child.text.split(separator: "\n").map { try JSONValue.parse($0.utf8) }
            #expect(lines.allSatisfy { $0["level"]?.string != nil && $0["message"]?.string != nil })
            let failure = try #require(lines.first { $0["state"]?.string == "backing off" })
            #expect(failure["level"]?.string == "warning" && failure["sink"]?.string == "home")
        }
    }

    @Test(arguments: [
        "tracking: {distanceFilter: near}\nlog: {format: json}", "log: {format: json}\nsources: [",
        "store: {path: /dev/null}\nlog: {format: json}", "x: 1\nlog: {format: json, level: loud}",
        "log: {format: json}\nsinks: [{type: overland, url: 'https://x', token: {file: /nonexistent}}]",
    ])
    func `with log.format json each reason not to start is a JSON object on standard error`(_ yaml: String) async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            // What no reader can make out of a broken file stands in the environment.
            let agent = try RunningAgent(folder, yaml, environment: ["TRACKD_LOG_FORMAT": "json"])
            #expect(await agent.end() == 78)
            let lines = try agent.child.text.split(separator: "\n").map { try JSONValue.parse($0.utf8) }
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(line["level"]?.string == "error")
                expectMessage(line["message"]?.string)
                #expect(line["problem"]?.string?.contains("expected ") == true, "\(line)")
            }
        }
    }

    @Test func `with log.format json a file that is missing and a store that is taken are JSON objects`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let missing = try self.shell("TRACKD_LOG_FORMAT=json trackd run --config missing; echo $?", folder)
            await eventually("it ends") { missing.exitCode != nil }
            let parts = missing.text.split(separator: "\n")
            #expect(parts.last == "78")
            expectMessage(try JSONValue.parse(parts[0].utf8)["problem"]?.string, begin: "missing")

            let yaml = RunningAgent.simulated + "log: {format: json}\n"
            let first = try RunningAgent(folder, yaml)
            await first.prints("agent started")
            let second = try RunningAgent(folder, yaml)
            #expect(await second.end() == 75)
            let lines = try second.child.text.split(separator: "\n").map { try JSONValue.parse($0.utf8) }
            #expect(lines.last?["message"]?.string == "cannot start" && lines.last?["error"]?.string != nil)
        }
    }

    @Test func `an agent whose reader has gone ends, with status 0`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(RunningAgent.simulated, folder)
            let shell = try self.shell(
                "trackd run --config trackd.yaml | head -n 1; echo status ${PIPESTATUS[0]}", folder)
            await eventually("it ends") { shell.exitCode != nil }
            #expect(shell.text.hasSuffix("status 0\n"), "\(shell.text)")
        }
    }

    @Test func `an agent that systemd runs goes on without a reader`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(RunningAgent.simulated, folder)
            let program = TestEnvironment.builtProduct("trackd")
            let run = "{ echo $BASHPID > pid; exec '\(program)' run --config trackd.yaml; } | head -n 1"
            let shell = try self.shell(
                run + "; echo status ${PIPESTATUS[0]}", folder, environment: ["NOTIFY_SOCKET": folder + "/nobody"])
            await eventually("it listens") {
                FileManager.default.fileExists(atPath: folder + "/state/trackd.sock")
            }
            for _ in 0..<5 {
                let status = try self.shell("trackd status --config trackd.yaml > /dev/null; echo $?", folder)
                await eventually("status ends") { status.exitCode != nil }
                #expect(status.text == "0\n")
            }
            let pid = try String(contentsOfFile: folder + "/pid", encoding: .utf8).split(separator: "\n")[0]
            kill(try #require(pid_t(pid)), SIGTERM)
            await eventually("it ends") { shell.exitCode != nil }
            #expect(shell.text.hasSuffix("status 0\n"), "\(shell.text)")
        }
    }

    @Test func `closing the terminal ends the agent`() async throws {
        try await onTerminal(kind: "xterm") { terminal in
            await eventually("the frame is drawn, with escape sequences: \(terminal.text)") {
                terminal.text.contains("simulated") && terminal.text.contains("\u{1b}[K")
            }
            try hangUp(terminal)
            await eventually("the agent ends") { terminal.exitCode != nil }
            #expect(terminal.exitCode == 0)
        }
    }

    @Test func `a dumb terminal gets lines, without escape sequences`() async throws {
        try await onTerminal(kind: "dumb") { terminal in
            await eventually("a line") { terminal.text.contains("source simulated: receiving") }
            try hangUp(terminal)
            await eventually("the agent ends") { terminal.exitCode != nil }
            #expect(!terminal.text.contains("\u{1b}"))
        }
    }

    /// Runs an agent on a terminal of script(1), which prints its pid first.
    private func onTerminal(kind: String, _ body: (ChildProcess) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(RunningAgent.simulated, folder)
            let program = TestEnvironment.builtProduct("trackd")
            let command = "echo pid=$$; exec '\(program)' run --config trackd.yaml"
            let terminal = try ChildProcess(
                "/usr/bin/script", ["-qfec", command, "/dev/null"],
                environment: ["TERM": kind, "STATE_DIRECTORY": folder + "/state", "SHELL": "/bin/sh"], directory: folder
            )
            try await body(terminal)
        }
    }

    /// What the kernel does to the processes of a terminal that is closed.
    private func hangUp(_ terminal: ChildProcess) throws {
        let match = try #require(terminal.text.firstMatch(of: /pid=([0-9]+)/))
        kill(try #require(pid_t(match.output.1)), SIGHUP)
    }

    private func shell(_ line: String, _ folder: String, environment: [String: String] = [:]) throws -> ChildProcess {
        let program = TestEnvironment.builtProduct("trackd")
        return try ChildProcess(
            "/bin/bash", ["-c", "trackd() { '\(program)' \"$@\"; }; " + line],
            environment: environment.merging(["STATE_DIRECTORY": folder + "/state"]) { first, _ in first },
            directory: folder)
    }
}
