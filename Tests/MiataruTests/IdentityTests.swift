import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// What the agent keeps of an identity, also where a change ends in the middle.
@Suite struct IdentityTests {
    private static func withFile(_ body: (IdentityFile, String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await body(IdentityFile(of: "miataru", in: folder), folder + "/miataru/miataru.json")
        }
    }

    @Test func `an id is made once, in capitals, of version 4, and only its owner reads it`() async throws {
        try await Self.withFile { file, path in
            #expect(try file.read() == nil)
            let made = try file.readOrMake()
            #expect(try file.readOrMake() == made)
            #expect(
                made.id.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `two that make one at the same time have the same`() async throws {
        try await Self.withFile { file, _ in
            let ids = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<8 { group.addTask { try? file.readOrMake().id } }
                return await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(ids.count == 1 && !ids.contains(nil))
        }
    }

    @Test(arguments: ["", "{}", #"{"id":""}"#, #"{"id":"a b"}"#, #"{"id":1}"#, "null", #"{"id":"A","key":""}"#])
    func `a file that holds no identity is an error and stays as it is`(_ text: String) async throws {
        try await Self.withFile { file, path in
            _ = try file.readOrMake()
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(throws: PrivateFileError.self) { try file.readOrMake() }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func `a key that was about to be sent is there after the end, and counts when it is confirmed`() async throws
    {
        try await Self.withFile { file, _ in
            let keeper = IdentityReader.file(file)
            try file.change { $0.newKey = "new" }
            #expect(try await keeper.identity().deviceKey == nil)
            let pending = try #require(keeper.pending)
            #expect(pending.deviceKey == Secret("new"))
            try keeper.confirm(pending)
            #expect(try await keeper.identity().deviceKey == Secret("new"))
            #expect(keeper.pending == nil)
        }
    }

    @Test func `a key on its way that no server takes does not make the file unreadable`() async throws {
        try await Self.withFile { file, path in
            let made = try file.readOrMake()
            try Data(#"{"id":"\#(made.id)","newKey":""}"#.utf8).write(to: URL(filePath: path))
            #expect(try file.read() == made)
        }
    }

    @Test func `the confirmation of another key changes nothing`() async throws {
        try await Self.withFile { file, _ in
            let keeper = IdentityReader.file(file)
            try file.change { $0.newKey = "new" }
            var other = try await keeper.identity()
            other.deviceKey = Secret("other")
            try keeper.confirm(other)
            #expect(try file.read()?.key == nil)
            #expect(keeper.pending != nil)
        }
    }
}

/// The list that `trackd follow` changes.
@Suite struct FollowedListTests {
    private static func withList(
        _ configured: [FollowEntry] = [], _ body: (FollowedList) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await body(FollowedList(configured, of: "miataru", in: folder))
        }
    }

    @Test func `a device is there after it was added, and gone after it was removed`() async throws {
        try await Self.withList { list in
            let entry = try list.add(Secret("miataru://ABCDEFGHIJ"), name: nil, group: "club")
            #expect(entry.name == "ABCDEFGH")
            #expect(try list.entries() == [entry])
            let wasThere = try list.remove("ABCDEFGH")
            let isThere = try list.remove("ABCDEFGH")
            #expect(wasThere && !isThere)
            #expect(try list.entries().isEmpty)
        }
    }

    @Test(arguments: [
        ("miataru://abc", "Other", "a device that is not followed yet; this one is, as Anna"),
        ("XYZ", "Anna", "a name that no other followed device has"), ("a b", "X", "a link such as"),
        ("XYZ", "", "a name of 1 to 64 bytes"), ("XYZ", "a\nb", "a name of 1 to 64 bytes"),
    ])
    func `what cannot be is refused and changes nothing`(_ link: String, _ name: String, _ words: String) async throws {
        try await Self.withList([FollowEntry(id: Secret("ABC"), name: "Anna")]) { list in
            let error = #expect(throws: FollowListError.self) {
                _ = try list.add(Secret(link), name: name, group: nil)
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            let entries = try list.entries()
            #expect(entries.count == 1)
        }
    }

    @Test func `a kept device that does not go together with the configuration is not followed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let before = FollowedList([], of: "miataru", in: folder)
            _ = try before.add(Secret("KEPT"), name: "Anna", group: nil)
            _ = try before.add(Secret("OTHER"), name: "Ben", group: nil)
            let anna = FollowEntry(id: Secret("ABC"), name: "Anna")
            let entries = try FollowedList([anna], of: "miataru", in: folder).entries()
            #expect(entries.map(\.name) == ["Anna", "Ben"] && entries.first == anna)
        }
    }

    @Test func `nobody has the name of the own device`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let list = FollowedList([], of: "miataru", in: folder, own: "van-7")
            let error = #expect(throws: FollowListError.self) {
                _ = try list.add(Secret("ABC"), name: "van-7", group: nil)
            }
            #expect(error?.description.contains("own device") == true)
        }
    }

    @Test func `a device of the configuration is not removed by a command`() async throws {
        try await Self.withList([FollowEntry(id: Secret("ABC"), name: "Anna")]) { list in
            #expect(throws: FollowListError.self) { _ = try list.remove("Anna") }
        }
    }
}
