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
