import GRDB
import TrackEngine

/// What the store knows about itself without asking the database; changed together with each commit.
struct StoreCounters {
    /// The counters that are kept in the table `meta`.
    struct Durable: Hashable {
        /// Records and dead letters that limits have removed undelivered, since the store was made.
        var dropped: Int64 = 0
        /// Rows that were set aside as damaged.
        var damaged: Int64 = 0
        /// Records that are gone though nothing has removed them: damage took them.
        var lost: Int64 = 0
        /// Up to which number gaps between records have been counted.
        var lostThrough: Int64 = 0
        /// By how many seconds at most a fix was older than one accepted before it. It tells the search for aged
        /// records where it may stop, so that neither an index on time nor a scan of the table is needed.
        var maximumLateness: Int64 = 0
        /// Up to which record the tables say where the sources stand.
        var sourcesThrough: Int64 = 0
    }

    /// How many records there are.
    var count: Int
    /// The last sequence number given.
    var last: Int64
    /// No record has a later fix time than this, in nanoseconds since 1970; the least number when there is none.
    var latest: Int64
    var durable: Durable
    var sources: SourceStates
    /// What seals the store's rows; `nil` where they are in plain.
    let seal: RowSeal?

    /// Counts one more record, which has the next number.
    mutating func noteNext(fixTime: Timestamp) {
        count += 1
        last += 1
        let time = fixTime.nanosecondsSince1970
        if time < latest {
            // Unsigned, the difference of any two times has room.
            let behind = UInt64(bitPattern: latest &- time) / 1_000_000_000
            durable.maximumLateness = max(durable.maximumLateness, Int64(behind) + 1)
        }
        latest = max(latest, time)
    }

    /// How late after a younger fix an aged one may come.
    var maximumLateness: Duration { .seconds(durable.maximumLateness) }

    mutating func noteEmpty() {
        guard count == 0 else { return }
        latest = .min
        durable.maximumLateness = 0
    }
}

extension StoreCounters {
    /// Reads the counters of a database.
    ///
    /// - Parameter count: the number of records where it is known; otherwise they are counted.
    init(_ db: Database, count: Int?, _ seal: RowSeal?) throws {
        self.seal = seal
        let counter = try Int64.fetchOne(
            db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record' AND typeof(seq) = 'integer'")
        // No check stands beside the counter: an impossible one is passed over.
        let given = counter.flatMap { (0...SequenceBounds.highestUnchecked).contains($0) ? $0 : nil } ?? 0
        let newest = try RecordTable(db, seal).newest()
        durable = try Durable(db)
        last = max(given, newest?.sequence ?? 0)
        durable.sourcesThrough = min(durable.sourcesThrough, last)
        sources = try SourceStates(db, savedThrough: durable.sourcesThrough, seal)
        self.count = try count ?? RecordTable(db).count(after: 0, through: .max)
        latest = .min
        if let newest {
            latest = Timestamp(nanosecondsSince1970: newest.time).advanced(by: maximumLateness).nanosecondsSince1970
        }
    }
}

extension StoreCounters.Durable {
    private static var keys: [(String, WritableKeyPath<Self, Int64>)] {
        [
            ("dropped", \.dropped), ("damaged", \.damaged), ("lost", \.lost), ("lostThrough", \.lostThrough),
            ("disorder", \.maximumLateness), ("sources", \.sourcesThrough),
        ]
    }

    init(_ db: Database) throws {
        for (key, path) in Self.keys {
            let value = try Int64.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
            // Within bounds in which counting on cannot overflow, whatever the table says.
            self[keyPath: path] = min(max(0, value ?? 0), SequenceBounds.highest)
        }
    }

    /// Writes what has changed.
    func save(over old: Self, in db: Database) throws {
        for (key, path) in Self.keys where self[keyPath: path] != old[keyPath: path] {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
                .execute(arguments: [key, self[keyPath: path]])
        }
    }
}
