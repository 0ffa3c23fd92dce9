import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd` with a server.
@Suite(.timeLimit(.minutes(30))) struct ServerAgentTests {
    static func yaml(_ folder: String, _ port: ReservedPort) -> String {
        """
        device: {id: van-7}
        sources: [{type: simulated, rate: 5}]
        tracking: {distanceFilter: 0}
        store: {path: \(folder)/state}
        sinks: [{type: server, directory: \(folder)/server, port: \(port.number), syncThreshold: 1}]
        """
    }

    /// The key in the link that the agent's command prints.
    private static func key(of agent: RunningAgent) async throws -> String {
        let link = try await agent.trackd("device", "link", "--key")
        #expect(link.status == 0, "\(link.text)")
        let key = try #require(link.text.split(separator: "?key=").last)
        return key.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func reply(_ target: String, _ key: String, at port: ReservedPort) async -> RawReply {
        await RawReply.to("GET", target, ["Authorization": "Bearer \(key)"], at: port.number)
    }

    @Test func `the vehicle is on the page, and a phone that was admitted sends beside it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let agent = try RunningAgent(folder, Self.yaml(folder, port))
            await eventually(
                "the server answers, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            let key = try await Self.key(of: agent)
            await eventually("the vehicle is listed") {
                await Self.reply("/api/devices", key, at: port).body.contains(#""name":"van-7""#)
            }
            #expect(await Self.reply("/api/status", key, at: port).body.contains(#""device":"van-7""#))
            #expect(
                await Self.reply("/metrics", key, at: port).body.contains(
                    #"trackengine_fixes_total{source="simulated"}"#))

            let added = try await agent.trackd("device", "add", "phone")
            let token = try #require(added.text.split(separator: "\n").first { $0.hasPrefix("token ") }?.dropFirst(7))
            let location = #"{"_type":"location","tst":1772359200,"lat":53.55,"lon":9.98}"#
            let sent = await RawReply.to("POST", "/t/\(token)/pub", body: location, at: port.number)
            #expect(sent.status == 200 && sent.body == "[]")
            #expect(await Self.reply("/api/devices", key, at: port).body.contains(#""name":"phone","time":1772359200"#))

            let own = try await agent.trackd("device", "add", "van-7")
            #expect(own.status == 78 && own.text.contains("the agent's own records"), "\(own.text)")
            #expect(try await agent.trackd("device", "list").text == "phone\n")
            #expect(try await agent.trackd("device", "remove", "phone").status == 0)
            #expect(await RawReply.to("POST", "/t/\(token)/pub", body: location, at: port.number).status == 401)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `the address that is printed for OsmAnd takes its speed in metres a second`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let agent = try RunningAgent(folder, Self.yaml(folder, port))
            await eventually("the server answers, trackd printed: \(agent.child.text)", from: agent.child) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            let added = try await agent.trackd("device", "add", "phone").text.split(separator: "\n")
            let line = try #require(added.first { $0.hasPrefix("OsmAnd  ") }, "\(added)")
            // What OsmAnd puts in the place of each number.
            let values = ["53.55", "9.98", "1772359200000", "4.5", "12.0", "10.5", "181.0"]
            var address = String(line.dropFirst("OsmAnd  ".count))
            for (number, value) in values.enumerated() {
                #expect(address.contains("{\(number)}"))
                address = address.replacingOccurrences(of: "{\(number)}", with: value)
            }
            let base = "http://127.0.0.1:\(port.number)/"
            #expect(address.hasPrefix(base + "t/") && address.contains("/log?") && !address.contains("{"), "\(line)")
            let sent = await RawReply.to("GET", String(address.dropFirst(base.count - 1)), at: port.number)
            #expect(sent.status == 200 && sent.body == "ok")
            let devices = try await JSONValue.parse(
                Self.reply("/api/devices", try Self.key(of: agent), at: port).body.utf8)
            let phone = try #require(devices.array?.first { $0["name"]?.string == "phone" })
            #expect(phone["time"]?.number == 1_772_359_200 && phone["speed"]?.number == 10.5, "\(phone)")
            #expect(phone["altitude"]?.number == 12 && phone["course"]?.number == 181)
            #expect(phone["accuracy"]?.number == 4.5)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `an agent whose port is taken tracks all the same and says it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let taken = try LoopbackListener(at: .ipv4(port.number)) { _ in }
            defer { taken.stop() }
            let agent = try RunningAgent(folder, Self.yaml(folder, port))
            await agent.prints("server does not run, trying again")
            try await eventually("records are delivered into the history") {
                let status = try await JSONValue.parse(agent.trackd("status", "--json").text.utf8)
                return (status["sinks"]?.array?.first?["delivered"]?.number ?? 0) > 0
            }
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `where the page is is told when the port is had, and not before`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let taken = try LoopbackListener(at: .ipv4(port.number)) { _ in }
            let agent = try RunningAgent(folder, Self.yaml(folder, port))
            await agent.prints("127.0.0.1, port \(port.number): expected")
            #expect(!agent.child.text.contains("the page is at"))
            taken.stop()
            // What is printed into a pipe may be read later, so there is no link in it.
            await agent.prints(
                "the page is at http://127.0.0.1:\(port.number)/; trackd device link prints a link to it")
            #expect(!agent.child.text.contains("once=") && !agent.child.text.contains("key="))
            #expect(await RawReply.to("GET", "/status", at: port.number).status == 200)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test
    func `those who hold all connections leave enough for commands and records, and one that goes lets another in`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            try RunningAgent.write(Self.yaml(folder, port), folder)
            // Half of them are connections.
            let child = try ChildProcess(
                "/usr/bin/prlimit",
                ["--nofile=100", TestEnvironment.builtProduct("trackd"), "run", "--config", folder + "/trackd.yaml"],
                environment: ["STATE_DIRECTORY": folder + "/state"])
            await eventually("the server answers, trackd printed: \(child.text)", from: child) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            var idle: [Int32] = []
            defer { for descriptor in idle { close(descriptor) } }
            for _ in 0..<120 { idle.append(try #require(LoopbackSocket.connect(to: .ipv4(port.number)))) }
            let waiting = Task { await RawReply.to("GET", "/status", at: port.number).status }
            let before = try await Self.delivered(of: folder)
            try await eventually("records are kept") { try await Self.delivered(of: folder) > before }
            while !idle.isEmpty { close(idle.removeLast()) }
            #expect(await waiting.value == 200)
            child.send(SIGTERM)
            await eventually("it ends") { child.exitCode != nil }
            #expect(child.exitCode == 0)
        }
    }

    /// How many records the agent's sink has delivered.
    private static func delivered(of folder: String) async throws -> Double {
        let status = try ChildProcess(
            TestEnvironment.builtProduct("trackd"), ["status", "--json", "--config", folder + "/trackd.yaml"],
            environment: ["STATE_DIRECTORY": folder + "/state"])
        await eventually("the status is told") { status.exitCode != nil }
        let sinks = try JSONValue.parse(status.text.utf8)["sinks"]?.array
        return try #require(sinks?.first?["delivered"]?.number, "\(status.text)")
    }

    @Test(arguments: [
        ("port: 70000", "0 to 65535"),
        ("host: 0.0.0.0", "a loopback address, or tls, or trustedProxies, or allowInsecure"),
        ("trustedProxies: [proxy]", "a list of addresses or ranges"),
        ("host: 0.0.0.0, trustedProxies: [proxy]", "a list of addresses or ranges"),
        ("tiles: {template: 'http://tile.example.org/{z}/{x}/{y}'}", "an address with https and {z}, {x} and {y}"),
        ("map: /nowhere/map.mbtiles", "a file that can be read"), ("osmandPort: 8080", "1 to 65535, and not"),
        ("names: van.example", "a list of host names"), ("overlandPaths: [api]", "a list of paths such as /api/input"),
        ("tls: {certificate: /etc/x.pem}", "both certificate and key"),
    ])
    func `a server that cannot be is refused by check`(_ keys: String, _ expectation: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try RunningAgent.write(
                "store: {path: \(folder)/state}\nsinks: [{type: server, directory: \(folder)/server, \(keys)}]\n",
                folder)
            let check = try ChildProcess(
                TestEnvironment.builtProduct("trackd"), ["check", "--config", folder + "/trackd.yaml"])
            await eventually("it ends") { check.exitCode != nil }
            #expect(check.exitCode == 78)
            #expect(check.text.contains("expected \(expectation)"), "\(check.text)")
            #expect(check.text.ranges(of: "expected ").count == 1, "one mistake is said once: \(check.text)")
        }
    }
}
