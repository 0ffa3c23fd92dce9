import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineServer

@Suite struct AccessFileTests {
    @Test func `Key and devices are there after a restart, the tokens themselves nowhere`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            let first = try AccessFile(path: path)
            let token = try first.add("phone").secret.revealed
            #expect(token.utf8.count == 43)
            let second = try AccessFile(path: path)
            #expect(second.readingKey == first.readingKey)
            #expect(second.senders == ["phone"])
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(token))
            #expect(FileStatus.at(path)?.mode == 0o600)
        }
    }

    @Test func `What another process changes is seen`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let (one, other) = (
                try AccessFile(path: directory + "/access.json"), try AccessFile(path: directory + "/access.json")
            )
            _ = try other.add("phone")
            #expect(one.senders == ["phone"])
            _ = try one.add("van")
            #expect(try other.remove("phone"))
            #expect(one.senders == ["van"])
            #expect(try !one.remove("phone"))
        }
    }

    @Test func `A name is taken once, and is one line`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let file = try AccessFile(path: directory + "/access.json")
            _ = try file.add("phone")
            for name in ["phone", "", "two\nlines", String(repeating: "n", count: 65)] {
                #expect(throws: ServerError.self) { try file.add(DeviceID(rawValue: name)) }
            }
            #expect(file.senders == ["phone"])
        }
    }

    @Test(arguments: [(0o644, "{}"), (0o600, "{}"), (0o600, ""), (0o600, #"{"readingKey":"short","senders":[]}"#)])
    func `A file that others can read, or that holds something else, is refused`(_ mode: Int, _ text: String)
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(throws: ServerError.self) { try AccessFile(path: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    @Test func `Changes from many sides at once are all there`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/access.json"
            let names = (0..<40).map { DeviceID(rawValue: "device-\($0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names { group.addTask { _ = try AccessFile(path: path).add(name) } }
                try await group.waitForAll()
            }
            #expect(Set(try AccessFile(path: path).senders) == Set(names))
        }
    }
}
