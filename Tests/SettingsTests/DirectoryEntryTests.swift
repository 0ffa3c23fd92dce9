import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

/// Root works in the directory of another user, who puts links in the places of files and directories.
@Suite(.enabled(if: geteuid() == 0)) struct DirectoryEntryTests {
    private static let user: uid_t = 65_534

    /// A directory of another user, and one of root's that it must not get.
    private static func withPlaces(_ body: (_ state: String, _ victim: String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let (state, victim) = (folder + "/state", folder + "/victim")
            for path in [state, victim] { #expect(mkdir(path, 0o755) == 0) }
            #expect(chown(state, user, user) == 0)
            try await body(state, victim)
        }
    }

    private final class Flag: Sendable {
        let isUp = Atomic(false)
    }

    private static func owner(_ path: String) -> uid_t? { FileStatus.at(path)?.owner }

    /// Makes a link that the other user has made.
    private static func link(_ path: String, to target: String) {
        #expect(symlink(target, path) == 0 && lchown(path, user, user) == 0)
    }

    /// A mode and an owner that are set by the path are lost in some of 3,000 rounds.
    @Test func `a directory that a link replaces while it is made gives nothing of root's away`() async throws {
        try await Self.withPlaces { state, victim in
            let path = state + "/server"
            #expect(mkdir(state + "/deep", 0o700) == 0)
            // A long way takes the system longer, in which more can happen.
            let way = state + String(repeating: "/deep/..", count: 50) + "/server"
            let isOver = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await SystemThread.run {
                        while !isOver.isUp.load(ordering: .relaxed) {
                            guard rename(path, path + ".gone") == 0 else { continue }
                            _ = symlink(victim, path)
                            rmdir(path + ".gone")
                        }
                    }
                }
                for _ in 0..<5_000 {
                    unlink(path)
                    rmdir(path)
                    try? PrivateFile.makeDirectory(way)  // what stands in the way is no matter here
                }
                isOver.isUp.store(true, ordering: .relaxed)
                try await group.waitForAll()
            }
            #expect(Self.owner(victim) == 0 && FileStatus.at(victim)?.mode == 0o755)
        }
    }

    @Test func `a link of another user is named, with what to do`() async throws {
        try await Self.withPlaces { state, victim in
            Self.link(state + "/way", to: victim)
            #expect {
                try PrivateFile.replace(state + "/way/access.json", with: [1])
            } throws: { error in
                ["\"way\"", "of the user \(Self.user)", "name the directory"].allSatisfy("\(error)".contains)
            }
            #expect(FileStatus.at(victim + "/access.json") == nil)
        }
    }

    @Test func `what root makes belongs to the owner of the directory around it`() async throws {
        try await Self.withPlaces { state, _ in
            try PrivateFile.makeDirectory(state + "/server/")
            try PrivateFile.replace(state + "/server/access.json", with: [1])
            _ = try PrivateFile.lock(state + "/server/access.json")
            for name in ["server", "server/access.json", "server/access.json.lock"] {
                #expect(Self.owner("\(state)/\(name)") == Self.user, "\(name)")
            }
        }
    }

    @Test func `another name for a file of root's is no lock that is given away, and is not overwritten`() async throws
    {
        try await Self.withPlaces { state, victim in
            try PrivateFile.replace(victim + "/shadow", with: [1, 2, 3])
            for name in ["a.json.lock", "a.json.plain"] {
                #expect(Glibc.link(victim + "/shadow", "\(state)/\(name)") == 0)
            }
            _ = try? PrivateFile.lock(state + "/a.json")  // it may be refused
            #expect(throws: PrivateFileError.self) { try PrivateFile.erase(state + "/a.json.plain") }
            #expect(Self.owner(victim + "/shadow") == 0)
            #expect(try PrivateFile.read(victim + "/shadow", atMost: 10)?.bytes == [1, 2, 3])
        }
    }

    @Test func `a link of the other user leads nowhere, one of root's does`() async throws {
        try await Self.withPlaces { state, victim in
            Self.link(state + "/server", to: victim)
            #expect(throws: PrivateFileError.self) { try PrivateFile.replace(state + "/server/a.json", with: [1]) }
            #expect(throws: PrivateFileError.self) { try PrivateFile.makeDirectory(state + "/server/deep") }
            #expect(throws: PrivateFileError.self) { _ = try PrivateFile.lock(state + "/server/a.json") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == [])
            let way = victim + "-way"
            #expect(symlink("state", way) == 0)
            try PrivateFile.replace(way + "/a.json", with: [1])
            #expect(Self.owner(state + "/a.json") == Self.user)
        }
    }
}
