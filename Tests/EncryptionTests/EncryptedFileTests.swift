import Encryption
import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSettings

/// Small files with names, encrypted as the store is.
@Suite struct EncryptedFileTests {
    private static let key = StoreKey.random()
    private static let next = StoreKey.random()
    private static let text = Array(#"{"follow": [{"id": "ANNA", "name": "Anna"}]}"#.utf8)
    private static let names = ["a.json", "b.follow.json"]

    /// What a file holds under a key; `nil` where it does not open.
    private static func opened(_ path: String, _ key: StoreKey?) throws -> [UInt8]? {
        do throws(PrivateFileError) { return try EncryptedFile(path, key: key).read()?.bytes } catch {
            guard error.isWrongKey else { throw error }
            return nil
        }
    }

    /// What the files of a directory tell of a name.
    private static func traces(_ folder: String) throws -> Set<String> {
        try Traces(Traces.text("ANNA", "an id") + Traces.text("Anna", "a name")).found(in: folder)
    }

    @Test func `a file opens with its key, under its name, and with nothing else`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.text)
            #expect(try Self.opened(path, Self.key) == Self.text)
            #expect(try Self.opened(path, nil) == nil && Self.opened(path, Self.next) == nil)
            #expect(try Self.traces(folder) == [])
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            try FileManager.default.moveItem(atPath: path, toPath: folder + "/b.json")
            #expect(try Self.opened(folder + "/b.json", Self.key) == nil)
        }
    }

    @Test func `a file that was set aside still opens`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.text)
            try PrivateFile.setAside(path)
            #expect(try Self.opened(path + ".unreadable", Self.key) == Self.text)
        }
    }

    @Test func `each changed byte is noticed, and no length ends the process`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.text)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for place in bytes.indices.dropFirst(4) {
                var changed = bytes
                changed[place] ^= 1
                try PrivateFile.replace(path, with: changed)
                #expect(throws: PrivateFileError.self) { try EncryptedFile(path, key: Self.key).read() }
            }
            for length in bytes.indices.dropFirst(4) {
                try PrivateFile.replace(path, with: Array(bytes[..<length]))
                #expect(throws: PrivateFileError.self) { try EncryptedFile(path, key: Self.key).read() }
            }
        }
    }

    @Test func `one in plain is read, and encrypted when it is written with a key`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: nil).replace(with: Self.text)
            #expect(try !Self.traces(folder).isEmpty)
            let file = EncryptedFile(path, key: Self.key)
            #expect(try file.read()?.bytes == Self.text)
            try file.replace(with: Self.text + [10])
            #expect(try Self.opened(path, nil) == nil && Self.opened(path, Self.key) == Self.text + [10])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.json", "a.json.count"])
        }
    }

    // MARK: - Changes that end anywhere

    private enum Change: CaseIterable {
        case encrypt, rotate, decrypt

        var keys: (old: StoreKey?, new: StoreKey?) {
            switch self {
            case .encrypt: (nil, EncryptedFileTests.key)
            case .rotate: (EncryptedFileTests.key, EncryptedFileTests.next)
            case .decrypt: (EncryptedFileTests.key, nil)
            }
        }
    }

    private static func make(_ change: Change, _ folder: String, _ environment: EncryptedFileEnvironment) async throws {
        let files = EncryptedFiles(in: folder, environment: environment)
        switch change {
        case .encrypt: try await files.encrypt(under: key)
        case .rotate:
            try await files.admit(next, beside: key)
            try await files.restrict(to: next)
        case .decrypt: try await files.decrypt(with: key)
        }
    }

    @Test(arguments: Change.allCases)
    private func `a change that ends after any step leaves all readable, and made again it is complete`(
        _ change: Change
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { root in
            var step = 0
            var hasEnded = true
            while hasEnded {
                step += 1
                let folder = "\(root)/\(step)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                for name in Self.names {
                    try EncryptedFile(folder + "/" + name, key: change.keys.old).replace(with: Self.text)
                }
                let left = Mutex(step)
                var environment = EncryptedFileEnvironment()
                environment.didTake = { _ throws(PrivateFileError) in
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { throw PrivateFileError("it ends here") }
                }
                hasEnded = false
                do { try await Self.make(change, folder, environment) } catch { hasEnded = true }
                for name in Self.names {
                    // Whoever has the old key reads it, or the new one; with the key of an encrypted store a file in plain, too.
                    let keys = [change.keys.old, change.keys.new].compactMap(\.self)
                    let found = try keys.compactMap { try Self.opened(folder + "/" + name, $0) }
                    #expect(found.first == Self.text, "\(change) after \(step)")
                }
                try await Self.make(change, folder, EncryptedFileEnvironment())
                for name in Self.names {
                    #expect(try Self.opened(folder + "/" + name, change.keys.new) == Self.text)
                }
                if change != .decrypt {
                    #expect(try Self.traces(folder) == [], "\(change) after \(step)")
                    for name in Self.names { #expect(try Self.opened(folder + "/" + name, change.keys.old) == nil) }
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                let counts = change == .decrypt ? [] : Self.names.map { $0 + ".count" }
                #expect(
                    names.filter { !$0.hasSuffix(".lock") } == (Self.names + counts).sorted(), "\(change) after \(step)"
                )
            }
            #expect(step > (change == .decrypt ? 4 : 8))
        }
    }

    @Test func `who writes while the key is changed takes it from nobody`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.text)
            let files = EncryptedFiles(in: folder)
            let third = StoreKey.random()
            try await files.admit(Self.next, beside: Self.key)
            try EncryptedFile(path, key: Self.key).replace(with: Self.text + [1])
            try await files.admit(third, beside: Self.key)
            try EncryptedFile(path, key: Self.key).encrypt()  // as every command does that opens it
            for key in [Self.key, Self.next, third] { #expect(try Self.opened(path, key) == Self.text + [1]) }
            try await files.restrict(to: Self.next)
            for key in [Self.key, third] { #expect(try Self.opened(path, key) == nil) }
            #expect(try Self.opened(path, Self.next) == Self.text + [1])
        }
    }

    @Test func `a file that does not open keeps no other from its change, and is told`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            try EncryptedFile(folder + "/a.json", key: .random()).replace(with: Self.text)
            try EncryptedFile(folder + "/b.json", key: Self.key).replace(with: Self.text)
            let files = EncryptedFiles(in: folder)
            let calls: [@Sendable () async throws -> Void] = [
                { try await files.admit(Self.next, beside: Self.key) }, { try await files.restrict(to: Self.next) },
            ]
            for call in calls {
                await #expect { try await call() } throws: { error in
                    (error as? StoreError)?.code == .wrongKey && "\(error)".contains("/a.json")
                }
            }
            #expect(try Self.opened(folder + "/b.json", Self.next) == Self.text)
            #expect(try Self.opened(folder + "/b.json", Self.key) == nil)
        }
    }

    @Test func `what an interrupted writer has left in plain is overwritten at the next start`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            for name in ["a.json.new", "b.json.plain"] { try PrivateFile.replace(folder + "/" + name, with: Self.text) }
            try await EncryptedFiles(in: folder).encrypt(under: Self.key)
            #expect(try Self.traces(folder) == [])
        }
    }

    @Test func `a key that opens nothing changes nothing`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = folder + "/a.json"
            try EncryptedFile(path, key: Self.key).replace(with: Self.text)
            let before = FileManager.default.contents(atPath: path)
            let files = EncryptedFiles(in: folder)
            let calls: [@Sendable () async throws -> Void] = [
                { try await files.admit(Self.next, beside: .random()) },
                { try await files.admit(Self.next, beside: nil) },
                { try await files.decrypt(with: .random()) }, { try await files.decrypt(with: nil) },
                { try await files.encrypt(under: .random()) }, { try await files.restrict(to: .random()) },
            ]
            for call in calls {
                await #expect { try await call() } throws: { ($0 as? StoreError)?.code == .wrongKey }
            }
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }
}
