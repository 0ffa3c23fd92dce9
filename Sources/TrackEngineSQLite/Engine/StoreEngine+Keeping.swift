import SQLiteAccess
import TrackEngine

// MARK: - Pruning

/// Pruning without synchronisation to the disk: a pruned record that reappears after a power cut is pruned again.
extension StoreEngine {
    func prune(now: Timestamp, isClockConfirmed: Bool) throws(StoreError) -> PruneReport {
        var report = try removeSettled(now: now, isClockConfirmed: isClockConfirmed)
        report += try removeAged(now: now, isClockConfirmed: isClockConfirmed)
        if isClockConfirmed { report += try removeAgedLetters(now: now) }
        report += try write(.relaxed) { db, counters in try enforceMaximum(in: db, &counters) }
        report += try dropExcessLetters()
        report += try shrink()
        try limitQuarantine()
        try recoverReserve()
        return report
    }

    private func removeSettled(now: Timestamp, isClockConfirmed: Bool) throws(StoreError) -> PruneReport {
        var report = PruneReport(settled: 0, dropped: 0)
        if retention.keepSyncedDays > 0 && !isClockConfirmed { return report }
        while true {
            let removed = try write(.relaxed) { db, counters in
                try noteMilestone(at: now, in: db)
                guard let first = try RecordTable(db).first() else { return 0 }
                let end = try removableEnd(from: first, now: now, in: db)
                guard first <= end else { return 0 }
                let through = try min(end, RecordTable(db).sequence(ofOldest: rowsAtOnce) ?? end)
                try counters.saveSources(removingThrough: through, in: db)
                let count = try RecordTable(db).remove(after: 0, through: through)
                try MilestoneTable(db, seal).forget(before: through)
                counters.count -= count
                return count
            }
            if removed == 0 { return report }
            report += PruneReport(settled: removed, dropped: 0)
        }
    }

    /// The number up to which every sink has settled, and long enough ago, from the first record on.
    private func removableEnd(from first: Int64, now: Timestamp, in db: Database) throws -> Int64 {
        let settled = try SinkTable(db).settled(by: sinks)
        guard retention.keepSyncedDays > 0 else { return settled }
        let due = now.advanced(by: .zero - .days(retention.keepSyncedDays))
        return try min(settled, MilestoneTable(db, seal).sequence(settledBy: due, from: first))
    }

    func noteMilestone(at time: Timestamp, in db: Database) throws {
        guard retention.keepSyncedDays > 0 else { return }
        try MilestoneTable(db, seal).note(settled: SinkTable(db).settled(by: sinks), at: time)
    }

    /// Removes records by their fix time. Fixes are nearly in order of time, so the search ends where even the most
    /// delayed fix would be young enough.
    private func removeAged(now: Timestamp, isClockConfirmed: Bool) throws(StoreError) -> PruneReport {
        let newest = try read { try RecordTable($0, seal).newest()?.time }
        let newestFix = newest.map { Timestamp(nanosecondsSince1970: $0) }
        var report = PruneReport(settled: 0, dropped: 0)
        guard let oldest = retention.oldestAllowed(now: now, newest: newestFix) else { return report }
        guard isClockConfirmed else {
            let first = try read { try RecordTable($0, seal).times(after: 0, limit: 1).first?.time }
            let isAged = first.map { $0 < oldest.nanosecondsSince1970 } ?? false
            return PruneReport(settled: 0, dropped: 0, keepsAged: isAged)
        }
        var previous: Int64 = 0
        while true {
            let rows = try read { [previous] in try RecordTable($0, seal).times(after: previous, limit: rowsAtOnce) }
            guard let last = rows.last, last.sequence > previous else { return report }
            previous = last.sequence
            let aged = rows.filter { $0.time < oldest.nanosecondsSince1970 }.map(\.sequence)
            if !aged.isEmpty { report += try remove(aged) }
            let end = oldest.advanced(by: counters.maximumLateness).nanosecondsSince1970
            if rows.contains(where: { $0.time >= end }) { return report }
        }
    }

    private func remove(_ sequences: [Int64]) throws(StoreError) -> PruneReport {
        try write(.relaxed) { db, counters in
            try counters.saveSources(removingThrough: sequences.last ?? 0, in: db)
            let settled = try SinkTable(db).settled(by: sinks)
            var report = PruneReport(settled: 0, dropped: 0)
            for run in sequences.contiguousRuns {
                report += try remove(after: run.lowerBound - 1, through: run.upperBound, settled: settled, in: db)
            }
            counters.note(report)
            return report
        }
    }

    private func remove(
        after first: Int64, through last: Int64, settled: Int64, in db: Database
    ) throws -> PruneReport {
        let delivered = try RecordTable(db).remove(after: first, through: min(last, settled))
        let undelivered = try RecordTable(db).remove(after: max(first, settled), through: last)
        return PruneReport(settled: delivered, dropped: undelivered)
    }

    /// Removes the oldest records because of a limit; counts those that a sink still needed.
    func dropOldest(_ count: Int, in db: Database, _ counters: inout StoreCounts) throws -> PruneReport {
        try dropOldest(count, through: .max, settled: SinkTable(db).settled(by: sinks), in: db, &counters)
    }

    /// Removes at most a number of the oldest records, and only those that every sink has settled.
    func dropOldestSettled(_ count: Int, in db: Database, _ counters: inout StoreCounts) throws -> PruneReport {
        let settled = try SinkTable(db).settled(by: sinks)
        return try dropOldest(count, through: settled, settled: settled, in: db, &counters)
    }

    private func dropOldest(
        _ count: Int, through last: Int64, settled: Int64, in db: Database, _ counters: inout StoreCounts
    ) throws -> PruneReport {
        guard count > 0, let first = try RecordTable(db).first(), first <= last,
            let oldest = try RecordTable(db).sequence(ofOldest: count)
        else { return PruneReport(settled: 0, dropped: 0) }
        let end = min(oldest, last)
        try counters.saveSources(removingThrough: end, in: db)
        let report = try remove(after: 0, through: end, settled: settled, in: db)
        counters.note(report)
        return report
    }

    func enforceMaximum(in db: Database, _ counters: inout StoreCounts) throws -> PruneReport {
        guard retention.maxRecords > 0 else { return PruneReport(settled: 0, dropped: 0) }
        return try dropOldest(counters.count - retention.maxRecords, in: db, &counters)
    }

    private func removeAgedLetters(now: Timestamp) throws(StoreError) -> PruneReport {
        let newest = try read { try DeadLetterTable($0, seal).newestRefusal() }
        guard let oldest = retention.oldestAllowed(now: now, newest: newest) else {
            return PruneReport(settled: 0, dropped: 0)
        }
        return try write(.relaxed) { db, counters in
            counters.noteLetters(dropped: try DeadLetterTable(db, seal).drop(refusedBefore: oldest))
        }
    }

    private func dropExcessLetters() throws(StoreError) -> PruneReport {
        try write(.relaxed) { db, counters in
            let excess = try DeadLetterTable(db, seal).count() - retention.maximumDeadLetters
            guard excess > 0 else { return PruneReport(settled: 0, dropped: 0) }
            return counters.noteLetters(dropped: try DeadLetterTable(db, seal).dropOldest(excess))
        }
    }
}

extension StoreCounts {
    /// Counts the records that a limit has removed.
    fileprivate mutating func note(_ report: PruneReport) {
        count -= report.settled + report.dropped
        durable.dropped += Int64(report.dropped)
    }

    /// Counts the dead letters that a limit has removed.
    mutating func noteLetters(dropped count: Int) -> PruneReport {
        durable.dropped += Int64(count)
        return PruneReport(settled: 0, dropped: count)
    }
}

extension [Int64] {
    /// The numbers of an ascending list as ranges without gaps: 1, 2, 3, 7 as 1…3 and 7…7.
    fileprivate var contiguousRuns: [ClosedRange<Int64>] {
        reduce(into: []) { runs, number in
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
    }
}

// MARK: - Clearing

extension StoreEngine {
    func clear() throws(StoreError) {
        try write(.durable) { db, counters in
            counters.sources.forgetPlaces()
            try counters.forgetCheckpoints(in: db)
            try RecordTable(db).removeAll()
            try DeadLetterTable(db, seal).removeAll()
            try MilestoneTable(db, seal).removeAll()
            try DamagedTable(db).removeAll()
            counters.count = 0
            counters.durable.damaged = 0
            counters.durable.lost = 0
            counters.durable.lostThrough = counters.last
        }
        _ = try shrink()
    }

    func status() throws(StoreError) -> StoreStatus {
        let letters = try read { try DeadLetterTable($0, seal).count() }
        return StoreStatus(
            count: counters.count, lastSequence: RecordSequence(rawValue: counters.last),
            bytes: files.bytes + (diskReserve.isHeld ? reservedBytes : 0),
            dropped: counters.durable.dropped, deadLetters: letters, warning: warning)
    }

    private var warning: String? {
        var parts: [String] = []
        let aside = files.quarantined
        if let last = aside.last { parts.append("\(aside.count) damaged database(s) set aside, the last as \(last)") }
        if counters.durable.damaged > 0 { parts.append("\(counters.durable.damaged) damaged row(s) set aside") }
        if isRemoved() { parts.append("the store's files have been removed; no record is accepted until a restart") }
        if counters.durable.lost > 0 { parts.append("\(counters.durable.lost) record(s) lost to damage") }
        if let notice { parts.append(notice) }
        if let trouble { parts.append("the last write failed: \(trouble)") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
