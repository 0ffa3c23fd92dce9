import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// `trackd` with a server whose history has filled its disk, a small one in memory that only root can mount.
@Suite(.timeLimit(.minutes(30))) struct FullDiskAgentTests {
    /// A server with its history on a disk, and a vehicle that is recorded once.
    private static func yaml(_ folder: String, _ disk: String, _ port: ReservedPort) -> String {
        """
        device: {id: van-7}
        sources: [{type: simulated}]
        tracking: {distanceFilter: 100000}
        store: {path: \(folder)/state}
        sinks: [{type: server, directory: \(disk)/server, port: \(port.number)}]
        """
    }

    /// A batch of Overland of so many points, a second apart.
    private static func batch(_ count: Int, from first: Int) -> String {
        let features = (first..<first + count).map { second in
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.98,\#(53 + Double(second) * 1e-5)]},"#
                + #""properties":{"timestamp":\#(1_772_000_000 + second)}}"#
        }
        return #"{"locations":[\#(features.joined(separator: ","))]}"#
    }

    private static func status(_ key: String, at port: ReservedPort) async -> String {
        await RawReply.to("GET", "/api/status", ["Authorization": "Bearer \(key)"], at: port.number).body
    }

    /// The key for editing, which reads, too.
    private static func key(of agent: RunningAgent) async throws -> String {
        let link = try await agent.trackd("device", "link", "--edit", "--key").text
        return try #require(link.split(separator: "?key=").last).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(.enabled(if: TestEnvironment.canMount, "needs root, to mount a disk"))
    func `points that are deleted over HTTP make room for others, and the status says how it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await TestEnvironment.withDisk { disk in
                #expect(FileManager.default.createFile(atPath: disk + "/rest", contents: Data(count: 7 << 20)))
                let port = try ReservedPort()
                let agent = try RunningAgent(folder, Self.yaml(folder, disk, port))
                await eventually("the server answers, trackd printed: \(agent.child.text)", from: agent.child) {
                    await RawReply.to("GET", "/status", at: port.number).status == 200
                }
                let key = try await Self.key(of: agent)
                let added = try await agent.trackd("device", "add", "phone").text.split(separator: "\n")
                let token = try #require(added.first { $0.hasPrefix("token ") }?.dropFirst(7))
                func send(_ first: Int, _ count: Int = 2_000) async -> RawReply {
                    await RawReply.to(
                        "POST", "/dump?token=\(token)", body: Self.batch(count, from: first), at: port.number)
                }
                #expect(await !Self.status(key, at: port).contains(#""full""#))
                var kept = 0
                var reply = await send(kept)
                while reply.status == 200, kept < 400_000 {
                    kept += 2_000
                    reply = await send(kept)
                }
                #expect(reply.status == 503 && reply.head.contains("Retry-After: "), "\(reply.status) after \(kept)")
                #expect(kept > 0)
                #expect(await Self.status(key, at: port).contains(#""full":true"#))

                let query = "device=phone&from=1772000000&to=\(1_772_000_000 + kept)&key=\(key)"
                let removed = await RawReply.to("DELETE", "/api/points?\(query)", at: port.number)
                #expect(removed.status == 200)
                let count = try JSONValue.parse(removed.body.utf8)["removed"]?.number
                #expect(count.map { $0 >= Double(kept) } == true, "\(removed.body)")
                #expect(await !Self.status(key, at: port).contains(#""full""#))
                #expect(await send(kept + 2_000).status == 200)
                #expect(await Self.status(key, at: port).contains(#""refused":"#))
                agent.child.send(SIGTERM)
                #expect(await agent.end() == 0)
            }
        }
    }
}
