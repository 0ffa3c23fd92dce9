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
        guard Self.isName(name) else { return nil }
        return try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM \(kind.rawValue) WHERE name = ?"), arguments: [name])
    }

    /// Whether SQLite can keep a text as a name: it ends one at U+0000.
    static func isName(_ text: String) -> Bool { !text.utf8.contains(0) }

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
        try Row.fetchAll(db, sql: "SELECT id, name FROM \(kind.rawValue) ORDER BY name").compactMap { row in
            guard let number = row.integer(0), case .string(let name) = (row[1] as DatabaseValue).storage else {
                return nil
            }
            return (number, name)
        }
    }

    /// Forgets a number.
    func remove(_ number: Int64) throws {
        try db.execute(sql: "DELETE FROM \(kind.rawValue) WHERE id = ?", arguments: [number])
    }
}
