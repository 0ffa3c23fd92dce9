import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// Somebody who has the disk, and not the key, puts a store in plain into the place of an encrypted one.
@Suite struct SwappedStoreTests {
    private static let key = StoreKey(bytes: (0..<32).map { UInt8($0 * 3) })

    private static func open(_ directory: String, _ key: StoreKey?) async throws -> SQLiteFixStore {
        var configuration = SQLiteFixStore.Configuration(directory: directory)
        configuration.key = key
        return try await SQLiteFixStore.open(configuration: configuration)
    }

    private static func fill(_ directory: String, _ key: StoreKey?) async throws {
        let store = try await open(directory, key)
        _ = try await store.append(StoreMaterial.drafts(0..<5), checkpoint: nil)
        await store.close()
    }

    /// Puts the database of one store into the place of another's.
    private static func swap(_ other: String, into home: String) throws {
        try FileManager.default.removeItem(atPath: home + "/track.sqlite")
        try FileManager.default.copyItem(atPath: other + "/track.sqlite", toPath: home + "/track.sqlite")
    }

    @Test func `a store in plain is refused where an encrypted one was, until a person accepts it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let (home, other) = (root + "/home", root + "/other")
            try await Self.fill(home, Self.key)
            try await Self.fill(other, nil)
            try Self.swap(other, into: home)
            for _ in 0..<2 {
                await #expect { try await Self.open(home, Self.key) } throws: { error in
                    (error as? StoreError)?.code == .wrongKey
                        && "\(error)".contains("in plain; to accept it, remove \(home)/track.sqlite.encrypted")
                }
            }
            try FileManager.default.removeItem(atPath: home + "/track.sqlite.encrypted")
            let store = try await Self.open(home, Self.key)
            #expect(try await store.records(after: .zero, limit: 10).count == 5)
            await store.close()
            try Self.swap(other, into: home)
            await #expect(throws: StoreError.self) { try await Self.open(home, Self.key) }
        }
    }

    @Test func `a store that was encrypted when it was opened first, or later, has its mark`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root + "/first", Self.key)
            try await Self.fill(root + "/later", nil)
            #expect(!FileManager.default.fileExists(atPath: root + "/later/track.sqlite.encrypted"))
            await (try Self.open(root + "/later", Self.key)).close()
            for name in ["first", "later"] {
                #expect(FileManager.default.fileExists(atPath: "\(root)/\(name)/track.sqlite.encrypted"))
            }
        }
    }
}
