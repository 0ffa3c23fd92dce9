import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// A running agent whose store cannot write any more.
@Suite(.timeLimit(.minutes(30))) struct UnwritableStoreTests {
    /// The simulated vehicle makes a record of each fix, ten a second.
    private static func yaml(_ rule: String) -> String {
        """
        sources: [{type: simulated, rate: 10}]
        tracking: {record: \(rule), distanceFilter: 0, flushTimeout: 2}
        sinks: [{type: overland, name: home, url: "http://127.0.0.1:1/", syncThreshold: 1}]

        """
    }

    @Test(arguments: ["distance", "deviation"], [false, true])
    func `a request to end is followed, also after one to reload`(_ rule: String, _ reloads: Bool) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try ignoringFileSize(folder, Self.yaml(rule))
            await eventually("it moves: \(agent.text)") { agent.text.contains("source simulated: moving") }
            try await forbidGrowth(of: agent)
            await eventually("the store fails: \(agent.text)") {
                agent.text.contains("cannot store")
            }
            if reloads {
                agent.send(SIGHUP)
                try RunningAgent.write(Self.yaml(rule) + "log: {level: debug}\n", folder)
            }
            let begin = ContinuousClock.now
            agent.send(SIGTERM)
            await eventually("the agent ends: \(agent.text)") { agent.exitCode != nil }
            #expect(agent.exitCode == 0, "\(agent.text)")
            // The time for the last sync, and patience with a busy machine: it had been without end.
            #expect(ContinuousClock.now - begin < .seconds(900))
        }
    }

    /// Starts an agent that outlives the signal for files that grow too large: its writes fail instead.
    private func ignoringFileSize(_ folder: String, _ yaml: String) throws -> ChildProcess {
        try RunningAgent.write(yaml, folder)
        let program = TestEnvironment.builtProduct("trackd")
        return try ChildProcess(
            "/bin/bash", ["-c", "trap '' XFSZ; exec '\(program)' run --config trackd.yaml"],
            environment: ["STATE_DIRECTORY": folder + "/state"], directory: folder)
    }

    /// From now on no write of the agent beyond the first byte of a file succeeds (EFBIG). It needs no other user and no
    /// mount.
    private func forbidGrowth(of agent: ChildProcess) async throws {
        let limiter = try ChildProcess("/usr/bin/prlimit", ["--pid", "\(agent.pid)", "--fsize=1"])
        await eventually("the limit is set: \(limiter.text)") { limiter.exitCode != nil }
        #expect(limiter.exitCode == 0, "\(limiter.text)")
    }
}
