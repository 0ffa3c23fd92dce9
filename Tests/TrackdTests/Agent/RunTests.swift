import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// The running program: how it starts, what it answers, how it ends.
@Suite struct RunTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a request to end is followed gracefully, with status 0`(_ signal: Int32) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await agent.prints("source simulated: receiving")
            agent.child.send(signal)
            #expect(await agent.end() == 0)
            #expect(agent.child.text.contains("stopped"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/state/trackd.sock"))
        }
    }

    @Test func `a second request ends at once, whatever the first one waits for`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            // A receiver that never answers holds the last sync up for a minute.
            let listener = try SilentListener()
            let yaml = """
                sources: [{type: simulated}]
                tracking: {flushTimeout: 60}
                sinks: [{type: overland, name: home, url: "http://127.0.0.1:\(listener.port)/", httpTimeout: 60000}]

                """
            let agent = try RunningAgent(folder, yaml)
            await agent.prints("source simulated: moving")
            agent.child.send(SIGTERM)
            try await eventually("the stop has begun") { try await agent.trackd("status").text.contains("stopping") }
            #expect(agent.child.isRunning)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 128 + SIGTERM)
        }
    }

    @Test func `with its store in memory it runs as ever and leaves nothing on the disk`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let memory = "device: {id: van-7}\nstore: {type: memory}\n"
            let agent = try RunningAgent(folder, RunningAgent.simulated + memory)
            await agent.prints("source simulated: receiving")
            #expect(try await agent.trackd("export", "--format", "ndjson").status == 0)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/state") == [])
            #expect(try await agent.trackd("export").status == 66)
        }
    }

    @Test func `without a configuration it says what it does`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, "")
            await agent.prints("records go to \(folder)/state\n")
            let text = agent.child.text
            #expect(
                text.contains("no gpsd on localhost:2947: a simulated vehicle drives instead")
                    || text.contains("gpsd answers"))
        }
    }

    @Test func `a second agent on the same store ends with 75 and leaves the first one alone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let first = try RunningAgent(folder, RunningAgent.simulated)
            await first.prints("source simulated: receiving")
            let sink = #"sinks: [{type: overland, name: home, url: "https://example.org/"}]"# + "\n"
            let second = try RunningAgent(folder, RunningAgent.simulated + sink)
            #expect(await second.end() == 75)
            #expect(try await first.trackd("status").status == 0)
        }
    }

    @Test func `a start waits for a command that has the store open`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let store = try await SQLiteFixStore.open(configuration: .init(directory: folder + "/state"))
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await agent.prints("the start waits for it")
            await store.close()
            await agent.prints("source simulated: receiving")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
        }
    }

    @Test func `a configuration that cannot be used ends with 78, and nothing is made`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, "tracking: {distanceFilter: near}\n")
            #expect(await agent.end() == 78)
            #expect(agent.child.text.contains("tracking.distanceFilter"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/state"))
        }
    }

    @Test func `a secret that cannot be had ends with 78, and no store is made`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let yaml =
                #"sinks: [{type: overland, name: home, url: "https://example.org/", token: {file: /nonexistent}}]"#
            let agent = try RunningAgent(folder, yaml + "\n")
            #expect(await agent.end() == 78)
            #expect(agent.child.text.contains("sinks.home.token = ***"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/state/track.sqlite"))
        }
    }

    @Test func `positions stay out of what it prints`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await agent.prints("source simulated: moving")
            agent.child.send(SIGTERM)
            _ = await agent.end()
            #expect(!agent.child.text.contains("52.5"))
        }
    }

    @Test func `SIGHUP applies what can change and names what needs a restart`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(folder, RunningAgent.simulated)
            await agent.prints("source simulated: receiving")
            try RunningAgent.write(
                "sources: [{type: simulated, rate: 2}]\ntracking: {distanceFilter: 50}\n", folder)
            agent.child.send(SIGHUP)
            await agent.prints("configuration applied keys=tracking.distanceFilter")
            await agent.prints("configuration needs a restart keys=sources.simulated.rate")
            try RunningAgent.write("tracking: {distanceFilter: far}\n", folder)
            agent.child.send(SIGHUP)
            await agent.prints("configuration not reloaded")
            #expect(agent.child.isRunning)
        }
    }

    @Test func `systemd is told of readiness, life, reload and stop`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let socket = try NotifySocket(path: folder + "/notify")
            var told: [String] = []
            func isTold(_ text: String) async {
                await eventually("systemd is told \(text)") {
                    told += socket.datagrams()
                    return told.contains { $0.contains(text) }
                }
            }
            let agent = try RunningAgent(
                folder, RunningAgent.simulated,
                environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "2000000"])
            await isTold("READY=1")
            await isTold("WATCHDOG=1")
            await isTold("STATUS=running: simulated receiving")
            agent.child.send(SIGHUP)
            await isTold("RELOADING=1\nMONOTONIC_USEC=")
            agent.child.send(SIGTERM)
            await isTold("STOPPING=1")
            #expect(await agent.end() == 0)
        }
    }
}

/// Takes connections and never says anything.
private final class SilentListener: Sendable {
    var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let descriptor: Int32

    init() throws {
        reserved = try ReservedPort()
        descriptor = try LoopbackSocket.listen(at: .ipv4(reserved.number), backlog: 16)
    }

    deinit { close(descriptor) }
}
