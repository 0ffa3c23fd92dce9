import SQLiteAccess

/// A table of names, each with a number. In an encrypted history a name is sealed, and found by its tag.
struct NamedTable {
    /// The two tables of this kind.
    enum Kind: String, CaseIterable {
        case device, source
    }

    let kind: Kind
    let tables: HistoryTableSet

    private var db: Database { tables.db }

    /// Returns the number of a name; `nil` for an unknown name.
    func number(of name: String) throws -> Int64? {
        guard Self.isName(name) else { return nil }
        let key = key(name)
        let number = try reading {
            try Int64.fetchOne(db, sql: "SELECT id FROM \(kind.rawValue) WHERE \(keyColumn) = ?", arguments: [key])
        } orElse: {
            try readable(keyColumn).first { $0.value == key }?.key
        }
        if let number { return try verified(number, of: name) }
        // A placeholder is shown and asked for, but the number is found by the lost name.
        guard tables.seal != nil, name.hasPrefix(Self.placeholder) else { return nil }
        return try all().first { $0.name == name }?.number
    }

    /// Returns the number for which a name is sealed, if it is not the one of the row that its key leads to: without the
    /// key of the history rows can be exchanged, and parts of them.
    private func verified(_ number: Int64, of name: String) throws -> Int64? {
        guard tables.seal != nil else { return number }
        let own = try self.name(of: number)
        guard own != name else { return number }
        let sealed = try readable(contents)
        let other = sealed.keys.first { candidate in
            [candidate, number].contains { sealed[$0].flatMap { self.name($0, of: candidate) } == name }
        }
        guard let other, other != number else {
            // A name that cannot be read, or that has been replaced: the key is the only trace of it.
            if own.map({ $0.hasPrefix(Self.placeholder) }) ?? true { return number }
            tables.health.noteDamage(ofTree: kind.rawValue)
            return nil
        }
        tables.health.noteDamage(ofTree: kind.rawValue)
        return other
    }

    /// The beginning of the placeholders for names that cannot be read.
    static let placeholder = "lost-"

    /// Whether SQLite can store a text as a name: U+0000 would end it.
    static func isName(_ text: String) -> Bool { !text.utf8.contains(0) }

    /// Returns the number of a name; a new name gets one.
    func number(making name: String) throws -> Int64 {
        if let number = try knownNumber(of: name) {
            guard try verified(number, of: name) == number else { throw DatabaseError(.corrupt, "names are exchanged") }
            if tables.seal != nil, try self.name(of: number) != name { try setName(name, of: number) }
            return number
        }
        return try insert(name, key: key(name))
    }

    /// Gives a number to a name that is found by a key but cannot be read: it has a placeholder name until its own is
    /// added again.
    func number(makingLost name: String, foundBy key: DatabaseValue?) throws -> Int64 {
        guard let key, tables.seal != nil else { return try number(making: name) }
        return try insert(name, key: key)
    }

    /// Returns the key of a number whose name cannot be read; `nil` when the key cannot be read either.
    func lostKey(of number: Int64) throws -> DatabaseValue? { try readable(keyColumn)[number] }

    private func insert(_ name: String, key: DatabaseValue) throws -> Int64 {
        guard tables.seal != nil else {
            try db.execute(sql: "INSERT INTO \(kind.rawValue) (name) VALUES (?)", arguments: [key])
            return db.lastInsertedRowID
        }
        // The sealed name is bound to the number, which is known once the row exists.
        try db.execute(sql: "INSERT INTO \(kind.rawValue) (tag, contents) VALUES (?, x'')", arguments: [key])
        let number = db.lastInsertedRowID
        try setName(name, of: number)
        return number
    }

    func setName(_ name: String, of number: Int64) throws {
        guard let seal = tables.seal else { return }
        try db.execute(
            sql: "UPDATE \(kind.rawValue) SET contents = ? WHERE id = ?",
            arguments: [try seal.seal(Array(name.utf8), as: kind.sealed, [number]), number])
    }

    /// Returns the number of a name, with an error for damage: an addition must not make a second number.
    private func knownNumber(of name: String) throws -> Int64? {
        guard Self.isName(name) else { return nil }
        return try Int64.fetchOne(
            db, sql: "SELECT id FROM \(kind.rawValue) WHERE \(keyColumn) = ?", arguments: [key(name)])
    }

    /// Returns the name of a number.
    func name(of number: Int64) throws -> String? {
        let value = try reading {
            try DatabaseValue.fetchOne(
                db, sql: "SELECT \(contents) FROM \(kind.rawValue) WHERE id = ?", arguments: [number])
        } orElse: {
            try readable(contents)[number]
        }
        return value.flatMap { readName($0, of: number) }
    }

    /// Returns all names with their numbers, by name.
    func all() throws -> [(number: Int64, name: String)] {
        let values = try reading {
            var values: [Int64: DatabaseValue] = [:]
            try read("SELECT id, \(contents) FROM \(kind.rawValue)") { values[$0] = $1 }
            return values
        } orElse: {
            try readable(contents)
        }
        return values.compactMap { number, value in readName(value, of: number).map { (number, $0) } }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Removes a number and its name.
    func remove(_ number: Int64) throws {
        try db.execute(sql: "DELETE FROM \(kind.rawValue) WHERE id = ?", arguments: [number])
    }
}

// MARK: - Damaged pages

extension NamedTable {
    /// The count of numbers to search after the last readable one; ten times as many between two readable ones.
    private static let mostLost: Int64 = 1_000

    /// Runs a query, and an alternative when it meets a damaged page.
    private func reading<Result>(_ body: () throws -> Result, orElse other: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError where error.isDamage {
            tables.health.noteDamage(ofTable: kind.rawValue)
            return try other()
        }
    }

    private func read(_ sql: String, _ body: (Int64, DatabaseValue) -> Void) throws {
        let rows = try db.rows(sql: sql)
        while let row = try rows.next() { if let number = row.integer(0) { body(number, row[1]) } }
    }

    /// Returns the values of a column on the readable pages: from both ends, one by one between them, and from the
    /// index if it has the column.
    private func readable(_ column: String) throws -> [Int64: DatabaseValue] {
        var values: [Int64: DatabaseValue] = [:]
        /// Returns the last number.
        func collect(_ sql: String) throws -> Int64? {
            var last: Int64?
            do {
                try read(sql) { (last, values[$0]) = ($0, $1) }
            } catch let error as DatabaseError where error.isDamage {}  // rows read before remain
            return last
        }
        let reading = "SELECT id, \(column) FROM \(kind.rawValue)"
        let first = try collect("\(reading) ORDER BY id") ?? 0
        let last = try collect("\(reading) ORDER BY id DESC") ?? first + Self.mostLost
        if column == keyColumn {
            for order in ["ASC", "DESC"] {
                _ = try collect(
                    "\(reading) INDEXED BY sqlite_autoindex_\(kind.rawValue)_1 ORDER BY \(column) \(order)")
            }
        }
        for number in first..<min(max(first, last), first + 10 * Self.mostLost) where values[number] == nil {
            _ = try collect("\(reading) WHERE id = \(number)")
        }
        return values
    }
}

// MARK: - In plain or sealed

extension NamedTable {
    private var contents: String { tables.seal == nil ? "name" : "contents" }
    private var keyColumn: String { tables.seal == nil ? "name" : "tag" }

    /// The value by which a name is found.
    func key(_ name: String) -> DatabaseValue {
        guard let seal = tables.seal else { return .text(name) }
        return .blob(seal.tag(kind.tag, text: name))
    }

    /// Returns the name in its column; `nil` when it is damaged, which is noted.
    private func readName(_ value: DatabaseValue, of number: Int64) -> String? {
        let name = name(value, of: number)
        if name == nil { tables.health.noteDamage(ofTable: kind.rawValue) }
        return name
    }

    /// Returns the name in its column; `nil` when it is damaged.
    func name(_ value: DatabaseValue, of number: Int64) -> String? {
        switch (value, tables.seal) {
        case (.text(let name), nil): name
        case (.blob(let sealed), let seal?):
            seal.open(sealed, as: kind.sealed, [number]).flatMap { String(validating: $0, as: UTF8.self) }
        case _: nil
        }
    }
}

extension NamedTable.Kind {
    fileprivate var sealed: HistoryCipher.Kind {
        switch self {
        case .device: .device
        case .source: .source
        }
    }

    fileprivate var tag: HistoryCipher.HashKind {
        switch self {
        case .device: .device
        case .source: .source
        }
    }
}
