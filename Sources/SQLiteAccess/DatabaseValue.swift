/// A value of a column, with memory of its own.
package enum DatabaseValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A type whose values are stored in columns.
package protocol DatabaseField {
    /// The value as it is stored.
    var databaseValue: DatabaseValue { get }

    /// Reads a value; `nil` for one of another kind, as damage may leave it.
    init?(_ value: DatabaseValue)
}

extension DatabaseField {
    /// The first column of a query's first row; `nil` when there is none, or a value of another kind.
    package static func fetchOne(
        _ db: Database, sql: String, arguments: [any DatabaseField] = []
    ) throws(DatabaseError) -> Self? {
        try db.rows(sql: sql, arguments: arguments).next().flatMap { Self($0[0]) }
    }

    /// The first column of all rows of a query, without values of another kind.
    package static func fetchAll(
        _ db: Database, sql: String, arguments: [any DatabaseField] = []
    ) throws(DatabaseError) -> [Self] {
        let rows = try db.rows(sql: sql, arguments: arguments)
        var values: [Self] = []
        while let row = try rows.next() { if let value = Self(row[0]) { values.append(value) } }
        return values
    }
}

extension DatabaseValue: DatabaseField {
    package var databaseValue: DatabaseValue { self }
    package init(_ value: DatabaseValue) { self = value }
}

extension Int64: DatabaseField {
    package var databaseValue: DatabaseValue { .integer(self) }

    package init?(_ value: DatabaseValue) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }
}

extension Int: DatabaseField {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }
    package init?(_ value: DatabaseValue) {
        guard let number = Int64(value) else { return nil }
        self.init(exactly: number)
    }
}

extension Int32: DatabaseField {
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }
    package init?(_ value: DatabaseValue) {
        guard let number = Int64(value) else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: DatabaseField {
    package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
    package init?(_ value: DatabaseValue) {
        guard let number = Int64(value) else { return nil }
        self = number != 0
    }
}

extension Double: DatabaseField {
    package var databaseValue: DatabaseValue { .real(self) }

    package init?(_ value: DatabaseValue) {
        guard case .real(let number) = value else { return nil }
        self = number
    }
}

extension String: DatabaseField {
    package var databaseValue: DatabaseValue { .text(self) }

    package init?(_ value: DatabaseValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension [UInt8]: DatabaseField {
    package var databaseValue: DatabaseValue { .blob(self) }

    package init?(_ value: DatabaseValue) {
        guard case .blob(let bytes) = value else { return nil }
        self = bytes
    }
}

/// `NULL` for `nil`.
extension Optional: DatabaseField where Wrapped: DatabaseField {
    package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

    package init?(_ value: DatabaseValue) { self = Wrapped(value) }
}
