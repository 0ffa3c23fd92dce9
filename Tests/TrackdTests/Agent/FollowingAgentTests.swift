import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// Two agents of which one follows the other, through the second's server, with everything that commands do about it.
@Suite(.timeLimit(.minutes(30))) struct FollowingAgentTests {
    /// A server C, an agent A that shares its place there and an agent B that follows it, each with tokens and folders of its own.
    private struct Scene {
        let folder: String
        let port: ReservedPort
        let server: RunningAgent
        let sharing: RunningAgent
        let following: RunningAgent
        let pagePort: ReservedPort

        init(_ folder: String) async throws {
            self.folder = folder
            port = try ReservedPort()
            pagePort = try ReservedPort()
            for name in ["a", "b", "c"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            let server = try RunningAgent(
                folder + "/c",
                """
                sources: []
                store: {path: \(folder)/c/state}
                sinks: [{type: server, directory: \(folder)/c/server, port: \(port.number), miataru: true}]
                """)
            self.server = server
            let port = port
            await eventually(
                "the server answers, trackd printed: \(server.child.text)", from: server.child
            ) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            let (one, other) = (try await Self.token("a", of: server), try await Self.token("b", of: server))
            sharing = try Self.agent(
                "a", folder,
                """
                device: {id: truck}
                sources: [{type: simulated, rate: 5, seed: 7}]
                tracking: {distanceFilter: 0}
                store: {path: \(folder)/a/state}
                sinks: [{type: miataru, url: "http://127.0.0.1:\(port.number)/t/\(one)", syncThreshold: 1}]
                """)
            following = try Self.agent(
                "b", folder,
                """
                device: {id: home}
                sources:
                  - {type: simulated, rate: 1}
                  - {type: miataru, url: "http://127.0.0.1:\(port.number)/t/\(other)", interval: 5}
                store: {path: \(folder)/b/state}
                sinks: [{type: server, directory: \(folder)/b/server, port: \(pagePort.number)}]
                """)
            // Commands keep what they make in the directory that an agent makes at its first start.
            for agent in [sharing, following] {
                await eventually("it runs, trackd printed: \(agent.child.text)", from: agent.child) {
                    (try? await agent.trackd("status").status) == 0
                }
            }
        }

        /// The address holds a token, so the configuration is its owner's alone.
        private static func agent(_ name: String, _ folder: String, _ yaml: String) throws -> RunningAgent {
            #expect(
                FileManager.default.createFile(
                    atPath: "\(folder)/\(name)/trackd.yaml", contents: Data(),
                    attributes: [.posixPermissions: 0o600]))
            return try RunningAgent("\(folder)/\(name)", yaml)
        }

        private static func token(_ name: String, of server: RunningAgent) async throws -> String {
            let added = try await server.trackd("device", "add", name)
            let line = try #require(added.text.split(separator: "\n").first { $0.hasPrefix("token ") }, "\(added.text)")
            return String(line.dropFirst(7))
        }

        /// What the page of the following agent says of a device.
        func shown(_ name: String) async throws -> JSONValue? {
            let link = try await following.trackd("device", "link", "--key").text
            let key = try #require(link.split(separator: "key=").last).trimmingCharacters(in: .whitespacesAndNewlines)
            let reply = await RawReply.to("GET", "/api/devices?key=\(key)", at: pagePort.number)
            return try? JSONValue.parse(reply.bytes).array?.first { $0["name"]?.string == name }
        }

        func end() async {
            for agent in [sharing, following, server] {
                agent.child.send(SIGTERM)
                #expect(await agent.end() == 0, "\(agent.child.text)")
            }
        }
    }

    @Test func `a device is followed by its link, seen with its group, and hidden by its list`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let scene = try await Scene(folder)
            let (a, b) = (scene.sharing, scene.following)
            // The identity is made once and kept.
            let id = try await a.trackd("miataru", "id").text.trimmingCharacters(in: .newlines)
            #expect(id.count == 36 && id == id.uppercased())
            #expect(try await a.trackd("miataru", "id").text == id + "\n")
            let kept = folder + "/a/state/miataru/miataru.json"
            let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let code = try await a.trackd("miataru", "qr").text
            #expect(code.hasPrefix("miataru://\(id)\n") && code.contains("▄"))

            let added = try await b.trackd("follow", "add", "miataru://\(id)", "--name", "Anna", "--group", "family")
            #expect(added.text == "Anna is followed\n")
            try await eventually("Anna is on the page, B printed: \(b.child.text)") {
                try await scene.shown("Anna")?["shared"]?.boolean == true
            }
            let anna = try #require(try await scene.shown("Anna"))
            #expect(anna["group"]?.string == "family")
            #expect(anna["distance"]?.number != nil && anna["bearing"]?.number != nil, "\(anna)")
            #expect(try await scene.shown("home")?["group"] == nil)
            try await eventually("the list says where") {
                let line = try await b.trackd("follow", "list").text
                return line.contains(/^Anna \(family\)  [0-9.]+ k?m [a-z-]+, 2/)
            }

            // Key, list, visitors, slogan, status: each call of the protocol has its command.
            #expect(try await a.trackd("miataru", "key", "set").text.contains("wants the key"))
            #expect(try await a.trackd("miataru", "key", "rotate").text.contains("wants the key"))
            #expect(try await a.trackd("miataru", "slogan", "on the road").text.contains("shown with"))
            #expect(try await a.trackd("miataru", "slogan").text == "on the road\n")
            let visitor = try await b.trackd("miataru", "id")
            #expect(visitor.text.contains("of type miataru"), "B has no sink that shares: \(visitor.text)")
            let visits = try await a.trackd("miataru", "visitors").text
            let identity = try Data(contentsOf: URL(filePath: folder + "/b/state/miataru/miataru.json"))
            let document = try JSONValue.parse(Array(identity))
            let asking = try #require(document["id"]?.string)
            #expect(visits.contains(asking), "\(visits)")

            expectMessage(
                try await a.trackd("miataru", "allow", "add", "SOMEBODY-ELSE").text, as: "a visitor is allowed")
            let list = try await a.trackd("miataru", "allow", "list").text
            #expect(list.contains("\(id) (this device)  place, history\n") && list.contains("SOMEBODY-ELSE  place\n"))
            try await eventually("the page says that there is no data") {
                try await scene.shown("Anna")?["shared"]?.boolean == false
            }
            try await eventually("the status says so") {
                try await b.trackd("status").text.contains("Anna: no data, expired or not permitted")
            }
            let status = try await a.trackd("miataru", "status").text
            #expect(status.contains("the server wants one") && status.contains("those on the list"), "\(status)")
            #expect(!(try await a.trackd("status").text.contains(id)))

            expectMessage(try await a.trackd("miataru", "allow", "add", asking).text, as: "a visitor is allowed")
            try await eventually("it is seen again") {
                try await scene.shown("Anna")?["shared"]?.boolean == true
            }
            #expect(try await b.trackd("follow", "remove", "Anna").text == "")
            #expect(try await b.trackd("follow", "list").text == "")
            await scene.end()
        }
    }

    @Test func `the server deletes what it keeps, after two questions`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let scene = try await Scene(folder)
            let a = scene.sharing
            try await eventually("something is delivered, A printed: \(a.child.text)") {
                try await a.trackd("status").text.contains("shared with anyone")
            }
            try await eventually("the server has it") {
                try await a.trackd("miataru", "delete", "--yes", "--yes").text.contains("has deleted one")
            }
            // Without an answer nothing is deleted.
            #expect(try await a.trackd("miataru", "delete").text.contains("no data was deleted"))
            let old = try await a.trackd("miataru", "id").text
            let refused = try await a.trackd("miataru", "id", "--reset")
            #expect(refused.status == 1 && refused.text.contains("the id is unchanged"), "\(refused.text)")
            #expect(refused.text.contains("can no longer be deleted"), "\(refused.text)")
            #expect(try await a.trackd("miataru", "id").text == old)
            let new = try await a.trackd("miataru", "id", "--reset", "--yes").text
            #expect(new.contains("a new id") && !new.contains(old))
            let taken = try await a.trackd("miataru", "id", "--import", "miataru://MINE")
            #expect(taken.text.hasSuffix("MINE\n"), "\(taken.text)")
            expectMessage(try await a.trackd("miataru", "id", "--import", "a:b").text, as: "a link of another scheme")
            await scene.end()
        }
    }
}
