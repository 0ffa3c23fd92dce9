import Foundation
import Logging
import SQLiteAccess
import Synchronization
import TestSupport
import TrackEngine
import TrackEngineSQLite
import TrackEngineTestKit

/// A folder of stores for one test.
struct StoreDirectory {
    let path: String
    /// What its stores are encrypted with.
    var key: StoreKey?

    static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (StoreDirectory) async throws -> Result
    ) async throws -> Result {
        try await TestEnvironment.withTemporaryDirectory { try await body(StoreDirectory(path: $0)) }
    }

    var database: String { path + "/track.sqlite" }

    private var configuration: SQLiteFixStore.Configuration {
        var configuration = SQLiteFixStore.Configuration(directory: path)
        configuration.key = key
        return configuration
    }

    func open() async throws -> SQLiteFixStore {
        try await SQLiteFixStore.open(
            configuration: configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func open(in environment: StoreEnvironment, logger: Logger? = nil) async throws -> SQLiteFixStore {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try await SQLiteFixStore.open(
            configuration: configuration, logger: logger ?? silent, environment: environment)
    }

    func fresh(_ name: String = UUID().uuidString) -> StoreDirectory {
        StoreDirectory(path: path + "/" + name, key: key)
    }

    /// What a killed process would have left: the files as they are now, without the lock being held.
    func copy(to other: StoreDirectory) throws {
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        for name in ["track.sqlite", "track.sqlite-wal", "track.ledger"] {
            let source = path + "/" + name
            guard FileManager.default.fileExists(atPath: source) else { continue }
            try FileManager.default.copyItem(atPath: source, toPath: other.path + "/" + name)
        }
    }

    func mode(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + (name.isEmpty ? "" : "/" + name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
    /// The databases that were set aside, without their logs.
    var setAside: [String] {
        get throws {
            try names.filter { $0.contains(".corrupt-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        }
    }
}

// MARK: - Bytes

extension StoreDirectory {
    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    /// The database and its log.
    func contents() throws -> [[UInt8]] {
        try ["track.sqlite", "track.sqlite-wal"].map { name in
            try names.contains(name) ? bytes(of: name) : []
        }
    }

    /// A page of the database, counted from 0.
    func page(_ number: Int) throws -> [UInt8] {
        Array(try bytes(of: "track.sqlite")[number * 4096..<number * 4096 + 4096])
    }

    /// Changes the database from outside.
    func execute(_ sql: String) throws {
        let db = try Database(path: database)
        try db.immediateTransaction { try $0.execute(sql: sql) }
        try db.close()
    }

    func overwritePage(_ number: Int, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.seek(toOffset: UInt64(number) * 4096)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func truncate(to length: Int) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: database))
        try handle.truncate(atOffset: UInt64(length))
        try handle.close()
    }

    func flipBit(_ bit: Int, of name: String) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/" + name))
        try handle.seek(toOffset: UInt64(bit / 8))
        let byte = try handle.read(upToCount: 1)?.first ?? 0
        try handle.seek(toOffset: UInt64(bit / 8))
        try handle.write(contentsOf: Data([byte ^ 1 << UInt8(bit % 8)]))
        try handle.close()
    }
}

/// Remembers in which folder a store lives, for laws that reopen.
final class StoreHomes: Sendable {
    private let homes = Mutex<[ObjectIdentifier: StoreDirectory]>([:])
    let root: StoreDirectory

    init(root: StoreDirectory) { self.root = root }

    @Sendable func make() async throws -> any FixStore { try await open(root.fresh()) }

    func open(_ home: StoreDirectory) async throws -> any FixStore {
        let store = try await home.open()
        homes.withLock { $0[ObjectIdentifier(store)] = home }
        return store
    }

    func home(of store: any FixStore) -> StoreDirectory? {
        homes.withLock { homes in (store as? SQLiteFixStore).flatMap { homes[ObjectIdentifier($0)] } }
    }

    /// Ends a store in order, does something to its files, and opens it again.
    func reopen(_ store: any FixStore, after change: (StoreDirectory) throws -> Void) async throws -> any FixStore {
        guard let home = home(of: store) else { throw CocoaError(.fileNoSuchFile) }
        await store.close()
        try change(home)
        return try await open(home)
    }

    @Sendable func reopen(_ store: any FixStore) async throws -> any FixStore {
        try await reopen(store) { _ in }
    }

    /// Opens what a kill would have left, while the first store is still there.
    @Sendable func reopenAfterKill(_ store: any FixStore) async throws -> any FixStore {
        guard let home = home(of: store) else { throw CocoaError(.fileNoSuchFile) }
        let copy = root.fresh()
        try home.copy(to: copy)
        await store.close()
        return try await open(copy)
    }
}
