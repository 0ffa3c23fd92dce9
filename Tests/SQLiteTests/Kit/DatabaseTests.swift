import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct DatabaseTests {
    private struct Stop: Error {}

    /// A database with the numbers 1 and 2.
    private static func withDatabase(_ body: (_ db: Database, _ path: String) throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/kit.sqlite"
            let db = try Database(path: path, patience: 0)
            try db.execute(sql: "CREATE TABLE number (id INTEGER PRIMARY KEY); INSERT INTO number VALUES (1), (2)")
            try body(db, path)
        }
    }

    private static func numbers(_ db: Database) throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT id FROM number ORDER BY id")
    }

    /// Expects some numbers, outside a transaction.
    private static func expectNumbers(_ expected: [Int], in db: Database) throws {
        let found = try numbers(db)
        #expect(found == expected && !db.isInTransaction)
    }

    // MARK: - Transactions

    @Test func `an error undoes a transaction`() async throws {
        try await Self.withDatabase { db, _ in
            #expect(throws: Stop.self) {
                try db.immediateTransaction { db in
                    try db.execute(sql: "INSERT INTO number VALUES (3)")
                    throw Stop()
                }
            }
            try Self.expectNumbers([1, 2], in: db)
            let isInside = try db.immediateTransaction { db in
                try db.execute(sql: "INSERT INTO number VALUES (4)")
                return db.isInTransaction
            }
            #expect(isInside)
            try Self.expectNumbers([1, 2, 4], in: db)
        }
    }

    @Test func `a transaction that SQLite has undone by itself throws the original error`() async throws {
        try await Self.withDatabase { db, _ in
            let error = #expect(throws: DatabaseError.self) {
                try db.immediateTransaction { db in
                    try db.execute(sql: "INSERT INTO number VALUES (3)")
                    try db.execute(sql: "INSERT OR ROLLBACK INTO number VALUES (1)")
                }
            }
            #expect(error?.code == .constraint)
            try Self.expectNumbers([1, 2], in: db)
        }
    }

    @Test func `an error in a savepoint undoes that part alone`() async throws {
        try await Self.withDatabase { db, _ in
            try db.immediateTransaction { db in
                try db.execute(sql: "INSERT INTO number VALUES (3)")
                #expect(throws: Stop.self) {
                    try db.savepoint { db in
                        try db.execute(sql: "INSERT INTO number VALUES (4)")
                        throw Stop()
                    }
                }
                try db.savepoint { try $0.execute(sql: "INSERT INTO number VALUES (5)") }
            }
            try Self.expectNumbers([1, 2, 3, 5], in: db)
        }
    }

    @Test func `outside a transaction a savepoint is one`() async throws {
        try await Self.withDatabase { db, _ in
            #expect(throws: Stop.self) {
                try db.savepoint { db in
                    try db.execute(sql: "DELETE FROM number")
                    throw Stop()
                }
            }
            try db.savepoint { try $0.execute(sql: "INSERT INTO number VALUES (5)") }
            try Self.expectNumbers([1, 2, 5], in: db)
        }
    }

    // MARK: - Errors

    @Test func `a full database undoes the transaction and can be used again`() async throws {
        try await Self.withDatabase { db, _ in
            try db.execute(sql: "CREATE TABLE note (body BLOB); PRAGMA max_page_count = 20")
            let error = #expect(throws: DatabaseError.self) {
                try db.immediateTransaction { db in
                    try db.execute(sql: "INSERT INTO number VALUES (3)")
                    try db.execute(sql: "INSERT INTO note VALUES (zeroblob(1000000))")
                }
            }
            #expect(error?.code == .full)
            try Self.expectNumbers([1, 2], in: db)
            try db.execute(sql: "INSERT INTO note VALUES (zeroblob(1000))")
        }
    }

    @Test func `a database that another connection writes is busy`() async throws {
        try await Self.withDatabase { db, path in
            let other = try Database(path: path)
            try other.execute(sql: "BEGIN IMMEDIATE")
            let error = #expect(throws: DatabaseError.self) { try db.immediateTransaction { _ in } }
            #expect(error?.code == .busy)
            try other.execute(sql: "ROLLBACK")
            try db.immediateTransaction { try $0.execute(sql: "INSERT INTO number VALUES (3)") }
        }
    }

    @Test func `a query that is given up lets others write`() async throws {
        try await Self.withDatabase { db, path in
            let other = try Database(path: path, patience: 0)
            var rows: DatabaseQuery? = try db.rows(sql: "SELECT id FROM number")
            #expect(try rows?.next() != nil)
            let error = #expect(throws: DatabaseError.self) { try other.execute(sql: "DELETE FROM number") }
            #expect(error?.code == .busy)
            rows = nil
            try other.execute(sql: "DELETE FROM number")
        }
    }

    @Test func `errors have SQLite's codes`() async throws {
        try await Self.withDatabase { db, path in
            try db.close()
            let reader = try Database(path: path, .reading)
            let refused = #expect(throws: DatabaseError.self) { try reader.execute(sql: "DELETE FROM number") }
            #expect(refused?.code == .readOnly)
            try reader.close()
            // The root of the table becomes a page of no kind.
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: 4_096)
            try file.write(contentsOf: Data(repeating: 9, count: 4_096))
            try file.close()
            let damaged = #expect(throws: DatabaseError.self) { try Self.numbers(Database(path: path)) }
            #expect(damaged?.code == .corrupt)
            try Data(repeating: 9, count: 8_192).write(to: URL(fileURLWithPath: path))
            let foreign = #expect(throws: DatabaseError.self) { try Self.numbers(Database(path: path)) }
            #expect(foreign?.code == .notADatabase)
            let missing = #expect(throws: DatabaseError.self) { try Database(path: path + "/none/kit.sqlite") }
            #expect(missing?.code.rawValue == 14)  // SQLITE_CANTOPEN
        }
    }

    // MARK: - Opening and closing

    @Test func `a connection closes as a whole although queries are held`() async throws {
        try await Self.withDatabase { db, path in
            try db.execute(sql: "PRAGMA journal_mode = WAL; INSERT INTO number VALUES (3)")
            let held = try db.rows(sql: "SELECT id FROM number")
            let row = try #require(try held.next())
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
            try db.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            #expect(row.integer(0) == nil && row.values.isEmpty)
            for call in [{ _ = try held.next() }, { try held.run() }, { try db.execute(sql: "SELECT 1") }] {
                #expect(throws: DatabaseError.self) { try call() }
            }
            #expect(!db.hasMoved && db.changesCount == 0)
            try db.close()
        }
    }

    @Test func `a database that is released is closed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/kit.sqlite"
            func use() throws {
                let db = try Database(path: path)
                try db.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE a (b)")
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM a") == 0)
            }
            try use()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    @Test func `an immutable database is read without its log and without a change, whatever its name`() async throws {
        try await Self.withDatabase { db, path in
            try db.execute(sql: "PRAGMA journal_mode = WAL; INSERT INTO number VALUES (3)")
            let copy = path + " 100%?#&=.copy"
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: copy))
            let other = try Database(path: copy, .immutable)
            try Self.expectNumbers([1, 2], in: other)
            try other.close()
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
            #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
        }
    }

    @Test func `a value longer than the limit is an error`() async throws {
        try await Self.withDatabase { _, path in
            let db = try Database(path: path, .reading, longest: 1_000)
            let error = #expect(throws: DatabaseError.self) {
                try [UInt8].fetchOne(db, sql: "SELECT zeroblob(1001)")
            }
            #expect(error?.code == .tooBig)
        }
    }
}
