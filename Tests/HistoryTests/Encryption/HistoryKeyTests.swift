import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

@Suite("The key of an encrypted history")
struct HistoryKeyTests {
    private static let other = StoreKey(bytes: [UInt8](repeating: 9, count: 32))
    private static let points = (0..<50).map {
        Samples.point(Double($0), north: Double($0), senderID: .text("\($0)")).kept
    }

    /// A closed history of fifty points, in plain or under a key.
    private static func fill(_ directory: String, _ key: StoreKey?) async throws {
        let history = try await TrackHistory.open(directory: directory, key: key)
        _ = try await history.add(points, of: Samples.device)
        await history.close()
    }

    /// All files with what is in them.
    private static func contents(_ directory: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: directory + "/" + $0))) })
    }

    /// Sees to it that the history is refused, in words that name the key, and not changed.
    private static func expectRefused(_ directory: String, _ key: StoreKey?) async throws {
        let before = try contents(directory)
        await #expect { try await TrackHistory.open(directory: directory, key: key) } throws: { error in
            (error as? StoreError)?.code == .wrongKey && "\(error)".contains("store.encryption.key")
        }
        #expect(try contents(directory) == before)
    }

    /// Sees to it that the history opens with a key, with all that was added.
    private static func expectWhole(_ directory: String, _ key: StoreKey?) async throws {
        let history = try await TrackHistory.open(directory: directory, key: key)
        #expect(try await history.points(of: Samples.device, during: Samples.seconds(0..<99), limit: 99) == points)
        #expect(try await history.add(points, of: Samples.device).repeated == 50)
        await history.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names.allSatisfy { !$0.contains("rewrit") }, "\(names)")
    }

    @Test func `A history in plain is encrypted when its sink begins, not when the first record comes`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let home = root + "/history"
            try await Self.fill(home, nil)
            let sink = HistorySink(id: "history", directory: home, device: Samples.device, key: Samples.key)
            let running = Task { try await sink.run() }
            await eventually("it is encrypted") { FileManager.default.fileExists(atPath: home + "/key.sealed") }
            running.cancel()
            _ = await running.result
            await sink.close()
            await #expect(throws: StoreError.self) { try await TrackHistory.open(directory: home) }
            try await Self.expectWhole(home, Samples.key)
        }
    }

    @Test(arguments: [false, true])
    func `Another key is refused, and none, and nothing is changed`(_ isKilled: Bool) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let (home, copy) = (root + "/history", root + "/copy")
            let history = try await TrackHistory.open(directory: home, key: Samples.key)
            _ = try await history.add(Self.points, of: Samples.device)
            if !isKilled { await history.close() }
            try FileManager.default.copyItem(atPath: home, toPath: copy)
            await history.close()
            try await Self.expectRefused(copy, Self.other)
            try await Self.expectRefused(copy, nil)
            try await Self.expectWhole(copy, Samples.key)
        }
    }

    @Test func `Without the file of its key, and with that of another history, it is refused`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            for name in ["one", "two"] { try await Self.fill(root + "/" + name, Samples.key) }
            try FileManager.default.removeItem(atPath: root + "/one/key.sealed")
            await #expect { try await TrackHistory.open(directory: root + "/one", key: Samples.key) } throws: {
                ($0 as? StoreError)?.code == .wrongKey && "\($0)".contains("key.sealed")
            }
            try FileManager.default.copyItem(atPath: root + "/two/key.sealed", toPath: root + "/one/key.sealed")
            await #expect { try await TrackHistory.open(directory: root + "/one", key: Samples.key) } throws: {
                ($0 as? StoreError)?.code == .wrongKey && "\($0)".contains("another history")
            }
        }
    }

    @Test(arguments: [0, 1, 40, 81, 82, 83])
    func `A file of its key that is cut or longer is refused`(_ length: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root, Samples.key)
            let url = URL(fileURLWithPath: root + "/key.sealed")
            let whole = try Data(contentsOf: url)
            #expect(whole.count == 82)
            let damaged = length == 82 ? Data(whole.reversed()) : (whole + [0]).prefix(length)
            try damaged.write(to: url)
            await #expect { try await TrackHistory.open(directory: root, key: Samples.key) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            try whole.write(to: url)
            try await Self.expectWhole(root, Samples.key)
        }
    }

    /// Byte 4 is the version, 5 the count, 6 to 9 the name of the store's key, all others the key itself.
    @Test(arguments: [0, 4, 5, 6, 9])
    func `Damage in the file of its key that leaves the key whole is repaired, and told`(_ place: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root, Samples.key)
            let url = URL(fileURLWithPath: root + "/key.sealed")
            let whole = try Data(contentsOf: url)
            var damaged = whole
            damaged[place] ^= 1
            try damaged.write(to: url)
            await #expect(throws: StoreError.self) { try await TrackHistory.open(directory: root, key: .random()) }
            #expect(try Data(contentsOf: url) == damaged)
            let history = try await TrackHistory.open(directory: root, key: Samples.key)
            #expect(try await history.notice()?.contains("damaged") == true)
            await history.close()
            #expect(try Data(contentsOf: url).prefix(10) == whole.prefix(10))
            try await Self.expectWhole(root, Samples.key)
        }
    }

    @Test(arguments: [10, 50, 81])
    func `A damaged key is called damaged, and not that of another store`(_ place: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root, Samples.key)
            let url = URL(fileURLWithPath: root + "/key.sealed")
            var bytes = try Data(contentsOf: url)
            bytes[place] ^= 1
            try bytes.write(to: url)
            await #expect { try await TrackHistory.open(directory: root, key: Samples.key) } throws: {
                ($0 as? StoreError)?.code == .damaged
            }
            #expect(try Data(contentsOf: url) == bytes)
        }
    }

    // MARK: - Changes

    /// What a change can be: from what to what.
    enum Change: CaseIterable {
        case encrypt, rotate, decrypt

        var keys: (old: StoreKey?, new: StoreKey?) {
            switch self {
            case .encrypt: (nil, Samples.key)
            case .rotate: (Samples.key, HistoryKeyTests.other)
            case .decrypt: (Samples.key, nil)
            }
        }

        /// Makes the change, or goes on with it.
        func run(_ directory: String, _ environment: HistoryEnvironment) async throws {
            let place = EncryptedHistory(directory: directory, environment: environment)
            switch self {
            case .encrypt:
                await (try TrackHistory.open(directory: directory, key: keys.new, environment: environment)).close()
            case .rotate:
                guard let key = keys.new else { return }
                try await place.admit(key, beside: keys.old)
                try await place.restrict(to: key)
            case .decrypt: try await place.decrypt(with: keys.old)
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `A change that ends after any of its steps leaves the history whole, and can be made again`(
        _ change: Change
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let home = root + "/history"
            try await Self.fill(home, change.keys.old)
            let steps = Mutex<[HistoryEnvironment.Step]>([])
            var environment = HistoryEnvironment()
            environment.didTake = { step throws(StoreError) in
                let count = steps.withLock { steps in
                    steps.append(step)
                    return steps.count
                }
                do { try FileManager.default.copyItem(atPath: home, toPath: root + "/after-\(count)") } catch {
                    throw StoreError(.inputOutput, "\(error)")
                }
            }
            try await change.run(home, environment)
            let count = steps.withLock { $0.count }
            #expect(count >= (change == .rotate ? 2 : 5), "\(steps.withLock { $0 })")
            try await Self.expectWhole(home, change.keys.new)
            for number in 1...count {
                let copy = root + "/after-\(number)"
                try FileManager.default.copyItem(atPath: copy, toPath: copy + "-again")
                try await change.run(copy + "-again", HistoryEnvironment())
                try await Self.expectWhole(copy + "-again", change.keys.new)
                try await expectOneKey(copy, change)
            }
        }
    }

    /// Whatever has happened of a change, at least one of its keys opens the history.
    private func expectOneKey(_ directory: String, _ change: Change) async throws {
        // With a key a history in plain is encrypted: that is asked for last.
        let keys = change == .encrypt ? [change.keys.old, change.keys.new] : [change.keys.new, change.keys.old]
        do { try await Self.expectWhole(directory, keys[0]) } catch let error as StoreError {
            #expect(error.code == .wrongKey)
            try await Self.expectWhole(directory, keys[1])
        }
    }

    @Test func `Without room for a second database a history stays as it was, and the words say why`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root, nil)
            let before = try Self.contents(root)["history.sqlite"]
            var environment = HistoryEnvironment()
            environment.didTake = { step throws(StoreError) in
                if case .rewrote = step { throw StoreError(.full, "no space left on device") }
            }
            await #expect {
                try await TrackHistory.open(directory: root, key: Samples.key, environment: environment)
            } throws: {
                ($0 as? StoreError)?.code == .full && "\($0)".contains("as much room again as it has on the disk")
            }
            let after = try Self.contents(root)
            #expect(after["history.sqlite"] == before)
            #expect(!after.keys.contains { $0.contains("rewrit") }, "\(after.keys)")
            try await Self.expectWhole(root, nil)
        }
    }

    @Test func `Between the two steps of another key both open it, and the next opening keeps its own`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let key = try #require(Self.other)
            for kept in [Samples.key, Self.other] {
                let home = root + "/\(kept == key)"
                try await Self.fill(home, Samples.key)
                try await EncryptedHistory(directory: home).admit(key, beside: Samples.key)
                try FileManager.default.copyItem(atPath: home, toPath: home + "-copy")
                try await Self.expectWhole(home + "-copy", kept == key ? Samples.key : key)
                try await Self.expectWhole(home, kept)
                try await Self.expectRefused(home, kept == key ? Samples.key : key)
            }
        }
    }

    @Test func `Another key is not admitted without the present one`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            try await Self.fill(root, Samples.key)
            let before = try Self.contents(root)
            for present in [Self.other, nil] {
                await #expect {
                    try await EncryptedHistory(directory: root).admit(.random(), beside: present)
                } throws: { ($0 as? StoreError)?.code == .wrongKey }
            }
            await #expect { try await EncryptedHistory(directory: root).decrypt(with: Self.other) } throws: {
                ($0 as? StoreError)?.code == .wrongKey
            }
            #expect(try Self.contents(root) == before)
        }
    }

    @Test func `Where there is no history, a change makes none`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let key = try #require(Self.other)
            let place = EncryptedHistory(directory: root + "/none")
            try await place.admit(key, beside: Samples.key)
            try await place.restrict(to: key)
            try await place.decrypt(with: Samples.key)
            #expect(!FileManager.default.fileExists(atPath: root + "/none"))
        }
    }

    @Test func `A change waits for nobody who has the history open`() async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            let key = try #require(Self.other)
            let history = try await TrackHistory.open(directory: root, key: Samples.key)
            await #expect { try await EncryptedHistory(directory: root).admit(key, beside: Samples.key) } throws: {
                ($0 as? StoreError)?.code == .locked
            }
            await history.close()
        }
    }
}
