import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// A request to reload that comes while the agent is starting.
@Suite struct EarlyHangupTests {
    /// A pipe as configuration stops the start at a known place: before the agent has read anything.
    @Test func `SIGHUP during the start is a reload afterwards`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let pipe = folder + "/trackd.yaml"
            try #require(mkfifo(pipe, 0o600) == 0)
            let agent = try ChildProcess(
                TestEnvironment.builtProduct("trackd"), ["run", "--config", pipe],
                environment: ["STATE_DIRECTORY": folder + "/state"])
            let first = try await NamedPipe.writer(pipe)
            for _ in 0..<20 { agent.send(SIGHUP) }
            Self.write("sources: [{type: simulated}]\n", to: first)
            await eventually("the agent runs, it printed: \(agent.text)", from: agent) {
                agent.text.contains("source simulated: receiving")
            }
            let second = try await NamedPipe.writer(pipe)
            Self.write("sources: [{type: simulated}]\ntracking: {distanceFilter: 50}\n", to: second)
            await eventually("the reload is made, it printed: \(agent.text)", from: agent) {
                agent.text.contains("configuration applied keys=tracking.distanceFilter")
            }
            agent.send(SIGTERM)
            await eventually("trackd ends") { agent.exitCode != nil }
            #expect(agent.exitCode == 0)
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(Foundation.write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
    }
}
