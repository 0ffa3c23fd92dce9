import SQLiteAccess

/// A history's tables within one transaction, in plain or encrypted.
///
/// Only ``rows``, ``insertion()``, ``NamedTable`` and ``contents(_:as:_:)`` differ between the two; the code above
/// them is the same.
struct HistoryTableSet {
    let db: Database
    /// The seal of the rows; `nil` in a plain history.
    let seal: HistoryCipher?
    /// Collects the ranges and tables that cannot be read.
    var health = HistoryHealth()

    var points: PointTable { PointTable(tables: self) }
    var events: EventTable { EventTable(tables: self) }
    var devices: NamedTable { NamedTable(kind: .device, tables: self) }
    var sources: NamedTable { NamedTable(kind: .source, tables: self) }

    func drawings(of device: Int64) -> DrawingTable { DrawingTable(tables: self, device: device) }

    /// The form of the points in their table.
    var rows: any PointStorage {
        seal.map { EncryptedPoints(db: db, seal: $0, health: health) } ?? PlainPoints(db: db, health: health)
    }

    /// Returns an inserter of points for one transaction.
    func insertion() throws -> any PointWriter {
        if let seal { return try EncryptedPointInsertion(db, seal) }
        return try PointInsertion(db)
    }

    /// Whether a device has no rows at all, not even unreadable ones.
    func isEmpty(of device: Int64) throws -> Bool {
        do {
            return try ["point", "event", "sender_id"].allSatisfy { table in
                try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE device = ? LIMIT 1", arguments: [device]) == nil
            }
        } catch let error as DatabaseError where error.isDamage { return false }
    }

    /// Returns a value in the form of its row, which some numbers identify.
    func contents(_ bytes: [UInt8], as kind: HistoryCipher.Kind, _ numbers: Int64...) throws -> [UInt8] {
        try seal?.seal(bytes, as: kind, numbers) ?? bytes
    }

    /// Opens the value of a row; `nil` when it does not open.
    ///
    /// - Parameter time: the time of a row that cannot be made again, in milliseconds since 1970: such a row is
    ///   counted when it does not open.
    func opened(
        _ contents: [UInt8], as kind: HistoryCipher.Kind, _ numbers: Int64..., countedAt time: Int64? = nil
    ) -> [UInt8]? {
        guard let seal else { return contents }
        let opened = seal.open(contents, as: kind, numbers)
        if opened == nil, let time { seal.unopened.note([Int64(kind.rawValue)] + numbers, at: time) }
        return opened
    }
}
