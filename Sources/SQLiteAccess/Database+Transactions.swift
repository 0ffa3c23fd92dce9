import CSQLite

extension Database {
    /// Whether a transaction has begun and not ended. SQLite may end one by itself when a statement fails.
    package var isInTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// The durability of a commit when it is reported.
    package enum Durability {
        /// Synchronised to the disk (`synchronous=FULL`): one fsync.
        case durable
        /// Written to the log without an fsync (`synchronous=NORMAL`); the next durable commit synchronises it. A
        /// power cut may undo it, and all later commits of this kind; a crash of the process does not.
        case relaxed
    }

    /// Runs in one transaction and commits it; an error undoes it.
    ///
    /// The call blocks its thread and does not check the task for cancellation.
    package func commit<Result>(_ durability: Durability, _ body: (Database) throws -> Result) throws -> Result {
        guard durability == .relaxed else { return try immediateTransaction(body) }
        try execute(sql: "PRAGMA synchronous = NORMAL")
        let result = Swift.Result { try immediateTransaction(body) }
        try demandFullSynchronisation()
        return try result.get()
    }

    /// Moves the log into the database, synchronises it to the disk, and empties the log.
    package func checkpoint() throws { try execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs in one transaction and commits it; an error undoes it.
    package func immediateTransaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try execute(sql: "BEGIN IMMEDIATE")
        do {
            let result = try body(self)
            try execute(sql: "COMMIT")
            return result
        } catch {
            if isInTransaction { try? execute(sql: "ROLLBACK") }  // the original error is thrown
            throw error
        }
    }

    /// Runs in a part of a transaction, or in a transaction; an error undoes that part alone.
    package func savepoint<Result>(_ body: (Database) throws -> Result) throws -> Result {
        guard isInTransaction else { return try immediateTransaction(body) }
        try execute(sql: "SAVEPOINT part")
        do {
            let result = try body(self)
            try execute(sql: "RELEASE part")
            return result
        } catch {
            if isInTransaction { try? execute(sql: "ROLLBACK TO part; RELEASE part") }  // the original error is thrown
            throw error
        }
    }

    /// Runs for at most a duration; a query that takes longer ends with ``DatabaseError/Code/interrupted``.
    package func within<Result>(_ duration: Duration, _ body: (Database) throws -> Result) rethrows -> Result {
        var end = ContinuousClock.now + duration
        return try withUnsafeMutablePointer(to: &end) { end in
            sqlite3_progress_handler(
                connection, 1_000,
                { end in
                    guard let end = end?.assumingMemoryBound(to: ContinuousClock.Instant.self) else { return 1 }
                    return ContinuousClock.now < end.pointee ? 0 : 1
                }, end)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            return try body(self)
        }
    }
}
