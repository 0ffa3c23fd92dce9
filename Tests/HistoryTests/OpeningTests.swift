import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("Opening a history")
struct OpeningTests {
    @Test func `What was answered is there after opening it again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            for round in 0..<3 {
                let history = try await TrackHistory.open(directory: directory)
                _ = try await history.add([Samples.point(Double(round))], of: Samples.device)
                let points = try await history.points(of: Samples.device, during: Samples.seconds(0..<9), limit: 9)
                #expect(points.count == round + 1)
                await history.close()
            }
        }
    }

    @Test func `Nobody but the owner can read it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory + "/history")
            _ = try await history.add([Samples.point(0)], of: Samples.device)
            let manager = FileManager.default
            // One that was put back from a backup with other rights.
            await history.close()
            try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory + "/history/history.sqlite")
            history = try await TrackHistory.open(directory: directory + "/history")
            _ = try await history.add([Samples.point(1)], of: Samples.device)
            let names = try manager.contentsOfDirectory(atPath: directory + "/history")
            #expect(names.contains("history.sqlite-wal"))
            for name in names + ["."] {
                let attributes = try manager.attributesOfItem(atPath: directory + "/history/" + name)
                let mode = try #require(attributes[.posixPermissions] as? Int)
                #expect(mode & 0o077 == 0, "\(name)")
            }
            await history.close()
        }
    }

    @Test func `A second one in the same directory is refused, until the first is closed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let first = try await TrackHistory.open(directory: directory)
            await #expect { try await TrackHistory.open(directory: directory) } throws: {
                ($0 as? StoreError)?.code == .locked
            }
            await first.close()
            await (try TrackHistory.open(directory: directory)).close()
        }
    }

    @Test func `A closed history refuses every call`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory)
            await history.close()
            await history.close()
            await #expect { try await history.add([Samples.point(0)], of: Samples.device) } throws: {
                ($0 as? StoreError)?.code == .closed
            }
            await #expect { try await history.devices() } throws: { ($0 as? StoreError)?.code == .closed }
        }
    }

    @Test func `What is no history is left as it is`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/history.sqlite"
            let text = Data("no database, but somebody's text that is longer than a header of SQLite's is".utf8)
            try text.write(to: URL(fileURLWithPath: path))
            await #expect { try await TrackHistory.open(directory: directory) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)

            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            await #expect { try await TrackHistory.open(directory: directory) } throws: {
                ($0 as? StoreError)?.code == .inputOutput
            }
        }
    }

    @Test func `A directory whose parent is missing is an error that names it`() async throws {
        await #expect { try await TrackHistory.open(directory: "/nowhere/at/all") } throws: {
            String(describing: $0).contains("/nowhere/at/all")
        }
    }
}
