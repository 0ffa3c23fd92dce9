import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// Commands that root runs beside the agent of another user, whose state directory it is.
@Suite(.enabled(if: geteuid() == 0), .timeLimit(.minutes(15))) struct ForeignStateTests {
    private static let user: uid_t = 65_534

    private static func withState(_ body: (_ folder: String, _ state: String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let state = folder + "/state"
            #expect(mkdir(state, 0o700) == 0 && chown(state, user, user) == 0)
            try await body(folder, state)
        }
    }

    /// The files in a directory, and those below it, that belong to root.
    private static func rootsFiles(_ directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).filter {
            FileStatus.at("\(directory)/\($0)")?.owner == 0
        }
    }

    private static func trackd(_ folder: String, _ arguments: [String]) async throws -> (status: Int32?, text: String) {
        let child = try ChildProcess(
            "/usr/bin/env",
            ["-u", "TRACKD_CONFIG", "STATE_DIRECTORY=\(folder)/state", TestEnvironment.builtProduct("trackd")]
                + arguments)
        await eventually("\(arguments) ends") { child.exitCode != nil }
        return (child.exitCode, child.text)
    }

    @Test(arguments: [["export"], ["trips"], ["visits"]])
    func `before the first run there is no store, and none of root's is left`(_ arguments: [String]) async throws {
        try await Self.withState { folder, state in
            let result = try await Self.trackd(folder, arguments)
            #expect(result.status == 66, "\(result)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: state) == [])
        }
    }

    @Test(arguments: [
        ["device", "add", "phone"], ["device", "link"], ["pause"], ["place", "add", "Yard", "--at", "53.5,10"],
    ])
    func `what a command makes belongs to the user of the agent`(_ arguments: [String]) async throws {
        try await Self.withState { folder, state in
            let result = try await Self.trackd(folder, arguments)
            #expect(result.status == 0, "\(result)")
            #expect(try !FileManager.default.subpathsOfDirectory(atPath: state).isEmpty)
            #expect(try Self.rootsFiles(state) == [])
        }
    }

    @Test func `a store of another user is refused before anything is made beside it`() async throws {
        try await Self.withState { folder, state in
            #expect(FileManager.default.createFile(atPath: state + "/track.sqlite", contents: Data()))
            #expect(chown(state + "/track.sqlite", Self.user, Self.user) == 0)
            let result = try await Self.trackd(folder, ["export"])
            #expect(result.status != 0 && result.text.contains("belongs to another user"), "\(result)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: state) == ["track.sqlite"])
        }
    }

    @Test func `a link of the other user leads no change to another directory`() async throws {
        try await Self.withState { folder, state in
            #expect(mkdir(folder + "/victim", 0o700) == 0)
            #expect(
                symlink(folder + "/victim", state + "/deep") == 0 && lchown(state + "/deep", Self.user, Self.user) == 0)
            #expect(throws: FileProblem.self) { try RemoteFile(in: state + "/deep").write(RemoteValues()) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/victim")
            #expect(names.isEmpty)
        }
    }
}
