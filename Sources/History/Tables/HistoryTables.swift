import FoundationEssentials
import GRDB

/// A history's tables within one transaction, in plain or encrypted.
///
/// What differs between the two is told by ``rows``, ``insertion()``, ``NamedTable`` and ``contents(_:as:_:)``; nothing above them
/// knows.
struct HistoryTables {
    let db: Database
    /// What rows are sealed with; `nil` in a history in plain.
    let seal: HistorySeal?
    /// Where it is noted what cannot be read.
    var health = HistoryHealth()

    var points: PointTable { PointTable(tables: self) }
    var events: EventTable { EventTable(tables: self) }
    var devices: NamedTable { NamedTable(kind: .device, tables: self) }
    var sources: NamedTable { NamedTable(kind: .source, tables: self) }

    /// The drawings of a device.
    func drawings(of device: Int64) -> DrawingTable { DrawingTable(tables: self, device: device) }

    /// How points stand in their table.
    var rows: any PointRows { seal.map { SealedPoints(db: db, seal: $0) } ?? PlainPoints(db: db) }

    /// What adds points, for one transaction.
    func insertion() throws -> any PointInserting {
        if let seal { return try SealedPointInsertion(db, seal) }
        return try PointInsertion(db)
    }

    /// Whether nothing is there of a device, not even what cannot be read.
    func isEmpty(of device: Int64) throws -> Bool {
        do {
            return try ["point", "event", "sender_id"].allSatisfy { table in
                try Int.fetchOne(db, sql: "SELECT 1 FROM \(table) WHERE device = ? LIMIT 1", arguments: [device]) == nil
            }
        } catch let error as DatabaseError where error.isDamage { return false }
    }

    /// A value as it stands in its row, which some numbers name.
    func contents(_ bytes: [UInt8], as kind: HistorySeal.Kind, _ numbers: Int64...) throws -> Data {
        Data(try seal?.seal(bytes, as: kind, numbers) ?? bytes)
    }

    /// The value of a row; `nil` where it does not open.
    ///
    /// - Parameter time: the time of a row that nobody can make again, in milliseconds since 1970: one that does not open is counted.
    func opened(
        _ contents: Data, as kind: HistorySeal.Kind, _ numbers: Int64..., countedAt time: Int64? = nil
    ) -> [UInt8]? {
        guard let seal else { return [UInt8](contents) }
        let opened = seal.open([UInt8](contents), as: kind, numbers)
        if opened == nil, let time { seal.unopened.note([Int64(kind.rawValue)] + numbers, at: time) }
        return opened
    }
}
