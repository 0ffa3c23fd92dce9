import SQLiteAccess
import TrackEngine

/// The state of each source's pipeline at its last append.
struct CheckpointTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func put(_ checkpoint: SourceCheckpoint, isForgotten: Bool = false) throws {
        let row = StoredRow(
            checkpoint.last, state: PipelineState(checkpoint, isForgotten: isForgotten), sequence: 0)
        let own: [any DatabaseField] = [
            checkpoint.source.rawValue, checkpoint.lastMovement.nanosecondsSince1970, checkpoint.isStandby ? 1 : 0,
        ]
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO checkpoint (source, movement, standby, \(StoredRow.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, arguments: own + row.arguments)
    }

    /// All checkpoints, by source, and whether each is forgotten. A damaged one is omitted, so its source starts from
    /// the beginning.
    func all() throws -> [(checkpoint: SourceCheckpoint, isForgotten: Bool)] {
        let rows = try db.rows(
            sql: "SELECT source, movement, standby, \(StoredRow.columns) FROM checkpoint ORDER BY source")
        var checkpoints: [(SourceCheckpoint, Bool)] = []
        while let row = try rows.next() {
            guard let source = row.text(0), let movement = row.integer(1), let standby = row.integer(2),
                let (last, state) = StoredRow(row, at: 3)?.contents
            else { continue }
            let checkpoint = SourceCheckpoint(
                source: SourceID(rawValue: source), last: last,
                lastMovement: Timestamp(nanosecondsSince1970: movement), isStandby: standby != 0,
                activityState: state?.activityState ?? 0, detectorState: state?.detectorState ?? [])
            checkpoints.append((checkpoint, state?.isForgotten ?? false))
        }
        return checkpoints
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM checkpoint") }
}
