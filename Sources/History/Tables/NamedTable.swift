import FoundationEssentials
import GRDB

/// A table of names that each have a number. In an encrypted history a name is sealed, and found by its tag.
struct NamedTable {
    /// The two tables of this kind.
    enum Kind: String {
        case device, source
    }

    let kind: Kind
    let tables: HistoryTables

    private var db: Database { tables.db }

    /// The number of a name; `nil` where nothing has it.
    func number(of name: String) throws -> Int64? {
        guard Self.isName(name) else { return nil }
        let column = tables.seal == nil ? "name" : "tag"
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM \(kind.rawValue) WHERE \(column) = ?"), arguments: [key(name)])
    }

    /// Whether SQLite can keep a text as a name: it ends one at U+0000.
    static func isName(_ text: String) -> Bool { !text.utf8.contains(0) }

    /// The number of a name, which gets one if it has none.
    func number(making name: String) throws -> Int64 {
        if let number = try number(of: name) { return number }
        guard let seal = tables.seal else {
            try db.execute(sql: "INSERT INTO \(kind.rawValue) (name) VALUES (?)", arguments: [name])
            return db.lastInsertedRowID
        }
        // What is sealed is bound to the number, which is known when the row is there.
        try db.execute(
            sql: "INSERT INTO \(kind.rawValue) (tag, contents) VALUES (?, x'')", arguments: [key(name)])
        let number = db.lastInsertedRowID
        try db.execute(
            sql: "UPDATE \(kind.rawValue) SET contents = ? WHERE id = ?",
            arguments: [Data(try seal.seal(Array(name.utf8), as: kind.sealed, [number])), number])
        return number
    }

    /// The name of a number.
    func name(of number: Int64) throws -> String? {
        let statement = try db.cachedStatement(sql: "SELECT \(contents) FROM \(kind.rawValue) WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [number]).flatMap { name($0[0] as DatabaseValue, of: number) }
    }

    /// All names with their numbers, by name.
    func all() throws -> [(number: Int64, name: String)] {
        try Row.fetchAll(db, sql: "SELECT id, \(contents) FROM \(kind.rawValue)").compactMap { row in
            guard let number = row.integer(0), let name = name(row[1] as DatabaseValue, of: number) else { return nil }
            return (number, name)
        }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Forgets a number.
    func remove(_ number: Int64) throws {
        try db.execute(sql: "DELETE FROM \(kind.rawValue) WHERE id = ?", arguments: [number])
    }
}

// MARK: - In plain or sealed

extension NamedTable {
    private var contents: String { tables.seal == nil ? "name" : "contents" }

    /// What a name is found by.
    private func key(_ name: String) -> DatabaseValue {
        guard let seal = tables.seal else { return name.databaseValue }
        return Data(seal.tag(kind.tag, text: name)).databaseValue
    }

    /// The name in its column; `nil` where it is damaged.
    private func name(_ value: DatabaseValue, of number: Int64) -> String? {
        switch (value.storage, tables.seal) {
        case (.string(let name), nil): name
        case (.blob(let sealed), let seal?):
            seal.open(Array(sealed), as: kind.sealed, [number]).flatMap { String(validating: $0, as: UTF8.self) }
        case _: nil
        }
    }
}

extension NamedTable.Kind {
    fileprivate var sealed: HistorySeal.Kind {
        switch self {
        case .device: .device
        case .source: .source
        }
    }

    fileprivate var tag: HistorySeal.Tag {
        switch self {
        case .device: .device
        case .source: .source
        }
    }
}
