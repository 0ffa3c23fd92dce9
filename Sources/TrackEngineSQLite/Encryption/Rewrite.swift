import SQLiteAccess
import TrackEngine

/// Writes the contents of a store into a new database, unencrypted or encrypted under another key.
///
/// A database always has one key as a whole, so that even after an interruption no row needs a search for its key.
/// Damaged rows are set aside in the new database.
struct Rewrite {
    /// The number of records that are copied at once.
    private static let rowsAtOnce = 500

    let files: StoreFiles
    let environment: StoreEnvironment
    /// The present encryption of the rows; `nil` if they are unencrypted.
    let old: RowCipher?
    /// The encryption of the rows in the new database; `nil` for none.
    let new: RowCipher?

    /// Writes ``StoreFiles/rewrite`` and completes it.
    ///
    /// - Returns: the number of damaged rows.
    /// - Throws: ``StoreError/Code/full`` if there is no room for a second database. The store is then unchanged.
    func run(from source: Connection, counters: StoreCounts) throws(StoreError) -> Int {
        do {
            try files.removeRewrite()
            try DatabaseFile.openPrivate(files.rewrite)
            let target = try Connection(copyAt: files.rewrite)
            do {
                _ = try Schema.prepare(target, path: files.rewrite, new)
                let damaged = try source.run { source in
                    try target.commit(.durable) { target in
                        try copy(source, into: target, counters)
                        return try Int(StoreCounts.Saved(target).damaged)
                            - Int(StoreCounts.Saved(source).damaged)
                    }
                }
                try target.close()
                try files.completeRewrite()
                try environment.didTake(.completedRewrite)
                return damaged
            } catch {
                try? target.close()  // its file is removed
                throw error
            }
        } catch {
            // An incomplete database is removed; if that fails now, the next attempt removes it.
            if !files.hasCompletedRewrite { try? files.removeRewrite() }
            throw explained(StoreError(database: error))
        }
    }

    private func explained(_ error: StoreError) -> StoreError {
        guard error.code == .full else { return error }
        return StoreError(
            .full, "to change the store's key takes as much room again as it has on the disk: \(error.message)")
    }

    private func copy(_ source: Database, into target: Database, _ counters: StoreCounts) throws {
        try copyNumbers(source, into: target)
        try copyRecords(source, into: target)
        try copyLetters(source, into: target)
        try copyDamaged(source, into: target)
        try copyMilestones(source, into: target)
        try counters.sources.save(in: target, new)
        var durable = try StoreCounts.Saved(target)
        let before = durable
        durable.sourcesThrough = counters.last
        try durable.save(over: before, in: target)
        try RecordTable(target).continueSequence(after: counters.last)
    }

    private func copyRecords(_ source: Database, into target: Database) throws {
        let sql = "INSERT INTO record (\(StoredRow.columns)) VALUES (?, ?, ?, ?, ?)"
        var (last, count) = (Int64.min, 0)
        while true {
            let rows = try RecordTable(source).rows(after: last, limit: Self.rowsAtOnce)
            guard let end = rows.last?.sequence else { return }
            for row in rows {
                guard let opened = row.opened(old) else {
                    try setAside(row, from: .record, in: target)
                    continue
                }
                let arguments = try StoredRow(opened, sequence: row.sequence, new).arguments
                try target.execute(sql: sql, arguments: arguments)
            }
            last = end
            count += rows.count
            try environment.didTake(.rewroteRows(count))
        }
    }

    /// The form of a letter depends only on the database that is written, its reading only on the source.
    private func copyLetters(_ source: Database, into target: Database) throws {
        let rows = try source.rows(sql: "SELECT \(DeadLetterTable.columns), id FROM dead ORDER BY id")
        while let row = try rows.next() {
            guard let stored = StoredRow(row, at: 4), let sink = row.text(0), let id = row.integer(9) else { continue }
            guard let letter = letter(row, stored, source) else {
                try setAside(stored, from: .dead, in: target)
                continue
            }
            let isRequeued = row.integer(3) != 0
            if let new {
                try EncryptedDeadLetterTable(target, new)
                    .insert(letter, stored.sequence, of: SinkID(rawValue: sink), id: id, isRequeued: isRequeued)
            } else {
                let plain = try StoredRow(letter.record, sequence: stored.sequence, nil)
                let own: [any DatabaseField] = [
                    id, sink, letter.refusal.reason, letter.refusal.time.nanosecondsSince1970, isRequeued ? 1 : 0,
                ]
                try target.execute(
                    sql: "INSERT INTO dead (id, \(DeadLetterTable.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: own + plain.arguments)
            }
        }
    }

    private func letter(_ row: Row, _ stored: StoredRow, _ source: Database) -> EncryptedDeadLetterTable.Content? {
        if let old { return EncryptedDeadLetterTable(source, old).open(row) }
        guard let record = stored.opened(nil), let reason = row.text(1), let time = row.integer(2) else { return nil }
        return EncryptedDeadLetterTable.Content(
            record: record, refusal: RecordRejection(Timestamp(nanosecondsSince1970: time), reason))
    }

    private func copyMilestones(_ source: Database, into target: Database) throws {
        var next = Int64.min
        while true {
            let page = try MilestoneTable(source, old).all(from: next, limit: Self.rowsAtOnce)
            guard let last = page.last else { return }
            for milestone in page { try MilestoneTable(target, new).put(milestone.sequence, milestone.time) }
            next = last.sequence + 1
        }
    }

    /// Copies cursors and counters, which are never encrypted.
    private func copyNumbers(_ source: Database, into target: Database) throws {
        for table in [RowKind.NamedTable.sink, .meta] {
            let marks = repeatElement("?", count: table.columnCount).joined(separator: ", ")
            let rows = try source.rows(sql: "SELECT \(table.columns) FROM \(table.rawValue)")
            while let row = try rows.next() {
                try target.execute(
                    sql: "INSERT OR REPLACE INTO \(table.rawValue) (\(table.columns)) VALUES (\(marks))",
                    arguments: row.values)
            }
        }
    }
}

// MARK: - Damaged rows

extension Rewrite {
    /// Keeps an unreadable row for inspection; with a new key it is encrypted unchanged.
    private func setAside(_ row: StoredRow, from origin: DamagedTable.Origin, in target: Database) throws {
        try insertDamaged(origin.rawValue, row.sequence, row.id, row.time, row.payload, row.check, in: target)
        var durable = try StoreCounts.Saved(target)
        let before = durable
        durable.damaged += 1
        try durable.save(over: before, in: target)
    }

    private func copyDamaged(_ source: Database, into target: Database) throws {
        let rows = try source.rows(sql: "SELECT origin, \(StoredRow.columns) FROM damaged")
        while let row = try rows.next() {
            try insertDamaged(
                row.text(0) ?? "", row.integer(1) ?? 0, row.blob(2) ?? [], row.integer(3) ?? 0,
                row.blob(4) ?? [], row.integer(5) ?? 0, in: target)
        }
    }

    private func insertDamaged(
        _ origin: String, _ sequence: Int64, _ id: [UInt8], _ time: Int64, _ payload: [UInt8], _ check: Int64,
        in target: Database
    ) throws {
        var row = DamagedRow(id: id, time: time, payload: payload, check: check)
        if let opened = old?.open(payload, as: .damaged, number: sequence).flatMap({ DamagedRow(bytes: $0) }) {
            row = opened
        }
        if let new, !row.isSealed {
            let sealed = try new.seal(row.bytes, as: .damaged, number: sequence)
            row = DamagedRow(id: [], time: 0, payload: sealed, check: 0)
        }
        try target.execute(
            sql: "INSERT INTO damaged (origin, \(StoredRow.columns)) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [origin, sequence, row.id, row.time, row.payload, row.check])
    }
}

/// The columns of a damaged row, with arbitrary values.
private struct DamagedRow {
    let id: [UInt8]
    let time: Int64
    let payload: [UInt8]
    let check: Int64

    /// Whether the row cannot be read without a key anyway.
    var isSealed: Bool { id.isEmpty && RowCipher.keyName(of: payload) != nil }

    init(id: [UInt8], time: Int64, payload: [UInt8], check: Int64) {
        self.id = id
        self.time = time
        self.payload = payload
        self.check = check
    }

    /// Time, check, the id's length, id and payload.
    var bytes: [UInt8] {
        let head = ByteWriter.array(room: 20) { writer in
            writer.write(time)
            writer.write(check)
            writer.write(UInt32(id.count))
        }
        return head + id + payload
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let time = try? reader.read(Int64.self), let check = try? reader.read(Int64.self),
            let length = try? reader.read(UInt32.self), let id = try? reader.readBytes(Int(length))
        else { return nil }  // encrypted rows have this form
        self.init(id: Array(id), time: time, payload: Array(bytes[(20 + id.count)...]), check: check)
    }
}
