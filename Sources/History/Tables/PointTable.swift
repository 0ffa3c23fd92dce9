import GRDB
import TrackEngine

/// The points, by device and time.
struct PointTable {
    let tables: HistoryTables

    private var db: Database { tables.db }

    /// The points of a time in milliseconds, by time, and at most so many.
    func points(of device: Int64, in times: Range<Int64>, limit: Int) throws -> [HistoryPoint] {
        guard limit > 0 else { return [] }
        var found: [StoredPoint] = []
        try visit(of: device, in: times) { stored in
            found.append(stored)
            return found.count < limit
        }
        return try points(found)
    }

    /// Visits the points of a time in milliseconds, by time and place, until the body returns false.
    func visit(of device: Int64, in times: Range<Int64>, _ body: (StoredPoint) throws -> Bool) throws {
        var failure: (any Error)?
        try readSound(of: device, in: times) { times, last in
            try tables.rows.visit(of: device, in: times) { stored in
                last = stored.row.time
                do { return try body(stored) } catch {
                    failure = error  // whatever it is, it says nothing about these rows
                    return false
                }
            }
        }
        if let failure { throw failure }
    }

    /// The points of a time in milliseconds behind a position, and at most so many.
    func page(
        of device: Int64, in times: Range<Int64>, after position: HistoryPointPosition?, limit: Int
    ) throws -> HistoryPointPage {
        guard limit > 0 else { return HistoryPointPage(points: [], next: position) }
        var found: [StoredPoint] = []
        var count = 0
        var position = position
        let begin = min(position?.time ?? times.lowerBound, times.upperBound)
        try readSound(of: device, in: begin..<times.upperBound) { rest, last in
            // Behind damage there is no position, but a time.
            let start = rest.lowerBound == begin ? position : nil
            try tables.rows.page(of: device, in: rest, after: start, limit: limit - count) { place, stored in
                (position, last) = (place, place.time)
                count += 1
                if let stored { found.append(stored) }
            }
        }
        if tables.seal != nil { found.sort { ($0.row.time, $0.row.place) < ($1.row.time, $1.row.place) } }
        return HistoryPointPage(points: try points(found), next: count == limit ? position : nil)
    }

    /// The newest point by time.
    func newest(of device: Int64) throws -> HistoryPoint? {
        var end = Int64.max
        while true {
            do {
                return try points(try tables.rows.newest(of: device, until: end).map { [$0] } ?? []).first
            } catch let error as DatabaseError where error.isDamage {
                let sound = try soundTime(of: device, beyond: end, isBackward: true)
                tables.health.noteDamage(of: device, (sound ?? Self.times.lowerBound)..<end)
                guard let sound else { return nil }
                end = sound
            }
        }
    }

    /// The first point at or after a time in milliseconds.
    func firstTime(of device: Int64, from time: Int64) throws -> Int64? {
        do { return try self.time(of: device, next: time) } catch let error as DatabaseError where error.isDamage {
            let sound = try soundTime(of: device, beyond: time)
            tables.health.noteDamage(of: device, time..<max(time, sound ?? .max))
            return try sound.flatMap { try self.time(of: device, next: $0) }
        }
    }

    /// Visits what drawings are made of, by time.
    func drawn(of device: Int64, in times: Range<Int64>, _ body: (DrawnPoint) throws -> Void) throws {
        try readSound(of: device, in: times) { times, last in
            try tables.rows.drawn(of: device, in: times) { point in
                last = point.time
                try body(point)
            }
        }
    }

    /// Whether a device has no point, not even one that cannot be read.
    func isEmpty(of device: Int64) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM point WHERE device = ? LIMIT 1")
        do { return try Int.fetchOne(statement, arguments: [device]) == nil } catch let error as DatabaseError
            where error.isDamage
        { return false }
    }

    /// The times of the oldest points in a range of milliseconds, at most so many.
    func times(of device: Int64, in times: Range<Int64>, limit: Int) throws -> [Int64] {
        let statement = try db.cachedStatement(
            sql: "SELECT time FROM point WHERE device = ? AND time >= ? AND time < ? ORDER BY time LIMIT ?")
        var found: [Int64] = []
        try readSound(of: device, in: times) { times, last in
            let rows = try Int64.fetchCursor(
                statement, arguments: [device, times.lowerBound, times.upperBound, limit - found.count])
            while let time = try rows.next() {
                last = time
                found.append(time)
            }
        }
        return found
    }

    /// Removes the points of a time in milliseconds, all but those beside a damaged page; returns how many.
    func remove(of device: Int64, in times: Range<Int64>) throws -> Int {
        do { return try removeAll(of: device, in: times) } catch let error as DatabaseError where error.isDamage {
            var removed = 0
            for time in Set(try self.times(of: device, in: times, limit: .max)) {
                do { removed += try removeAll(of: device, in: time..<time + 1) } catch let error as DatabaseError
                    where error.isDamage
                { tables.health.noteDamage(of: device, time..<time + 1) }
            }
            return removed
        }
    }

    private func removeAll(of device: Int64, in times: Range<Int64>) throws -> Int {
        var removed = 0
        // What is done by halves when a damaged page is met is undone.
        try db.inSavepoint {
            try tables.rows.forgetNames(of: device, in: times)
            try db.execute(
                sql: "DELETE FROM point WHERE device = ? AND time >= ? AND time < ?",
                arguments: [device, times.lowerBound, times.upperBound])
            removed = db.changesCount
            return .commit
        }
        return removed
    }

    private func points(_ stored: [StoredPoint]) throws -> [HistoryPoint] {
        var sources: [Int64: SourceID] = [:]
        return try stored.map { try point($0, &sources) }
    }

    private func point(_ stored: StoredPoint, _ sources: inout [Int64: SourceID]) throws -> HistoryPoint {
        if let number = stored.source, sources[number] == nil {
            sources[number] = try tables.sources.name(of: number).map(SourceID.init(rawValue:))
        }
        return stored.row.point(source: stored.source.flatMap { sources[$0] }, senderID: stored.senderID)
    }
}

// MARK: - Damaged pages

extension PointTable {
    /// Times in milliseconds that a history may know.
    private static let times: Range<Int64> = -(1 << 54)..<(1 << 54)

    /// Reads a time in milliseconds, past pages that are damaged: from each on with the next point that can be found.
    ///
    /// - Parameter read: reads a part of it, and says the time of the last row that it has read.
    private func readSound(
        of device: Int64, in times: Range<Int64>, _ read: (Range<Int64>, inout Int64) throws -> Void
    ) throws {
        var rest = times
        while !rest.isEmpty {
            var last = rest.lowerBound
            do { return try read(rest, &last) } catch let error as DatabaseError where error.isDamage {
                let next = max(try soundTime(of: device, beyond: last) ?? .max, last + 1)
                tables.health.noteDamage(of: device, last..<next)
                rest = min(next, rest.upperBound)..<rest.upperBound
            }
        }
    }

    /// The time nearest to one, at which nothing can be found, from which on a point can be found, or that there are no more;
    /// `nil` where all that follows is damaged.
    ///
    /// It is looked for in steps that double, with seven looks on the way of each, again and again from the last one that did not
    /// reach it: so a sound page between two damaged ones is seldom passed over. It takes some thousand looks.
    private func soundTime(of device: Int64, beyond time: Int64, isBackward: Bool = false) throws -> Int64? {
        let sign: Int64 = isBackward ? -1 : 1
        var damaged = min(max(sign * max(time, -.max), Self.times.lowerBound), Self.times.upperBound - 1)
        var sound = Self.times.upperBound
        while sound - damaged > 1 {
            let start = damaged
            var step: Int64 = 1
            var isFound = false
            while !isFound, damaged < sound - 1 {
                let target = min(start + step, sound - 1)
                let width = max((target - damaged) / 8, 1)
                while !isFound, damaged < target {
                    let probe = min(damaged + width, target)
                    isFound = try isSound(device, at: sign * probe, isBackward)
                    if isFound { sound = probe } else { damaged = probe }
                }
                step *= 2
            }
        }
        return sound == Self.times.upperBound ? nil : sign * sound
    }

    private func isSound(_ device: Int64, at time: Int64, _ isBackward: Bool) throws -> Bool {
        do {
            // All columns: a row may be damaged behind its time.
            if isBackward {
                _ = try tables.rows.newest(of: device, until: time)
            } else {
                try tables.rows.page(of: device, in: time..<Self.times.upperBound, after: nil, limit: 1) { _, _ in }
            }
            return true
        } catch let error as DatabaseError where error.isDamage {
            return false
        }
    }

    private func time(of device: Int64, next time: Int64) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT time FROM point WHERE device = ? AND time >= ? ORDER BY time LIMIT 1")
        return try Int64.fetchOne(statement, arguments: [device, time])
    }
}
