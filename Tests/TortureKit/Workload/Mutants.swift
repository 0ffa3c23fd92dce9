import Foundation
import SQLiteAccess
import TrackEngine

/// A store that returns from an append before the commit, which it makes with the next call.
actor EarlyConfirmingStore: FixStore {
    private let inner: any FixStore
    private var held: ([RecordDraft], SourceCheckpoint?)?

    init(_ inner: any FixStore) { self.inner = inner }

    private func commitHeld() async throws(StoreError) {
        guard let (drafts, checkpoint) = held else { return }
        held = nil
        _ = try await inner.append(drafts, checkpoint: checkpoint)
    }

    func append(_ drafts: [RecordDraft], checkpoint: SourceCheckpoint?) async throws(StoreError) -> [TrackRecord] {
        try await commitHeld()
        let last = try await inner.status().lastSequence.rawValue
        held = (drafts, checkpoint)
        return zip(Int64(1)..., drafts).map { TrackRecord(sequence: RecordSequence(rawValue: last + $0), draft: $1) }
    }

    func nextBatch(for sink: SinkID, limit: Int) async throws(StoreError) -> PendingBatch? {
        try await commitHeld()
        return try await inner.nextBatch(for: sink, limit: limit)
    }

    func close() async {
        try? await commitHeld()  // a mutant has nobody to tell
        await inner.close()
    }

    func records(after sequence: RecordSequence, limit: Int) async throws(StoreError) -> [TrackRecord] {
        try await inner.records(after: sequence, limit: limit)
    }
    func checkpoints() async throws(StoreError) -> [SourceCheckpoint] { try await inner.checkpoints() }
    func odometers() async throws(StoreError) -> [SourceID: Double] { try await inner.odometers() }
    func forgetCheckpoints() async throws(StoreError) { try await inner.forgetCheckpoints() }
    func settle(_ settlement: Settlement, for sink: SinkID) async throws(StoreError) {
        try await inner.settle(settlement, for: sink)
    }
    func backlog(of sink: SinkID) async throws(StoreError) -> Backlog { try await inner.backlog(of: sink) }
    func deadLetters(of sink: SinkID?) async throws(StoreError) -> [DeadLetter] {
        try await inner.deadLetters(of: sink)
    }
    func requeueDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await inner.requeueDeadLetters(selection)
    }
    func dropDeadLetters(_ selection: DeadLetterSelection) async throws(StoreError) -> Int {
        try await inner.dropDeadLetters(selection)
    }
    func configure(_ retention: RetentionConfiguration, sinks: Set<SinkID>) async throws(StoreError) {
        try await inner.configure(retention, sinks: sinks)
    }
    @discardableResult
    func prune(now: Timestamp, isClockConfirmed: Bool) async throws(StoreError) -> PruneReport {
        try await inner.prune(now: now, isClockConfirmed: isClockConfirmed)
    }
    func status() async throws(StoreError) -> StoreStatus { try await inner.status() }
    func clear() async throws(StoreError) { try await inner.clear() }
}

/// Repairs a database as it must not be done: the rows go straight into the file that the next start takes for the store.
struct InPlaceSalvage {
    let directory: String

    /// Renames the database and copies what can be read, a hundred rows a transaction.
    func run() throws {
        let (path, aside) = (directory + "/track.sqlite", directory + "/track.sqlite.corrupt-mutant")
        if FileManager.default.fileExists(atPath: aside) { return }
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            guard rename(path + suffix, aside + suffix) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
        let (source, target) = (try Database(path: aside), try Database(path: path))
        try target.execute(sql: "PRAGMA journal_mode = WAL")
        let tables = try source.rows(
            sql:
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT NULL AND name <> 'sqlite_sequence'"
        ).compactMap { row in row.text(0).flatMap { name in row.text(1).map { (name: name, sql: $0) } } }
        let version = try Int.fetchOne(source, sql: "PRAGMA user_version") ?? 0
        try target.immediateTransaction { db in
            for table in tables { try db.execute(sql: table.sql) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        for table in tables { copy(table.name, from: source, to: target) }
        try target.close()
    }

    private func copy(_ table: String, from source: Database, to target: Database) {
        var place: Int64 = 0
        while place < 100_000 {
            let sql = "SELECT rowid AS place_of_row, * FROM \(table) WHERE rowid > ? ORDER BY rowid LIMIT 100"
            // Where a page is damaged, its rows are left out.
            guard let rows = try? source.rows(sql: sql, arguments: [place]).compactMap(\.values) else {
                place += 50
                continue
            }
            guard let last = rows.last.flatMap({ Int64($0[0]) }) else { return }
            place = last
            try? target.immediateTransaction { db in  // a mutant has nobody to tell
                for row in rows {
                    let marks = row.dropFirst().map { _ in "?" }.joined(separator: ", ")
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO \(table) VALUES (\(marks))", arguments: Array(row.dropFirst()))
                }
            }
        }
    }
}
