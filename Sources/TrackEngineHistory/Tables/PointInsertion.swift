import SQLiteAccess
import TrackEngine

/// Adds points one after the other through one prepared statement.
///
/// The values are bound by hand: an array of arguments for each row takes half of the time of a large commit.
struct PointInsertion: PointWriter {
    private let db: Database
    private let query: DatabaseQuery

    /// For one transaction.
    init(_ db: Database) throws {
        self.db = db
        query = try db.query(
            """
            INSERT OR IGNORE INTO point (device, \(PointRow.columns), source, sender_id)
            VALUES (\(Array(repeating: "?", count: PointRow.columnCount + 3).joined(separator: ", ")))
            """)
    }

    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool {
        bindNumbers(of: row, device, source)
        switch senderID {
        case nil: return try insert()
        case .record(let id): return try withUnsafeBytes(of: id.rawValue.bigEndian) { try insert(id: $0) }
        case .text(let text): return try insert(row, of: device, name: text.kept)
        }
    }

    /// Adds a point with a sender's name, unless another point has that name.
    private func insert(_ row: PointRow, of device: Int64, name: String) throws -> Bool {
        if try isKnown(name, of: device) {
            try db.lookAtPoint(of: device, row.time)
            return false
        }
        var text = name
        let isNew = try text.withUTF8 { try insert(name: $0) }
        if try isNew || rename(row, of: device, name) {
            try db.execute(sql: "INSERT INTO sender_id VALUES (?, ?)", arguments: [device, name])
        }
        return isNew
    }

    /// Gives a point without a sender's name the name of its repetition. Returns whether it had none.
    private func rename(_ row: PointRow, of device: Int64, _ name: String) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE point SET sender_id = ?
                WHERE device = ? AND time = ? AND latitude = ? AND longitude = ? AND sender_id IS NULL
                """, arguments: [name, device, row.time, row.place.latitude, row.place.longitude])
        return db.changesCount > 0
    }

    private func isKnown(_ name: String, of device: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM sender_id WHERE device = ? AND id = ?"
        return try Int.fetchOne(db, sql: sql, arguments: [device, name]) != nil
    }
}

extension Database {
    /// Reads the page of a point that has come again, since damage there may have taken the first one.
    func lookAtPoint(of device: Int64, _ time: Int64) throws {
        _ = try Int.fetchOne(
            self, sql: "SELECT 1 FROM point WHERE device = ? AND time = ?", arguments: [device, time])
    }
}

/// The statement's values: device, the columns of a row, source, id.
extension PointInsertion {
    private static let idColumn = Int32(PointRow.columnCount + 3)

    private func bindNumbers(of row: PointRow, _ device: Int64, _ source: Int64?) {
        query.bind(device, at: 1)
        var column: Int32 = 1
        row.forEachColumn { number in
            column += 1
            query.bind(number, at: column)
        }
        query.bind(source, at: column + 1)
    }

    private func insert(id: UnsafeRawBufferPointer) throws -> Bool {
        query.bind(id, at: Self.idColumn)
        return try insert()
    }

    private func insert(name: UnsafeBufferPointer<UInt8>) throws -> Bool {
        query.bind(text: UnsafeRawBufferPointer(name), at: Self.idColumn)
        return try insert()
    }

    /// Runs the statement. Returns whether a row was added.
    private func insert() throws -> Bool {
        try query.run()
        return db.changesCount > 0
    }
}

extension String {
    /// The stored part of a sender's id: whole scalars within ``SenderID/longestText`` bytes. SQLite ends a text at
    /// U+0000, so that is replaced.
    var kept: String {
        var bytes = utf8.prefix(SenderID.longestText).map { $0 }
        while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }  // three times at most
        return String(decoding: bytes, as: UTF8.self).replacing("\0", with: "\u{FFFD}")
    }
}
