import SQLiteAccess
import TrackEngine

/// Adds sealed points one after the other through one prepared statement, as ``PointInsertion`` adds those in plain.
struct EncryptedPointInsertion: PointWriter {
    private let db: Database
    private let seal: HistoryCipher
    private let lock: PointCipher
    private let query: DatabaseQuery

    /// For one transaction.
    init(_ db: Database, _ seal: HistoryCipher) throws {
        self.db = db
        self.seal = seal
        lock = PointCipher(seal)
        query = try db.query(
            "INSERT OR IGNORE INTO point (device, time, tag, sender, contents) VALUES (?, ?, ?, ?, ?)")
    }

    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool {
        lock.name(row, of: device)
        guard case .text(let text) = senderID else {
            return try insert(row, device, source, senderID, sender: nil)
        }
        let name = text.kept
        let tag = seal.tag(.senderID, device, text: name)
        if try isKnown(tag, of: device) {
            try db.lookAtPoint(of: device, row.time)
            return false
        }
        let isNew = try insert(row, device, source, .text(name), sender: tag)
        if try isNew || rename(row, of: device, name, tag) {
            try db.execute(sql: "INSERT INTO sender_id VALUES (?, ?)", arguments: [device, tag])
        }
        return isNew
    }

    private func isKnown(_ tag: [UInt8], of device: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM sender_id WHERE device = ? AND tag = ?"
        return try Int.fetchOne(db, sql: sql, arguments: [device, tag]) != nil
    }

    /// Gives a point without a sender's name the name of its repetition. Returns whether it had none.
    private func rename(_ row: PointRow, of device: Int64, _ name: String, _ sender: [UInt8]) throws -> Bool {
        let tag = lock.withTag { Array($0) }
        let found = try [UInt8].fetchOne(
            db, sql: "SELECT contents FROM point WHERE device = ? AND time = ? AND tag = ?",
            arguments: [device, row.time, tag])
        guard let stored = found.flatMap({ lock.open($0, tag: tag, of: device, time: row.time) }),
            stored.senderID == nil
        else { return false }
        let contents = try lock.withSealed(stored.row, source: stored.source, senderID: .text(name)) { Array($0) }
        try db.execute(
            sql: "UPDATE point SET sender = ?, contents = ? WHERE device = ? AND time = ? AND tag = ?",
            arguments: [sender, contents, device, row.time, tag])
        return true
    }

    /// Runs the statement. Returns whether a row was added.
    private func insert(
        _ row: PointRow, _ device: Int64, _ source: Int64?, _ senderID: SenderID?, sender: [UInt8]?
    ) throws -> Bool {
        try lock.withSealed(row, source: source, senderID: senderID) { contents in
            try lock.withTag { tag in
                try (sender ?? []).withUnsafeBytes { sender in
                    query.bind(device, at: 1)
                    query.bind(row.time, at: 2)
                    query.bind(tag, at: 3)
                    if !sender.isEmpty { query.bind(sender, at: 4) }
                    query.bind(contents, at: 5)
                    try query.run()
                    return db.changesCount > 0
                }
            }
        }
    }
}
