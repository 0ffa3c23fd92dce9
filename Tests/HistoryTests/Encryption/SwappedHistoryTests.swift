import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineSettings
import TrackEngineTestKit

/// Somebody who has the disk, and not the key, changes an encrypted history.
@Suite struct SwappedHistoryTests {
    /// A closed history of 201 points.
    private static func fill(_ directory: String, _ key: StoreKey?) async throws {
        let history = try await TrackHistory.open(directory: directory, key: key)
        _ = try await history.add((0..<201).map { Samples.point(Double($0), north: Double($0)) }, of: Samples.device)
        await history.close()
    }

    @Test func `a history in plain is refused where an encrypted one was, until a person accepts it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let (home, other) = (root + "/history", root + "/other")
            try await Self.fill(home, Samples.key)
            try await Self.fill(other, nil)
            let database = home + "/history.sqlite"
            try FileManager.default.removeItem(atPath: database)
            try FileManager.default.copyItem(atPath: other + "/history.sqlite", toPath: database)
            await #expect { try await TrackHistory.open(directory: home, key: Samples.key) } throws: { error in
                (error as? StoreError)?.code == .wrongKey
                    && "\(error)".contains("in plain; to accept it, remove \(database).encrypted")
            }
            try FileManager.default.removeItem(atPath: database + ".encrypted")
            let history = try await TrackHistory.open(directory: home, key: Samples.key)
            #expect(try await history.isEncrypted)
            #expect(try await history.devices().count == 1)
            await history.close()
            #expect(FileManager.default.fileExists(atPath: database + ".encrypted"))
        }
    }

    @Test func `a history that was put into plain by its owner opens in plain, and is encrypted again`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let home = root + "/history"
            try await Self.fill(home, Samples.key)
            try await EncryptedHistory(directory: home).decrypt(with: Samples.key)
            for key in [nil, Samples.key] {
                let history = try await TrackHistory.open(directory: home, key: key)
                #expect(try await history.isEncrypted == (key != nil))
                await history.close()
            }
        }
    }

    @Test func `a file beside a history is refused in plain where it was encrypted`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let history = try await TrackHistory.open(directory: root + "/history", key: Samples.key)
            let file = try await history.companion(at: root + "/history/ids.json")
            try file.replace(with: [1])
            try PrivateFile.replace(root + "/history/ids.json", with: [2])
            #expect(throws: StoreError.self) { try file.read(atMost: 10) }
            #expect(throws: StoreError.self) { try file.encryptIfPlain(atMost: 10) }
            try FileManager.default.removeItem(atPath: root + "/history/ids.json.encrypted")
            try file.encryptIfPlain(atMost: 10)
            #expect(try file.read(atMost: 10) == [2])
            await history.close()
        }
    }

    @Test func `points that do not open are counted once, named by their times, and told in the status`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let home = root + "/history"
            try await Self.fill(home, Samples.key)
            // One is changed, and one is put into the place of another.
            try Databases.change(
                home + "/history.sqlite",
                """
                UPDATE point SET contents = CAST(substr(contents, 1, 30) || x'00' || substr(contents, 32) AS BLOB)
                    WHERE time = \(Samples.start.advanced(by: .seconds(10)).secondsSince1970 * 1000);
                UPDATE point SET contents = (SELECT contents FROM point WHERE
                    time = \(Samples.start.advanced(by: .seconds(50)).secondsSince1970 * 1000))
                    WHERE time = \(Samples.start.advanced(by: .seconds(40)).secondsSince1970 * 1000);
                """)
            let sink = HistorySink(id: "history", directory: home, device: Samples.device, key: Samples.key)
            let history = try await sink.openHistory()
            let told = Mutex<[Int]>([])
            try await history.unopenedRows()?.report { summary in told.withLock { $0.append(summary.count) } }
            #expect(!sink.statusItems(now: Samples.start).contains { $0.name == "unopened" })
            for _ in 0..<2 {
                let points = try await history.points(of: Samples.device, during: Samples.seconds(0..<999), limit: 999)
                #expect(points.count == 199)
            }
            let item = try #require(sink.statusItems(now: Samples.start).first { $0.name == "unopened" })
            #expect(item.value == .count(2) && item.tone == .bad)
            #expect(
                item.text == "2 rows of the encrypted history do not open, "
                    + "from 2026-03-01T10:00:10Z to 2026-03-01T10:00:40Z")
            #expect(told.withLock { $0 } == [1])
            await sink.close()
        }
    }
}
