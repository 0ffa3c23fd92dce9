import SQLiteAccess
import TrackEngine

/// The facts about the store that are known without a query; they change together with each commit.
struct StoreCounts {
    /// The counters in the table `meta`.
    struct Saved: Hashable {
        /// The number of records and dead letters that limits have removed undelivered, since the store was created.
        var dropped: Int64 = 0
        /// The number of rows that were set aside as damaged.
        var damaged: Int64 = 0
        /// The number of records that are missing without having been removed, because of damage.
        var lost: Int64 = 0
        /// The sequence number up to which gaps between records have been counted.
        var lostThrough: Int64 = 0
        /// The maximum number of seconds by which a fix was older than one accepted before it. It bounds the search
        /// for aged records, so that neither an index on time nor a scan of the table is needed.
        var maximumLateness: Int64 = 0
        /// The sequence number of the record up to which the tables hold the states of the sources.
        var sourcesThrough: Int64 = 0
    }

    /// The number of records.
    var count: Int
    /// The last sequence number that was assigned.
    var last: Int64
    /// An upper bound of the fix times of all records, in nanoseconds since 1970; `Int64.min` if there is no record.
    var latest: Int64
    var durable: Saved
    var sources: SourceStateTable
    /// The encryption of the store's rows; `nil` if they are unencrypted.
    let seal: RowCipher?

    /// Counts a new record, which gets the next number.
    mutating func noteNext(fixTime: Timestamp) {
        count += 1
        last += 1
        let time = fixTime.nanosecondsSince1970
        if time < latest {
            // The difference of any two times fits into an unsigned number.
            let behind = UInt64(bitPattern: latest &- time) / 1_000_000_000
            durable.maximumLateness = max(durable.maximumLateness, Int64(behind) + 1)
        }
        latest = max(latest, time)
    }

    /// The maximum delay of an aged fix after a younger one.
    var maximumLateness: Duration { .seconds(durable.maximumLateness) }

    mutating func noteEmpty() {
        guard count == 0 else { return }
        latest = .min
        durable.maximumLateness = 0
    }
}

extension StoreCounts {
    /// Reads the counters of a database.
    ///
    /// - Parameter count: the number of records, if it is known; otherwise they are counted.
    init(_ db: Database, count: Int?, _ seal: RowCipher?) throws {
        self.seal = seal
        let counter = try Int64.fetchOne(
            db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record' AND typeof(seq) = 'integer'")
        // The counter has no check: an impossible value is ignored.
        let given = counter.flatMap { (0...SequenceBounds.highestUnchecked).contains($0) ? $0 : nil } ?? 0
        let newest = try RecordTable(db, seal).newest()
        durable = try Saved(db)
        last = max(given, newest?.sequence ?? 0)
        durable.sourcesThrough = min(durable.sourcesThrough, last)
        sources = try SourceStateTable(db, savedThrough: durable.sourcesThrough, seal)
        self.count = try count ?? RecordTable(db).count(after: 0, through: .max)
        latest = .min
        if let newest {
            latest = Timestamp(nanosecondsSince1970: newest.time).advanced(by: maximumLateness).nanosecondsSince1970
        }
    }
}

extension StoreCounts.Saved {
    private static var keys: [(String, WritableKeyPath<Self, Int64>)] {
        [
            ("dropped", \.dropped), ("damaged", \.damaged), ("lost", \.lost), ("lostThrough", \.lostThrough),
            ("disorder", \.maximumLateness), ("sources", \.sourcesThrough),
        ]
    }

    init(_ db: Database) throws {
        for (key, path) in Self.keys {
            let value = try Int64.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
            // Within these bounds, further counting cannot overflow, regardless of the table's value.
            self[keyPath: path] = min(max(0, value ?? 0), SequenceBounds.highest)
        }
    }

    /// Writes the counters that have changed.
    func save(over old: Self, in db: Database) throws {
        for (key, path) in Self.keys where self[keyPath: path] != old[keyPath: path] {
            try db.execute(
                sql: "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", arguments: [key, self[keyPath: path]])
        }
    }
}
