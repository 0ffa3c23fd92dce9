import Encryption
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineHistory
import TrackEngineSQLite
import TrackEngineSettings
import TrackEngineTestKit

/// A change of key of a store and two histories, which may end anywhere.
@Suite struct KeyChangeTests {
    private static let old = StoreKey(bytes: [UInt8](repeating: 7, count: 32))
    private static let new = StoreKey(bytes: [UInt8](repeating: 9, count: 32))
    private static let device: DeviceID = "van"
    private static let point = HistoryPoint(fix: StoreMaterial.draft(1).fix)
    private static let histories = ["/one", "/two"]

    private static func open(_ root: String, _ key: StoreKey?) async throws -> SQLiteFixStore {
        var configuration = SQLiteFixStore.Configuration(directory: root + "/state")
        configuration.key = key
        return try await SQLiteFixStore.open(configuration: configuration)
    }

    private static func write(_ key: StoreKey?, to path: String) throws {
        try Data((key?.hexadecimal.revealed ?? "").utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// A store with three records and two histories of a point each, all under the old key, which is in a file beside them.
    private static func fill(_ root: String) async throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try write(old, to: root + "/key")
        let store = try await open(root, old)
        _ = try await store.append(StoreMaterial.drafts(0..<3), checkpoint: nil)
        await store.close()
        for name in histories {
            let history = try await TrackHistory.open(directory: root + name, key: old)
            _ = try await history.add([point], of: device)
            await history.close()
        }
    }

    /// Makes the change, or goes on with it, with the key in the file as the present one.
    private static func change(
        _ root: String, to key: StoreKey?, _ environment: HistoryEnvironment = HistoryEnvironment()
    ) async throws {
        let settings = try Given.configuration(
            "store: {path: \(root)/state, encryption: {key: {file: \(root)/key}}}"
        ).store
        let places = histories.map { EncryptedHistory(directory: root + $0, environment: environment) }
        try await KeyChange(
            store: settings, places: places, secrets: AgentSecretReader(SecretReader(environment: [:]))
        ).run(key.map { .key($0.hexadecimal) } ?? .plain)
    }

    /// Sees to it that all of it opens with one key, or that none of it is opened by it.
    private static func opens(_ root: String, _ key: StoreKey?) async throws -> Bool {
        do {
            let store = try await open(root, key)
            #expect(try await store.status().count == 3)
            await store.close()
        } catch let error as StoreError where error.code == .wrongKey { return false }
        for name in histories {
            let history = try await TrackHistory.open(directory: root + name, key: key)
            #expect(try await history.devices().map(\.id) == [device])
            await history.close()
        }
        return true
    }

    @Test(arguments: [true, false])
    func `wherever it ends all opens with one key, and made again it is complete`(_ isRotation: Bool) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let root = folder + "/all"
            try await Self.fill(root)
            let new = isRotation ? Self.new : nil
            let count = Mutex(0)
            var environment = HistoryEnvironment()
            environment.didTake = { _ throws(StoreError) in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                do { try FileManager.default.copyItem(atPath: root, toPath: "\(folder)/after-\(number)") } catch {
                    throw StoreError(.inputOutput, "\(error)")
                }
            }
            try await Self.change(root, to: new, environment)
            #expect(try await Self.opens(root, new))
            let steps = count.withLock { $0 }
            #expect(steps >= 4)
            for number in 1...steps {
                let copy = "\(folder)/after-\(number)"
                try FileManager.default.copyItem(atPath: copy, toPath: copy + "-again")
                // In plain, what is still encrypted does not open without its key: with the key all of it does.
                let isOpened = isRotation ? try await Self.opens(copy, Self.new) : false
                if !isOpened { #expect(try await Self.opens(copy, Self.old), "after \(number)") }
                try await Self.change(copy + "-again", to: new)
                #expect(try await Self.opens(copy + "-again", new), "after \(number)")
                if isRotation {
                    let isOpened = try await Self.opens(copy + "-again", Self.old)
                    #expect(!isOpened, "after \(number)")
                }
            }
        }
    }

    @Test func `a change that is complete can be made again when the old key is gone`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.fill(folder)
            try await Self.change(folder, to: Self.new)
            try FileManager.default.removeItem(atPath: folder + "/key")
            try await Self.change(folder, to: Self.new)
            #expect(try await Self.opens(folder, Self.new))
        }
    }

    // MARK: - What nobody names any more

    /// Two histories, a server's list of devices and a file of ids below the state directory, under the old key.
    private static func leave(_ root: String) async throws {
        for name in ["/state/old", "/state/deep/er"] {
            try FileManager.default.createDirectory(atPath: root + name, withIntermediateDirectories: true)
            let history = try await TrackHistory.open(directory: root + name, key: old)
            _ = try await history.add([point], of: device)
            try await history.companion(at: root + name + "/ids.json").replace(with: Array("{}".utf8))
            await history.close()
        }
        for name in ["/state/old/access.json", "/state/miataru/friends.follow.json", "/state/tokens/home.json"] {
            try FileManager.default.createDirectory(
                atPath: root + name.prefix(upTo: name.lastIndex(of: "/") ?? name.startIndex),
                withIntermediateDirectories: true)
            try EncryptedFile(root + name, key: old).replace(with: Array("{}".utf8))
        }
    }

    private static func changeAll(_ root: String, to key: StoreKey?) async throws -> [String] {
        let configuration = try Given.configuration(
            """
            store: {path: \(root)/state, encryption: {key: {file: \(root)/key}}}
            sinks: [{type: history, name: one, directory: \(root)/one}, {type: history, name: two, directory: \(root)/two}]
            """)
        return try await KeyChange(
            store: configuration.store, places: configuration.encryptedPlaces,
            found: configuration.foundEncryptedPlaces, secrets: AgentSecretReader(SecretReader(environment: [:]))
        ).run(key.map { .key($0.hexadecimal) } ?? .plain)
    }

    @Test(arguments: [true, false])
    func `what sinks have left that the configuration has no more is changed with the store`(
        _ isRotation: Bool
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root)
            try await Self.leave(root)
            let new = isRotation ? Self.new : nil
            #expect(try await Self.changeAll(root, to: new) == [])
            for name in ["/state/old", "/state/deep/er"] {
                let history = try await TrackHistory.open(directory: root + name, key: new)
                #expect(try await history.devices().map(\.id) == [Self.device])
                #expect(
                    try await history.companion(at: root + name + "/ids.json").read(atMost: 100) == Array("{}".utf8))
                await history.close()
                if isRotation {
                    await #expect { try await TrackHistory.open(directory: root + name, key: Self.old) } throws: {
                        ($0 as? StoreError)?.code == .wrongKey
                    }
                }
            }
            for name in ["/state/old/access.json", "/state/miataru/friends.follow.json", "/state/tokens/home.json"] {
                #expect(try EncryptedFile(root + name, key: new).read()?.bytes == Array("{}".utf8))
                guard isRotation else { continue }
                #expect(throws: PrivateFileError.self) {
                    try EncryptedFile(root + name, key: Self.old).read()
                }
            }
        }
    }

    @Test func `what opens with no key at hand is named and left, and all else is changed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root)
            try await Self.leave(root)
            let other = try await TrackHistory.open(directory: root + "/state/other", key: .random())
            _ = try await other.add([Self.point], of: Self.device)
            await other.close()
            let left = try await Self.changeAll(root, to: Self.new)
            #expect(
                left.count == 1 && left.first?.hasPrefix(root + "/state/other is left as it is: ") == true, "\(left)")
            #expect(try await Self.opens(root, Self.new))
            let history = try await TrackHistory.open(directory: root + "/state/old", key: Self.new)
            await history.close()
        }
    }

    @Test func `while the key is being changed nobody else changes it, and no agent starts`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root)
            try await Self.leave(root)
            let lock = try PrivateFile.lock(root + "/state/key-change")
            for key in [Self.new, nil] {
                await #expect { try await Self.changeAll(root, to: key) } throws: {
                    ($0 as? StoreError)?.code == .locked
                }
            }
            let agent = try RunningAgent(
                root,
                """
                sources: [{type: simulated}]
                store: {path: \(root)/state, encryption: {key: {file: \(root)/key}}}
                sinks: []
                """)
            #expect(await agent.end() == 75, "\(agent.child.text)")
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `while somebody has the store nothing is changed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root)
            try await Self.leave(root)
            let store = try await Self.open(root, Self.old)
            for key in [Self.new, nil] {
                await #expect { try await Self.changeAll(root, to: key) } throws: {
                    ($0 as? StoreError)?.code == .locked
                }
            }
            await store.close()
            #expect(throws: PrivateFileError.self) {
                try EncryptedFile(root + "/state/old/access.json", key: Self.new).read()
            }
            #expect(EncryptedFile(root + "/state/old/access.json", key: nil).isSealed)
        }
    }

    @Test func `with a key that opens the store and not a history nothing is changed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try await Self.fill(folder)
            let other = try await TrackHistory.open(directory: folder + "/other", key: .random())
            _ = try await other.add([Self.point], of: Self.device)
            await other.close()
            for name in ["history.sqlite", "key.sealed"] {
                try FileManager.default.removeItem(atPath: folder + "/two/" + name)
                try FileManager.default.copyItem(atPath: folder + "/other/" + name, toPath: folder + "/two/" + name)
            }
            await #expect { try await Self.change(folder, to: Self.new) } throws: {
                ($0 as? StoreError)?.code == .wrongKey
            }
            let store = try await Self.open(folder, Self.old)
            #expect(try await store.status().count == 3)
            await store.close()
        }
    }
}
