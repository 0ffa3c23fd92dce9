import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// An agent that shares its place tells who has asked for it, if nobody there knows them.
@Suite(.timeLimit(.minutes(30))) struct VisitorAgentTests {
    /// The server through which the place is shared, and the folder of the agent that shares it.
    private struct Scene {
        let folder: String
        let port: Int
        let server: RunningAgent
        let token: String
        let visitorsToken: String

        /// Asks the server for the place of an id, as a device with another one.
        func ask(for id: String, as visitor: String) async {
            let reply = await RawReply.to(
                "POST", "/t/\(visitorsToken)/v1/GetLocation", ["Content-Type": "application/json"],
                body:
                    #"{"MiataruConfig":{"RequestMiataruDeviceID":"\#(visitor)"},"MiataruGetLocation":[{"Device":"\#(id)"}]}"#,
                at: port)
            #expect(reply.status == 200, "\(reply.body)")
        }

        /// Runs the agent beside a body, to its orderly end.
        func agent(_ body: (RunningAgent) async throws -> Void) async throws {
            let agent = try RunningAgent(
                folder + "/a",
                """
                sources:
                  - {type: simulated, rate: 5, seed: 7}
                  - {type: miataru, name: others, url: "http://127.0.0.1:\(port)/t/\(token)", follow: [{id: BERT-1111, name: Bert}]}
                tracking: {distanceFilter: 0}
                store: {path: \(folder)/a/state}
                sinks:
                  - {type: miataru, url: "http://127.0.0.1:\(port)/t/\(token)", syncThreshold: 1, visitorAlerts: true}
                """)
            try await body(agent)
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0, "\(agent.child.text)")
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            for name in ["a", "c"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            // The address holds a token, so the configuration is its owner's alone.
            #expect(
                FileManager.default.createFile(
                    atPath: folder + "/a/trackd.yaml", contents: Data(), attributes: [.posixPermissions: 0o600]))
            let port = try ReservedPort()
            let server = try RunningAgent(
                folder + "/c",
                """
                sources: []
                store: {path: \(folder)/c/state}
                sinks: [{type: server, directory: \(folder)/c/server, port: \(port.number), miataru: true}]
                """)
            await eventually(
                "the server answers, trackd printed: \(server.child.text)", from: server.child
            ) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            var tokens: [String] = []
            for name in ["a", "e"] {
                let added = try await server.trackd("device", "add", name).text
                let line = try #require(added.split(separator: "\n").first { $0.hasPrefix("token ") }, "\(added)")
                tokens.append(String(line.dropFirst(6)).trimmingCharacters(in: .whitespaces))
            }
            try await body(
                Scene(
                    folder: folder, port: port.number, server: server, token: tokens[0], visitorsToken: tokens[1]))
            server.child.send(SIGTERM)
            #expect(await server.end() == 0)
        }
    }

    @Test func `somebody unknown is told of once, and those whom it follows never`() async throws {
        try await withScene { scene in
            var id = ""
            try await scene.agent { agent in
                try await eventually(
                    "the place is shared, A printed: \(agent.child.text)", from: agent.child
                ) {
                    try await agent.trackd("status").text.contains("shared with anyone")
                }
                id = try await agent.trackd("miataru", "id").text.trimmingCharacters(in: .newlines)
            }
            await scene.ask(for: id, as: "BERT-1111")
            await scene.ask(for: id, as: "EVES-2222-3333")
            try await scene.agent { agent in
                await agent.prints("an unknown visitor has asked for the place")
                #expect(agent.child.text.contains("EVES…") && !agent.child.text.contains("BERT…"))
                #expect(!agent.child.text.contains("EVES-2222"), "whole ids are as good as passwords")
                try await eventually("the status says so") {
                    try await agent.trackd("status").text.contains("unknown visitor EVES… asked for the place")
                }
            }
            let kept = scene.folder + "/a/state/miataru/miataru.visitors.json"
            let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            await scene.ask(for: id, as: "EVES-2222-3333")
            await scene.ask(for: id, as: "MALL-4444-5555")
            try await scene.agent { agent in
                await agent.prints("an unknown visitor has asked for the place")
                #expect(agent.child.text.contains("MALL…") && !agent.child.text.contains("EVES…"))
            }
        }
    }
}
