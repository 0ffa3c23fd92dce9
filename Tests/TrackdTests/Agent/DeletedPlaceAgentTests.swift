import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// What waits for a server when somebody has it delete everything is never sent, whoever is killed meanwhile.
@Suite(.timeLimit(.minutes(30))) struct DeletedPlaceAgentTests {
    private static func yaml(_ folder: String, _ server: SharingServer) -> String {
        """
        sources: [{type: simulated, rate: 10}]
        tracking: {distanceFilter: 0}
        store: {path: \(folder)/state}
        sinks:
          - {type: miataru, name: here, url: "http://127.0.0.1:\(server.port.number)", history: true, syncThreshold: 1,
             backoff: {maximum: 1}}
        """
    }

    private static func sink(_ agent: RunningAgent) async -> JSONValue? {
        let text = (try? await agent.trackd("status", "--json").text) ?? ""
        return JSONValue(ifReadable: Array(text.utf8))?["sinks"]?.array?.first
    }

    /// Lets records wait behind a server that fails, and kills the agent.
    private func letRecordsWait(_ folder: String, _ server: SharingServer) async throws {
        server.state.withLock { $0.refused = Array(repeating: 503, count: 1000) }
        let agent = try RunningAgent(folder, Self.yaml(folder, server))
        await eventually("records wait, trackd printed: \(agent.child.text)", from: agent.child) {
            await Self.sink(agent)?["queued"]?.number ?? 0 >= 3
        }
        agent.child.send(SIGKILL)
        #expect(await agent.end() == -SIGKILL)
        server.state.withLock { ($0.refused, $0.calls) = ([], []) }
    }

    private func deletion(_ folder: String) throws -> ChildProcess {
        try ChildProcess(
            TestEnvironment.builtProduct("trackd"),
            ["miataru", "delete", "--yes", "--yes", "--sink", "here", "--config", folder + "/trackd.yaml"])
    }

    /// Runs an agent after a deletion at a moment, until new places come, and looks at all that came.
    private func expectNothingOlder(
        than moment: Int, _ folder: String, _ server: SharingServer
    ) async throws {
        let agent = try RunningAgent(folder, Self.yaml(folder, server))
        await eventually("new places come, trackd printed: \(agent.child.text)", from: agent.child) {
            server.state.withLock { $0.taken.count >= 3 }
        }
        let withheld = await Self.sink(agent)?["miataru"]?["withheld"]?.number ?? 0
        #expect(withheld >= 3)
        agent.child.send(SIGTERM)
        #expect(await agent.end() == 0, "\(agent.child.text)")
        let (taken, calls) = server.state.withLock { ($0.taken, $0.calls) }
        #expect(taken.allSatisfy { $0 >= moment }, "\(taken), deleted at \(moment)")
        #expect(calls.first == "DeleteLocation")
    }

    @Test func `what waited is not sent after a deletion while the agent was off`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let server = try SharingServer()
            try await letRecordsWait(folder, server)
            let moment = Int(Date().timeIntervalSince1970)
            let command = try deletion(folder)
            #expect(await command.exit() == 0, "\(command.text)")
            try await expectNothingOlder(than: moment, folder, server)
            server.stop()
        }
    }

    @Test(arguments: [false, true])
    func `nor after a command that was killed when it had asked the server`(_ isCarriedOut: Bool) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let server = try SharingServer()
            try await letRecordsWait(folder, server)
            let moment = Int(Date().timeIntervalSince1970)
            server.state.withLock { $0.unanswered = .init(call: 0, isCarriedOut: isCarriedOut) }
            let command = try deletion(folder)
            await eventually("the server is asked") { server.state.withLock { $0.isWaiting } }
            command.send(SIGKILL)
            #expect(await command.exit() == -SIGKILL)
            try await expectNothingOlder(than: moment, folder, server)
            #expect(server.state.withLock { $0.calls.filter { $0 == "DeleteLocation" }.count >= 2 }, "asked once more")
            server.stop()
        }
    }

    @Test func `nor where the agent runs on`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let server = try SharingServer()
            server.state.withLock { $0.refused = Array(repeating: 503, count: 1000) }
            let agent = try RunningAgent(folder, Self.yaml(folder, server))
            await eventually("records wait, trackd printed: \(agent.child.text)", from: agent.child) {
                await Self.sink(agent)?["queued"]?.number ?? 0 >= 3
            }
            let moment = Int(Date().timeIntervalSince1970)
            let command = try deletion(folder)
            #expect(await command.exit() != 0, "the server fails, and the moment is kept: \(command.text)")
            server.state.withLock { $0.refused = [] }
            await eventually(
                "new places come, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                server.state.withLock { $0.taken.count >= 3 }
            }
            #expect(server.state.withLock { $0.taken.allSatisfy { $0 >= moment } })
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            server.stop()
        }
    }
}
