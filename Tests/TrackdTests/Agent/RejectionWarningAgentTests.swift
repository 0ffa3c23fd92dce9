import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd run` says that nothing is recorded, and why.
@Suite(.timeLimit(.minutes(30))) struct RejectionWarningAgentTests {
    @Test func `fixes that are all too inaccurate are one warning after a minute, and in the status`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(
                folder, "sources: [{type: simulated}]\ntracking: {minimumAccuracy: 0.001}\n")
            let warning = "every fix is refused: inaccurate: look at the antenna"
            await eventually("it warns, it printed: \(agent.child.text)", from: agent.child) {
                agent.child.text.contains(warning)
            }
            #expect(try await agent.trackd("status").text.contains("every fix is refused for"))
            let status = try JSONValue.parse(try await agent.trackd("status", "--json").text.utf8)
            let source = status["sources"]?.array?.first
            #expect(source?["allRefused"]?["reason"]?.string == "inaccurate" && source?["recorded"]?.number == 0)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            #expect(agent.child.text.ranges(of: warning).count == 1)
        }
    }
}
