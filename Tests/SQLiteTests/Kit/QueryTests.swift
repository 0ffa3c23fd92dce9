import SQLiteAccess
import TestSupport
import Testing

struct QueryTests {
    private static func withTable(_ body: (Database) throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let db = try Database(path: directory + "/kit.sqlite")
            try db.execute(sql: "CREATE TABLE cell (id INTEGER PRIMARY KEY, value ANY)")
            try body(db)
            try db.close()
        }
    }

    private static let values: [DatabaseValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(-0.5), .text(""), .text("über 🚲"), .text("a\0b"),
        .blob([]), .blob([0, 255, 0]),
    ]

    @Test(arguments: values)
    func `a value comes back as it was stored`(_ value: DatabaseValue) async throws {
        try await Self.withTable { db in
            try db.execute(sql: "INSERT INTO cell (value) VALUES (?)", arguments: [value])
            #expect(try DatabaseValue.fetchOne(db, sql: "SELECT value FROM cell") == value)
            #expect(try db.rows(sql: "SELECT id, value FROM cell").compactMap(\.values) == [[.integer(1), value]])
        }
    }

    @Test(arguments: values)
    func `a value of another kind is nil`(_ value: DatabaseValue) async throws {
        try await Self.withTable { db in
            try db.execute(sql: "INSERT INTO cell (value) VALUES (?)", arguments: [value])
            let found = try db.rows(sql: "SELECT value FROM cell").compactMap { row in
                [
                    row.integer(0).map { .integer($0) }, row.number(0).map { .real($0) },
                    row.text(0).map { .text($0) }, row.blob(0).map { .blob($0) },
                ].compactMap { (value: DatabaseValue?) in value }
            }
            #expect(found == [value == .null ? [] : [value]])
            #expect(try Int64.fetchOne(db, sql: "SELECT value FROM cell") == Int64(value))
            #expect(try String.fetchAll(db, sql: "SELECT value FROM cell") == (String(value).map { [$0] } ?? []))
            #expect(try Int32.fetchOne(db, sql: "SELECT value FROM cell") == Int32(value))
        }
    }

    @Test func `no bytes bound by hand are an empty value, not NULL`() async throws {
        try await Self.withTable { db in
            let query = try db.query("INSERT INTO cell (value) VALUES (?), (?), (?), (?)")
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            query.bind(none, at: 1)
            query.bind(text: none, at: 2)
            query.bind(ColumnValue.blob(none), at: 3)
            query.bind(ColumnValue.text(none), at: 4)
            try query.run()
            #expect(
                try String.fetchAll(db, sql: "SELECT typeof(value) FROM cell ORDER BY id")
                    == ["blob", "text", "blob", "text"])
        }
    }

    @Test func `values bound by hand end with the run`() async throws {
        try await Self.withTable { db in
            let query = try db.query("INSERT INTO cell (value) VALUES (?)")
            query.bind(7, at: 1)
            try query.run()
            try query.run()
            #expect(try db.rows(sql: "SELECT value FROM cell").compactMap { $0[0] } == [.integer(7), .null])
        }
    }

    @Test func `a column that is not there is NULL, and so is every column without a row`() async throws {
        try await Self.withTable { db in
            let rows = try db.rows(sql: "SELECT 1")
            let row = try #require(try rows.next())
            #expect(row[5] == .null && row[0] == .integer(1))
            #expect(try rows.next() == nil)
            #expect(row[0] == .null)
            #expect(try rows.next() == nil, "the query began anew")
        }
    }

    @Test func `after an error a query can be used again`() async throws {
        try await Self.withTable { db in
            let query = try db.query("INSERT INTO cell VALUES (?, 0)")
            query.bind(1, at: 1)
            try query.run()
            query.bind(1, at: 1)
            let error = #expect(throws: DatabaseError.self) { try query.run() }
            #expect(error?.code == .constraint)
            query.bind(2, at: 1)
            try query.run()
            #expect(db.changesCount == 1 && db.lastInsertedRowID == 2)
        }
    }

    @Test func `a query that is in use is not given out again`() async throws {
        try await Self.withTable { db in
            try db.execute(sql: "INSERT INTO cell VALUES (1, 'a'), (2, 'b'), (3, 'c')")
            let sql = "SELECT id FROM cell ORDER BY id"
            var pairs: [[Int64]] = []
            let outer = try db.rows(sql: sql)
            while let row = try outer.next() {
                for inner in try Int64.fetchAll(db, sql: sql) { pairs.append([row.integer(0) ?? 0, inner]) }
            }
            #expect(pairs.count == 9 && pairs.last == [3, 3])
        }
    }

    @Test func `a wrong number of arguments is an error`() async throws {
        try await Self.withTable { db in
            let error = #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT ?", arguments: []) }
            #expect(error?.code == .misuse)
        }
    }

    @Test func `a value for a parameter that is not there is an error, once`() async throws {
        try await Self.withTable { db in
            let query = try db.query("INSERT INTO cell (value) VALUES (?)")
            query.bind(1, at: 2)
            #expect(throws: DatabaseError.self) { try query.run() }
            query.bind(1, at: 1)
            try query.run()
        }
    }

    @Test func `statements run in order up to the first with an error`() async throws {
        try await Self.withTable { db in
            let sql = "INSERT INTO cell VALUES (1, 0); INSERT INTO nowhere VALUES (2); INSERT INTO cell VALUES (3, 0)"
            let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
            #expect(error?.code == .error && error?.message == "no such table: nowhere")
            #expect(try Int64.fetchAll(db, sql: "SELECT id FROM cell") == [1])
            try db.execute(sql: " ; -- nothing\n; INSERT INTO cell VALUES (4, 0); /* end */ ")
            #expect(try Int64.fetchAll(db, sql: "SELECT id FROM cell") == [1, 4])
        }
    }

    @Test func `each of several statements runs to its end`() async throws {
        try await Self.withTable { db in
            try db.execute(
                sql: "INSERT INTO cell VALUES (1, 0), (2, 0); SELECT * FROM cell; DELETE FROM cell RETURNING id")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM cell") == 0)
            #expect(db.totalChangesCount == 4)
        }
    }

    @Test func `a pragma is read anew each time`() async throws {
        try await Self.withTable { db in
            for level in [1, 0, 1] {
                try db.execute(sql: "PRAGMA secure_delete = \(level)")
                let found = try Int.fetchOne(db, sql: "PRAGMA secure_delete")
                #expect(found == level)
            }
        }
    }

    @Test func `few compiled queries are kept`() async throws {
        try await Self.withTable { db in
            for number in 0..<1_000 { _ = try Int.fetchOne(db, sql: "SELECT \(number)") }
            #expect(db.idleCount <= 100)
        }
    }

    @Test func `a word in double quotes is a name, never a text`() async throws {
        try await Self.withTable { db in
            #expect(throws: DatabaseError.self) { try Int.fetchOne(db, sql: "SELECT \"nothing\" FROM cell") }
        }
    }

    @Test func `a query without an end is interrupted, and the next one is not`() async throws {
        try await Self.withTable { db in
            let endless = "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a WHERE n < 0"
            let error = #expect(throws: DatabaseError.self) {
                try db.within(.milliseconds(20)) { try Int.fetchOne($0, sql: endless) }
            }
            #expect(error?.code == .interrupted)
            let long =
                "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a LIMIT 20000) SELECT count(*) FROM a"
            let count = try Int.fetchOne(db, sql: long)
            #expect(count == 20_000)
        }
    }
}
