import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// An agent that shares its place through another one.
@Suite(.timeLimit(.minutes(30))) struct MiataruAgentTests {
    private static let id = "7B8E6F0A-1111-4222-8333-ABCDEF012345"

    /// What somebody is told of the device's place; `nil` for nothing.
    private static func place(_ token: String, at port: ReservedPort) async throws -> Double? {
        let reply = await RawReply.to(
            "POST", "/t/\(token)/v1/GetLocation",
            body: #"{"MiataruConfig":{"RequestMiataruDeviceID":"B"},"MiataruGetLocation":[{"Device":"\#(id)"}]}"#,
            at: port.number)
        #expect(reply.status == 200, "\(reply.body)")
        return try JSONValue.parse(reply.bytes)["MiataruLocation"]?.array?.first?["Latitude"]?.number
    }

    private static func token(_ name: String, of server: RunningAgent) async throws -> String {
        let added = try await server.trackd("device", "add", name)
        let line = try #require(added.text.split(separator: "\n").first { $0.hasPrefix("token ") }, "\(added.text)")
        return String(line.dropFirst(7))
    }

    @Test func `one agent's place is seen through another, hidden by its list, and gone when it is deleted`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            try FileManager.default.createDirectory(atPath: folder + "/c", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: folder + "/a", withIntermediateDirectories: true)
            let server = try RunningAgent(
                folder + "/c",
                """
                sources: [{type: simulated, rate: 1}]
                store: {path: \(folder)/c/state}
                sinks: [{type: server, directory: \(folder)/c/server, port: \(port.number), miataru: true}]
                """)
            await eventually(
                "the server answers, trackd printed: \(server.child.text)", from: server.child
            ) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            let (writer, reader) = (try await Self.token("a", of: server), try await Self.token("b", of: server))
            let id = folder + "/a/id"
            // The address holds a token, so the configuration is its owner's alone, too.
            for (path, text) in [(id, Self.id), (folder + "/a/trackd.yaml", "")] {
                #expect(
                    FileManager.default.createFile(
                        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
            }
            let agent = try RunningAgent(
                folder + "/a",
                """
                sources: [{type: simulated, rate: 5}]
                tracking: {distanceFilter: 0}
                store: {path: \(folder)/a/state}
                sinks: [{type: miataru, url: "http://127.0.0.1:\(port.number)/t/\(writer)", deviceID: {file: \(id)}, \
                syncThreshold: 1}]
                """)
            try await eventually(
                "the place is seen, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                try await Self.place(reader, at: port) != nil
            }
            let first = try await Self.place(reader, at: port)
            try await eventually("it moves") { try await Self.place(reader, at: port) != first }
            let status = try await agent.trackd("status")
            #expect(status.text.contains("shared with anyone with the id 7B8E…"), "\(status.text)")
            #expect(!status.text.contains(Self.id) && !status.text.contains(writer))

            let hide = await RawReply.to(
                "POST", "/t/\(writer)/v1/setAllowedDeviceList",
                body: #"{"MiataruSetAllowedDeviceList":{"DeviceID":"\#(Self.id)","allowedDevices":"#
                    + #"[{"DeviceID":"F","hasCurrentLocationAccess":true,"hasHistoryAccess":true}]}}"#,
                at: port.number)
            #expect(hide.status == 200, "\(hide.body)")
            #expect(try await Self.place(reader, at: port) == nil)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
            let delete = await RawReply.to(
                "POST", "/t/\(writer)/v1/DeleteLocation",
                body: #"{"MiataruDeleteLocation":{"Device":"\#(Self.id)"}}"#, at: port.number)
            #expect(delete.body.contains(#""MiataruDeletedCount":"#), "\(delete.body)")
            server.child.send(SIGTERM)
            #expect(await server.end() == 0)
            let kept = try FileManager.default.subpathsOfDirectory(atPath: folder + "/c/server/miataru")
            #expect(kept.contains("ids.json"))
        }
    }
}
