import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Names of files that have a meaning in SQLite's URIs or none at all.
@Suite struct DatabasePathTests {
    private static let names = [
        "a%41b", "a%", "100%25", "a?immutable=0", "a?mode=memory", "?", "a#b", "#", "%3f?#", "a b", "a&b=c", "ü€",
        ":memory:",
        "file:a", "a\\b", "'a'\"", "a;b", "-a", "~",
    ]

    /// The numbers in a database, each way of opening its file.
    private static func numbers(_ path: String, _ access: Database.Access) throws -> [Int] {
        let db = try Database(path: path, access)
        let numbers = try Int.fetchAll(db, sql: "SELECT id FROM number ORDER BY id")
        try db.close()
        return numbers
    }

    private static func make(_ path: String, _ number: Int) throws {
        let db = try Database(path: path)
        try db.execute(sql: "CREATE TABLE number (id INTEGER PRIMARY KEY); INSERT INTO number VALUES (\(number))")
        try db.close()
    }

    @Test(arguments: names, ["/", "//", "///"])
    func `a file is the one with that very name, however it is opened`(_ name: String, _ slash: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            // A directory and a file of that name.
            let inner = directory + slash + name
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            let path = inner + slash + name + ".sqlite"
            try Self.make(path, 7)
            #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == [name + ".sqlite"])
            for access in [Database.Access.full, .reading, .immutable] {
                #expect(try Self.numbers(path, access) == [7], "\(access)")
            }
        }
    }

    @Test func `a path that begins with two slashes is no host`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try Self.make(directory + "/a.sqlite", 7)
            for slashes in ["/", "//", "///"] {
                for access in [Database.Access.full, .reading, .immutable] {
                    #expect(try Self.numbers(slashes + directory + "/a.sqlite", access) == [7], "\(slashes) \(access)")
                }
            }
        }
    }

    @Test(arguments: [Database.Access.reading, .immutable])
    func `only a database that may be written is made`(_ access: Database.Access) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/a?b.sqlite"
            #expect(throws: DatabaseError.self) { _ = try Self.numbers(path, access) }
            let files = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(files.isEmpty)
        }
    }

    @Test func `an immutable database is read without its log, and nothing beside it is made`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/a#1.sqlite"
            let db = try Database(path: path)
            try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE number (id INTEGER PRIMARY KEY)")
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO number VALUES (1)")
            #expect(try Self.numbers(path, .immutable) == [])
            #expect(try Self.numbers(path, .reading) == [1])
            try db.close()
            #expect(try Self.numbers(path, .immutable) == [1])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["a#1.sqlite"])
        }
    }
}
