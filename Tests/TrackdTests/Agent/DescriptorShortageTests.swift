import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineTestKit

/// An agent that has no descriptor left for a client.
@Suite struct DescriptorShortageTests {
    @Test func `clients without a descriptor wait for one, and cost no processor time`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await agent.prints("source simulated: receiving")
            let limit = try await leave(2, to: agent.child)
            try await MultiThreadedEventLoopGroup.withEventLoopGroup(numberOfThreads: 1) { loop in
                let path = folder + "/state/trackd.sock"
                var silent: [LineConnection] = []
                for _ in 0..<6 { silent.append(try await UnixSocket.connect(to: path, on: loop, longestLine: 16)) }
                await eventually("the agent has no descriptor left") { descriptors(of: agent.child) >= limit }
                let before = try processorTime(of: agent.child)
                try await Task.sleep(for: .seconds(2))  // paces what is measured
                // Trying again and again takes all that the machine gives; a fix a second takes hundredths.
                #expect(try processorTime(of: agent.child) - before < 0.2)
                for connection in silent { connection.close() }
            }
            await eventually("a client is served") {
                (try? await agent.trackd("status").status) == 0
            }
        }
    }

    /// Limits at which the event loop is what fails. Below them Dispatch itself may get no descriptor, and ends the
    /// process with a trap.
    @Test(arguments: [["run"], ["status"]], [9, 10])
    func `a program that gets no descriptor for its event loop says so and ends`(_ command: [String], _ limit: Int)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(RunningAgent.simulated, folder)
            let arguments = ["--nofile=\(limit)", TestEnvironment.builtProduct("trackd")] + command
            let child = try ChildProcess(
                "/usr/bin/prlimit", arguments + ["--config", folder + "/trackd.yaml"],
                environment: ["STATE_DIRECTORY": folder + "/state"])
            await eventually("it ends, it printed: \(child.text)") { child.exitCode != nil }
            #expect(child.exitCode == 1)
            expectMessage(child.text)
        }
    }

    /// Allows a process so many descriptors more than it has; returns how many that are.
    private func leave(_ count: Int, to child: ChildProcess) async throws -> Int {
        let limit = descriptors(of: child) + count
        let tool = try ChildProcess("/usr/bin/prlimit", ["--pid", "\(child.pid)", "--nofile=\(limit):\(limit)"])
        await eventually("the limit is set: \(tool.text)") { tool.exitCode == 0 }
        return limit
    }

    private func descriptors(of child: ChildProcess) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.pid)/fd").count) ?? 0  // it has ended
    }

    /// The seconds that a process has computed: the fields 14 and 15 of proc(5)'s `stat`, in hundredths.
    private func processorTime(of child: ChildProcess) throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(child.pid)/stat", encoding: .utf8)
        let fields = stat.drop { $0 != ")" }.split(separator: " ")
        return try [12, 13].reduce(0) { try $0 + #require(Double(fields[$1])) } / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
