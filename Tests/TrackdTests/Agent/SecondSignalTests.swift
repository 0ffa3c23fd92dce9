import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// A request to end that finds the agent unable to end.
@Suite struct SecondSignalTests {
    /// The agent reads its configuration again, from a pipe into which nobody writes: a task is in a system call that does
    /// not return, and the graceful end waits for it.
    @Test func `a second signal ends an agent whose end waits for a call that does not return`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let pipe = folder + "/trackd.yaml"
            try #require(mkfifo(pipe, 0o600) == 0)
            let agent = try ChildProcess(
                TestEnvironment.builtProduct("trackd"), ["run", "--config", pipe],
                environment: ["STATE_DIRECTORY": folder + "/state"])
            let first = try await NamedPipe.writer(pipe)
            try FileHandle(fileDescriptor: first, closeOnDealloc: true).write(
                contentsOf: Data("sources: [{type: simulated}]\n".utf8))
            await eventually("the agent runs, it printed: \(agent.text)", from: agent) {
                agent.text.contains("source simulated: receiving")
            }
            agent.send(SIGHUP)
            let silent = try await NamedPipe.writer(pipe)  // from now on the agent waits for what is written
            defer { close(silent) }
            agent.send(SIGTERM)
            #expect(agent.isRunning)
            agent.send(SIGINT)
            await eventually("the agent ends") { agent.exitCode != nil }
            // Whichever of the two was the second.
            #expect([128 + SIGTERM, 128 + SIGINT].contains(agent.exitCode))
        }
    }
}
