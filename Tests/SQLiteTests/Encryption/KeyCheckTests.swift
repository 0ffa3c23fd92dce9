import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineSQLite
import TrackEngineSettings
import TrackEngineTestKit

/// A store whose check of its key is damaged: what its rows say about the key counts.
@Suite struct KeyCheckTests {
    private static let key = StoreKey(bytes: [UInt8](repeating: 5, count: 32))

    /// Thirty records, in the database or only in its log, as an agent leaves them that is killed.
    private static func fill(_ root: StoreDirectory, isKilled: Bool) async throws -> (StoreDirectory, [TrackRecord]) {
        let home = StoreDirectory(path: root.path + "/store", key: key)
        let store = try await home.open()
        let records = try await store.append(StoreMaterial.drafts(0..<30), checkpoint: StoreMaterial.checkpoint(29))
        guard isKilled else {
            await store.close()
            return (home, records)
        }
        let killed = StoreDirectory(path: root.path + "/killed", key: key)
        try home.copy(to: killed)
        await store.close()
        return (killed, records)
    }

    /// Flips a bit of the check's value where it lies in the file; its checksum is as it was.
    private static func damage(_ home: StoreDirectory) throws {
        var bytes = try home.bytes(of: "track.sqlite")
        let value = try #require(home.value(ofKeyCheck: bytes))
        bytes[value.lowerBound + 3] ^= 0x10
        try home.write(bytes, to: "track.sqlite")
    }

    private static func refusal(_ home: StoreDirectory) async throws -> String {
        let before = try home.contents()
        var message = ""
        do {
            await (try await home.open()).close()
        } catch let error as StoreError where error.code == .wrongKey { message = error.message }
        #expect(try home.contents() == before)
        return message
    }

    @Test(arguments: [false, true])
    func `with the key that its rows open with it is repaired, and that is said`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { root in
            let (home, records) = try await Self.fill(root, isKilled: isKilled)
            try Self.damage(home)
            let lines = Mutex<[String]>([])
            let logger = Logger(label: "test") { _ in LineHandler { line in lines.withLock { $0.append(line) } } }
            let store = try await home.open(in: StoreEnvironment(), logger: logger)
            #expect(try await store.allRecords() == records)
            await store.close()
            #expect(
                lines.withLock { $0 }.filter { $0.contains("the check of the store's key was damaged") }.count == 1)
            var other = home
            other.key = .random()
            #expect(try await Self.refusal(other).contains("found another one"))
            lines.withLock { $0 = [] }
            let again = try await home.open(in: StoreEnvironment(), logger: logger)
            await again.close()
            #expect(!lines.withLock { $0 }.contains { $0.contains("damaged") })
        }
    }

    @Test(arguments: [false, true])
    func `with another key it is called damaged, and nothing is changed`(_ isKilled: Bool) async throws {
        try await StoreDirectory.with { root in
            let (home, records) = try await Self.fill(root, isKilled: isKilled)
            try Self.damage(home)
            var other = home
            other.key = .random()
            let message = try await Self.refusal(other)
            #expect(message.contains("damaged") && !message.contains("another"), "\(message)")
            let store = try await home.open()
            #expect(try await store.allRecords() == records)
            await store.close()
        }
    }

    @Test func `its key can be changed all the same`() async throws {
        try await StoreDirectory.with { root in
            let (home, records) = try await Self.fill(root, isKilled: false)
            try Self.damage(home)
            let next = StoreKey.random()
            try await (try await home.open()).rewrite(under: next)
            var renewed = home
            renewed.key = next
            let store = try await renewed.open()
            #expect(try await store.allRecords() == records)
            await store.close()
        }
    }

    // MARK: - A look from outside

    private static func problem(_ home: StoreDirectory, _ key: StoreKey?) throws -> String? {
        let file = home.path + "-key"
        try Data((key?.hexadecimal.revealed ?? "").utf8).write(to: URL(fileURLWithPath: file))
        var settings = SQLiteSettings()
        if key != nil { settings.encryption.key = .file(file) }
        do throws(ConfigurationError) {
            try settings.checkKey(in: home.path, secrets: FileSecrets())
            return nil
        } catch { return error.problems.map(\.expectation).joined(separator: "; ") }
    }

    @Test func `a look tells whether a key is the store's, also while it is open, and changes nothing`() async throws {
        try await StoreDirectory.with { root in
            let (home, _) = try await Self.fill(root, isKilled: true)
            let names = try home.names
            let before = try home.contents()
            #expect(try Self.problem(home, Self.key) == nil)
            #expect(try Self.problem(home, .random())?.contains("not another one") == true)
            #expect(try Self.problem(home, nil)?.contains("is encrypted") == true)
            #expect(try home.names == names && home.contents() == before)
            try Self.damage(home)
            #expect(try Self.problem(home, Self.key) == nil)
            #expect(try Self.problem(home, .random())?.contains("damaged") == true)
            // None, and one in plain, take any key.
            #expect(try Self.problem(home.fresh("none"), .random()) == nil)
            let plain = home.fresh("plain")
            var open = plain
            open.key = nil
            await (try await open.open()).close()
            #expect(try Self.problem(plain, .random()) == nil && Self.problem(plain, nil) == nil)
        }
    }
}

/// Secrets in files.
private struct FileSecrets: SecretProvider {
    func take(_ key: String, _ reference: SecretReference) throws(SecretFailure) -> Secret {
        guard case .file(let path) = reference, let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw SecretFailure(expectation: "a file")
        }
        return Secret(text)
    }

    func current(_ key: String) async -> Secret? { nil }
    func path(ofCredential name: String) throws(SecretFailure) -> String { throw SecretFailure(expectation: "a file") }
}

/// Hands on each message.
private struct LineHandler: LogHandler {
    let line: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ line: @escaping @Sendable (String) -> Void) { self.line = line }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { line("\(event.message)") }
}

extension StoreDirectory {
    /// Where the value of the key's check lies in the file's bytes: behind its name, in the row of the table.
    fileprivate func value(ofKeyCheck bytes: [UInt8]) -> Range<Int>? {
        // Header of the row: its length, a text of three bytes (19), a blob of 16 (44), and an integer.
        let name = Array("key".utf8)
        return bytes.indices.dropFirst(4).dropLast(20).first { place in
            bytes[place] == name[0] && bytes[place + 1] == name[1] && bytes[place + 2] == name[2]
                && bytes[place - 3] == 19 && bytes[place - 2] == 44
        }.map { $0 + 3..<$0 + 19 }
    }
}
