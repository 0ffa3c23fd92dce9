import Foundation
import Logging
import SQLiteAccess
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

@Suite struct KeyTests {
    private static let key = StoreKey(bytes: (0..<32).map { UInt8($0 * 7) })

    // MARK: - Texts

    @Test func `a key is read from hexadecimal digits and from base64, whatever white space is around it`() throws {
        let digits = "00070e151c232a31383f464d545b626970777e858c939aa1a8afb6bdc4cbd2d9"
        let key = try #require(Self.key)
        #expect(key.hexadecimal.revealed == digits)
        let base64 = "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tk="
        for text in [digits, digits.uppercased(), digits + "\n", base64, String(base64.dropLast()), " \(base64)\r\n"] {
            #expect(StoreKey(Secret(text)) == key, "\(text)")
        }
    }

    @Test(arguments: [
        "", "00", "secret", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "g", count: 64), "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tk=",
        "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0tl=", "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK+2vcTL0t==",
    ])
    func `anything else is no key`(_ text: String) {
        #expect(StoreKey(Secret(text)) == nil)
    }

    @Test func `a key does not print itself`() throws {
        let key = StoreKey.random()
        #expect("\(key)" == "***" && !String(reflecting: key).contains(key.hexadecimal.revealed.prefix(4)))
    }

    // MARK: - Stores

    /// A closed store of fifty records with a dead letter.
    private func filled(_ home: StoreDirectory) async throws -> [TrackRecord] {
        let store = try await home.open()
        let records = try await store.append(StoreMaterial.drafts(0..<50), checkpoint: StoreMaterial.checkpoint(49))
        try await store.settle(
            Settlement(
                origin: .queue, records: Array(records[..<5]), refused: [records[2].id: "no"],
                time: StoreMaterial.start), for: "a")
        await store.close()
        return records
    }

    private func expectRefused(_ home: StoreDirectory) async throws {
        let before = try home.contents()
        await #expect {
            try await home.open()
        } throws: { error in
            (error as? StoreError)?.code == .wrongKey && "\(error)".contains("store.encryption.key")
        }
        #expect(try home.contents() == before)
        #expect(try home.setAside == [])
    }

    /// Bytes 60 to 63 of the header are the version (SQLite file format, section 1.3).
    @Test(arguments: [1, 3])
    func `a damaged version makes no store in plain of an encrypted one`(_ version: UInt8) async throws {
        try await StoreDirectory.with { root in
            var home = StoreDirectory(path: root.path + "/store", key: Self.key)
            let records = try await filled(home)
            let file = try FileHandle(forUpdating: URL(filePath: home.path + "/track.sqlite"))
            try file.seek(toOffset: 60)
            try file.write(contentsOf: [0, 0, 0, version])
            try file.close()
            home.key = nil
            try await expectRefused(home)
            home.key = .random()
            try await expectRefused(home)
            home.key = Self.key
            let store = try await home.open()
            #expect(try await store.allRecords() == records)
            await store.close()
        }
    }

    @Test(arguments: [false, true])
    func `another key is refused, and none, and nothing is changed`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { root in
            let home = StoreDirectory(path: root.path + "/store", key: Self.key)
            var copy = StoreDirectory(path: root.path + "/copy", key: Self.key)
            let records = try await filled(home)
            if isKilled {
                let store = try await home.open()
                _ = try await store.append(StoreMaterial.drafts(50..<60), checkpoint: nil)
                try home.copy(to: copy)
                await store.close()
            } else {
                try home.copy(to: copy)
            }
            copy.key = .random()
            try await expectRefused(copy)
            copy.key = nil
            try await expectRefused(copy)
            copy.key = Self.key
            let store = try await copy.open()
            #expect(try await Array(store.allRecords().prefix(50)) == records)
            #expect(try await store.status().warning == nil)
            await store.close()
        }
    }

    @Test(arguments: [false, true])
    func `where the header is damaged another key is refused all the same`(_ hasKey: Bool) async throws {
        try await StoreDirectory.with { root in
            var home = StoreDirectory(path: root.path + "/store", key: Self.key)
            let records = try await filled(home)
            try home.overwritePage(0, with: [UInt8](repeating: 0x5a, count: 4096))
            home.key = hasKey ? .random() : nil
            try await expectRefused(home)
            home.key = Self.key
            let store = try await home.open()
            #expect(try await store.allRecords() == records)
            #expect(try await store.deadLetters(of: nil).map(\.reason) == ["no"])
            await store.close()
        }
    }

    @Test func `a damaged plain store is repaired and encrypted when it is opened with a key`() async throws {
        try await StoreDirectory.with { root in
            var home = StoreDirectory(path: root.path + "/store")
            let records = try await filled(home)
            try home.overwritePage(0, with: [UInt8](repeating: 0x5a, count: 4096))
            home.key = Self.key
            let store = try await home.open()
            #expect(try await store.allRecords() == records)
            #expect(try await store.nextBatch(for: "a", limit: 1)?.records.first == records[5])
            await store.close()
            #expect(try home.setAside == [])
            // Speeds and mileages of whole numbers are found anywhere.
            let found = try Traces(of: records.map(\.draft), reasons: []).found(in: home.path)
            #expect(found.filter { !$0.contains("double") } == [])
        }
    }

    @Test func `a row in another row's place is set aside and not believed`() async throws {
        try await StoreDirectory.with { root in
            let home = StoreDirectory(path: root.path + "/store", key: Self.key)
            let records = try await filled(home)
            // Under its own number and with a sound check, as somebody would write it who has the disk.
            try home.execute("UPDATE record SET payload = (SELECT payload FROM record WHERE seq = 9) WHERE seq = 10")
            try home.execute("UPDATE record SET crc = \(try home.check(of: 10)) WHERE seq = 10")
            let store = try await home.open()
            #expect(try await store.allRecords() == records.filter { $0.sequence.rawValue != 10 })
            #expect(try await store.status().warning?.contains("1 damaged row(s) set aside") == true)
            await store.close()
        }
    }

    // MARK: - Another key

    /// What a change of key can be: from what to what.
    enum Change: CaseIterable {
        case encrypt, rotate, decrypt

        var keys: (old: StoreKey?, new: StoreKey?) {
            let other = StoreKey(bytes: [UInt8](repeating: 9, count: 32))
            return switch self {
            case .encrypt: (nil, other)
            case .rotate: (KeyTests.key, other)
            case .decrypt: (KeyTests.key, nil)
            }
        }
    }

    private func rewrite(_ home: StoreDirectory, _ change: Change, _ environment: StoreEnvironment) async throws {
        var home = home
        home.key = change == .encrypt ? change.keys.new : change.keys.old
        let store = try await home.open(in: environment)
        if change == .encrypt { await store.close() } else { try await store.rewrite(under: change.keys.new) }
    }

    /// The store as it is under exactly one of its keys.
    private func expectWhole(_ home: StoreDirectory, _ change: Change, _ records: [TrackRecord]) async throws {
        var home = home
        home.key = change.keys.old
        // A plain store with a key is encrypted: it is asked for last.
        let order = change == .encrypt ? [change.keys.old, change.keys.new] : [change.keys.new, change.keys.old]
        for (place, key) in order.enumerated() {
            home.key = key
            do {
                let store = try await home.open()
                #expect(try await store.allRecords() == records)
                #expect(try await store.deadLetters(of: "a").map(\.record) == [records[2]])
                #expect(try await store.nextBatch(for: "a", limit: 1)?.records.first == records[5])
                #expect(try await store.checkpoints() == [StoreMaterial.checkpoint(49)])
                let next = try await store.append([StoreMaterial.draft(70)], checkpoint: nil)
                #expect((next.first?.sequence.rawValue ?? 0) > 50)
                #expect(try await store.status().warning == nil)
                return await store.close()
            } catch let error as StoreError where error.code == .wrongKey && place == 0 {
                continue
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `a change of key that is killed at any of its steps leaves the store whole under one key`(
        _ change: Change
    ) async throws {
        try await StoreDirectory.with { root in
            let home = StoreDirectory(path: root.path + "/store", key: change.keys.old)
            let records = try await filled(home)
            let count = Mutex(0)
            var environment = StoreEnvironment()
            environment.didTake = { step throws(StoreError) in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                do { try FileManager.default.copyItem(atPath: home.path, toPath: root.path + "/after-\(number)") } catch
                {
                    throw StoreError(.inputOutput, "\(error)")
                }
            }
            try await rewrite(home, change, environment)
            let taken = count.withLock { $0 }
            #expect(taken >= 4)
            for number in 1...taken {
                try await expectWhole(StoreDirectory(path: root.path + "/after-\(number)"), change, records)
            }
            try await expectWhole(home, change, records)
        }
    }

    @Test(arguments: Change.allCases)
    func `a change of key that fails at any of its steps can be made again`(_ change: Change) async throws {
        try await StoreDirectory.with { root in
            var failing = 1
            while failing < 20 {
                let home = StoreDirectory(path: root.path + "/fails-\(failing)", key: change.keys.old)
                let records = try await filled(home)
                let left = Mutex(failing)
                var environment = StoreEnvironment()
                environment.didTake = { _ throws(StoreError) in
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { throw StoreError(.inputOutput, "the step fails") }
                }
                var hasFailed = false
                do { try await rewrite(home, change, environment) } catch { hasFailed = true }
                try await expectWhole(home, change, records)
                if !hasFailed { break }
                failing += 1
            }
            #expect((4..<20).contains(failing))
        }
    }

    @Test func `after a rotation the old key opens nothing, and nothing of it is left`() async throws {
        try await StoreDirectory.with { root in
            var home = StoreDirectory(path: root.path + "/store", key: Self.key)
            let records = try await filled(home)
            let next = Change.rotate.keys.new
            try await (try home.open()).rewrite(under: next)
            try await expectRefused(home)
            #expect(try home.names.filter { $0.contains("rewrit") } == [])
            home.key = next
            let store = try await home.open()
            #expect(try await store.allRecords() == records)
            await store.close()
        }
    }
}

extension StoreDirectory {
    /// What the check of a sealed record's row has to be.
    fileprivate func check(of sequence: Int64) throws -> UInt32 {
        let db = try Database(path: database)
        defer { try? db.close() }  // the test goes on with what has been read
        let payload = try [UInt8].fetchOne(db, sql: "SELECT payload FROM record WHERE seq = ?", arguments: [sequence])
        var check = CRC32()
        check.combine(sequence)
        check.combine(Int64(0))
        check.combine(payload ?? [])
        return check.value
    }
}
