import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// `trackd viewer` beside an agent that does not run.
@Suite(.timeLimit(.minutes(15))) struct ViewerCommandTests {
    private static func trackd(_ folder: String, _ arguments: [String]) async throws -> (status: Int32?, text: String) {
        let child = try ChildProcess(
            "/usr/bin/env",
            ["-u", "TRACKD_CONFIG", "STATE_DIRECTORY=\(folder)/state", TestEnvironment.builtProduct("trackd")]
                + arguments)
        await eventually("\(arguments) ends") { child.exitCode != nil }
        return (child.exitCode, child.text)
    }

    @Test func `viewers come with a link, are listed with their rights, and go`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            #expect(mkdir(folder + "/state", 0o700) == 0)
            let added = try await Self.trackd(folder, ["viewer", "add", "anna", "--device", "van", "--device", "bus"])
            #expect(added.status == 0 && added.text.hasPrefix("http://127.0.0.1:8080/?once="), "\(added)")
            #expect(try await Self.trackd(folder, ["viewer", "add", "bert", "--edit"]).status == 0)
            #expect(try await Self.trackd(folder, ["viewer", "add", "bert"]).status == 78)
            let list = try await Self.trackd(folder, ["viewer", "list"])
            #expect(list == (0, "anna  looks at van, bus\nbert  edits all devices\n"))
            let link = try await Self.trackd(folder, ["viewer", "link", "anna"])
            #expect(link.status == 0 && link.text.contains("/?once=") && link.text != added.text)
            #expect(try await Self.trackd(folder, ["viewer", "remove", "anna"]) == (0, ""))
            #expect(try await Self.trackd(folder, ["viewer", "remove", "anna"]).status == 64)
            #expect(try await Self.trackd(folder, ["viewer", "link", "anna"]).status == 78)
            #expect(try await Self.trackd(folder, ["viewer", "end"]).status == 64)
            #expect(try await Self.trackd(folder, ["viewer", "end", "0123abcd"]).status == 64)
            #expect(try await Self.trackd(folder, ["viewer", "end", "--all"]) == (0, ""))
            let audit = try await Self.trackd(folder, ["viewer", "audit"]).text.split(separator: "\n")
            #expect(audit.count == 6, "\(audit)")
            #expect(audit.last?.hasSuffix(" a command: the viewer anna was removed") == true)
        }
    }

    @Test func `of two sessions both are listed, and the one that is ended by its id is over`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let port = try ReservedPort()
            let agent = try RunningAgent(folder, ServerAgentTests.yaml(folder, port))
            await eventually("the server answers, trackd printed: \(agent.child.text)", from: agent.child) {
                await RawReply.to("GET", "/status", at: port.number).status == 200
            }
            var sessions: [String: PageSession] = [:]
            var secrets: [Substring] = []
            for _ in 0..<2 {
                let link = try await agent.trackd("device", "link").text.trimmingCharacters(in: .newlines)
                let target = try #require(link.range(of: "/?once=")).lowerBound
                let session = try #require(await PageSession(opening: String(link[target...]), at: port.number))
                secrets += [link, session.cookie, session.proof].compactMap { $0.split(separator: "=").last }
                let list = try await agent.trackd("viewer", "list").text.split(separator: "\n")
                #expect(list.count == sessions.count + 1, "\(list)")
                let words = list.map { $0.split(separator: " ").map(String.init) }
                #expect(words.allSatisfy { $0.count == 8 && $0[0] == "session" }, "\(list)")
                let id = try #require(words.map { $0[1] }.first { sessions[$0] == nil })
                sessions[id] = session
                #expect(secrets.allSatisfy { secret in !list.contains { $0.contains(secret) } })
            }
            let ended = try #require(sessions.first)
            let other = try #require(sessions.first { $0.key != ended.key })
            #expect(try await agent.trackd("viewer", "end", ended.key) == (0, ""))
            #expect(await ended.value.ask("GET", "/api/devices", at: port.number).status == 401)
            #expect(await other.value.ask("GET", "/api/devices", at: port.number).status == 200)
            let list = try await agent.trackd("viewer", "list").text.split(separator: "\n")
            #expect(list.count == 1 && list[0].hasPrefix("session \(other.key) "), "\(list)")
            let audit = try await agent.trackd("viewer", "audit").text.split(separator: "\n")
            #expect(audit.count { $0.hasSuffix(" a command: 1 sessions were ended") } == 1, "\(audit)")
            #expect(audit.count { $0.hasSuffix(" 127.0.0.1: a session of the key began") } == 2, "\(audit)")
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }

    @Test func `a new key is another one, and what is printed for people has none in it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            #expect(mkdir(folder + "/state", 0o700) == 0)
            let first = try await Self.trackd(folder, ["device", "link", "--key"]).text
            #expect(first.contains("/?key="))
            #expect(try await Self.trackd(folder, ["device", "link", "--key"]).text == first)
            let second = try await Self.trackd(folder, ["device", "link", "--key", "--new-key"]).text
            #expect(second.contains("/?key=") && second != first)
            for arguments in [["device", "link"], ["device", "link", "--edit"], ["device", "link", "--no-edit"]] {
                let link = try await Self.trackd(folder, arguments)
                #expect(link.status == 0 && link.text.contains("/?once=") && !link.text.contains("key="), "\(link)")
            }
        }
    }
}
