import SQLiteAccess
import TrackEngine

// MARK: - Removing

extension HistoryEngine {
    /// Removes some of the oldest points of a device in a range of milliseconds, and some of its events.
    func remove(
        of device: DeviceID, in times: Range<Int64>, events: EventTable.Choice
    ) throws(StoreError) -> RetentionRun.Step {
        try removing { tables, limit in
            guard let number = try tables.devices.number(of: device.rawValue) else { return RetentionRun.Step() }
            return try RetentionRun(tables: tables).remove(of: number, in: times, events: events, limit: limit)
        }
    }

    func deviceNames() throws(StoreError) -> [DeviceID] {
        try transaction { try $0.devices.all().map { DeviceID(rawValue: $0.name) } }
    }

    /// Whether a device has readable points in a range of milliseconds.
    func holdsPoints(of device: DeviceID, in times: Range<Int64>) throws(StoreError) -> Bool {
        try transaction { tables in
            try tables.devices.number(of: device.rawValue).map {
                try !tables.points.times(of: $0, in: times, limit: 1).isEmpty
            } ?? false
        }
    }

    /// The number of rows of a device.
    func rowCount(of device: DeviceID) throws(StoreError) -> Int {
        try transaction { tables in
            try tables.devices.number(of: device.rawValue).map { try RetentionRun(tables: tables).rowCount(of: $0) }
                ?? 0
        }
    }

    /// Removes at most `limit` of the oldest points of a device, and the events that had ended by then.
    func removeOldest(of device: DeviceID, limit: Int) throws(StoreError) -> RetentionRun.Step {
        try removing { tables, step in
            try tables.devices.number(of: device.rawValue).map {
                try RetentionRun(tables: tables).removeOldest(of: $0, limit: min(limit, step))
            } ?? RetentionRun.Step()
        }
    }

    /// Removes in one transaction; on a full disk in smaller steps, with the space of the reserve.
    private func removing<Result>(_ body: (HistoryTableSet, Int) throws -> Result) throws(StoreError) -> Result {
        // What cannot be reached would be back when the history is written anew.
        guard !health.hasDamagedTree || !canBeSalvaged else {
            throw StoreError(.damaged, "\(files.database): rows cannot be reached")
        }
        while true {
            do throws(StoreError) {
                let isWhole = canBeSalvaged
                let result = try mending(isWhole ? .whole : .durable) { tables in
                    let result = try body(tables, room.step)
                    if isWhole, health.hasDamagedTree { throw DatabaseError(.corrupt, "rows cannot be reached") }
                    return result
                }
                room.stepSucceeded()
                if !room.isHeld || health.isFull { recover() }
                return result
            } catch {
                guard error.code == .full else { throw error }
                let isReleased = room.release()
                guard room.stepWasTooLarge() || isReleased else { throw error }
                emptyLog()
            }
        }
    }

    /// Removes the damaged copies and all data that can be made again, to make room on a full disk. Returns whether
    /// there is room now.
    func giveUpCache() -> Bool {
        emptyLog()
        do {
            let copies = files.damagedCopies.count
            let hadCopy = try removeDamagedCopies()
            if hadCopy { health.noteErased(copies, forRoom: true) }
            let hasAny = try connection.run { db in
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM chunk) OR EXISTS (SELECT 1 FROM drawing)") ?? false
            }
            let hasFreePages = try freePages() > 0
            guard hadCopy || hasAny || hasFreePages else { return false }
            if hasAny || hasFreePages { _ = room.release() }
            if hasAny { try removeCacheAtOnce() }
        } catch { return false }  // the disk is still full
        emptyLog()
        recover()
        return room.isHeld
    }

    /// Removes the cache without overwriting each page, for which the disk has no room; the caller returns the pages
    /// to the disk.
    private func removeCacheAtOnce() throws {
        let setting = try connection.run { try Int.fetchOne($0, sql: "PRAGMA secure_delete") ?? 0 }
        try connection.run { try $0.execute(sql: "PRAGMA secure_delete = FAST") }
        let result = Result { try connection.commit { try MapCache(db: $0).removeAll() } }
        let word = setting == 2 ? "FAST" : "\(setting)"
        try connection.run { try $0.execute(sql: "PRAGMA secure_delete = \(word)") }
        _ = try result.get()
    }

    /// Returns free pages to the disk, in steps with a small log, until there is room for the reserve and for the log
    /// of later additions.
    private func recover() {
        do {
            while !room.isAmple {
                let before = try freePages()
                guard before > 0 else { break }
                try connection.run { try $0.execute(sql: "PRAGMA incremental_vacuum(16)") }
                emptyLog()
                guard try freePages() < before else { break }
                try? room.take()  // later
            }
            try room.take()
            if room.isAmple { health.noteRoom() }
        } catch {}  // still too full: the next addition reports it
    }

    private func freePages() throws -> Int64 {
        try connection.run { try Int64.fetchOne($0, sql: "PRAGMA freelist_count") ?? 0 }
    }

    /// Moves the log into the database to free its space.
    private func emptyLog() {
        try? connection.checkpoint()  // this only makes room; the next write fails if it is not enough
    }
}

// MARK: - Sizes

extension HistoryEngine {
    /// Bytes of the pages in use.
    func bytesInUse() throws(StoreError) -> Int64 { try transaction { try $0.db.bytesInUse() } }

    /// Bytes of the data that can be made again.
    func cacheBytes() throws(StoreError) -> Int64 {
        room.cacheGrowth = 0
        return try transaction { try MapCache(db: $0.db).bytes() }
    }

    /// The bytes of cached data that were added since ``cacheBytes()`` was called.
    var cacheGrowth: Int64 { room.cacheGrowth }

    /// Removes some of the data that can be made again. Returns the number of bytes; `nil` when there is none left.
    func shrinkCache() throws(StoreError) -> Int64? {
        try removing { tables, limit in
            let before = try tables.db.bytesInUse()
            let count = try MapCache(db: tables.db).removeFinest(limit: max(limit / 10, 1))
            return count > 0 ? before - (try tables.db.bytesInUse()) : nil
        }
    }
}

extension Database {
    /// Bytes of the pages in use.
    func bytesInUse() throws -> Int64 {
        func number(_ pragma: String) throws -> Int64 { try Int64.fetchOne(self, sql: "PRAGMA \(pragma)") ?? 0 }
        return try (number("page_count") - number("freelist_count")) * number("page_size")
    }
}
