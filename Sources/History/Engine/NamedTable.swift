import GRDB

/// A table of names that each have a number.
struct NamedTable {
    /// The two tables of this kind.
    enum Kind: String {
        case device, source
    }

    let kind: Kind
    let db: Database

    /// The number of a name; `nil` where nothing has it.
    func number(of name: String) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM \(kind.rawValue) WHERE name = ?"), arguments: [name])
    }

    /// The number of a name, which gets one if it has none.
    func number(making name: String) throws -> Int64 {
        if let number = try number(of: name) { return number }
        try db.execute(sql: "INSERT INTO \(kind.rawValue) (name) VALUES (?)", arguments: [name])
        return db.lastInsertedRowID
    }

    /// The name of a number.
    func name(of number: Int64) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT name FROM \(kind.rawValue) WHERE id = ?"), arguments: [number])
    }

    /// All names with their numbers, by name.
    func all() throws -> [(number: Int64, name: String)] {
        try Row.fetchAll(db, sql: "SELECT id, name FROM \(kind.rawValue) ORDER BY name").map { ($0[0], $0[1]) }
    }
}
