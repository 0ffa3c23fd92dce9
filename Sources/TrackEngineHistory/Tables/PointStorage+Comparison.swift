import SQLiteAccess
import TrackEngine

extension PointStorage {
    /// Compares the first row of a reading with the one that follows the row before its start: a page with earlier
    /// contents, where the reading starts, would hide its own.
    func compare(_ first: Int64?, of device: Int64, from start: PointStart) throws {
        guard case .time(let time) = start, !health.misleads else { return }
        let query = "SELECT time FROM point WHERE device = ? AND time"
        do {
            let before = try Int64.fetchOne(db, sql: query + " < ? ORDER BY time DESC", arguments: [device, time])
            guard let before else {
                // Before a page of another device's rows the search finds none of the device's.
                let earliest = try Int64.fetchOne(
                    db, sql: "SELECT time FROM point WHERE device = ? ORDER BY time", arguments: [device])
                if let earliest, earliest < time { noteHidden(of: device, earliest..<time) }
                return
            }
            guard before < time else { return }
            let next = try Int64.fetchOne(db, sql: query + " > ? ORDER BY time", arguments: [device, before])
            guard next != first else { return }
            noteHidden(of: device, time..<max(time, first ?? .max))
        } catch {
            guard error.isDamage else { throw error }
        }
    }

    /// Demands that a device has no row at or behind the end of a reading that came to its last row: a page of another
    /// device's rows would end it earlier.
    func requireNone(of device: Int64, from end: Int64, after last: Int64) throws {
        guard !health.misleads, end < .max else { return }
        do {
            let newest = try Int64.fetchOne(
                db, sql: "SELECT time FROM point WHERE device = ? ORDER BY \(Self.keyBackwards)", arguments: [device])
            if let newest, newest >= end { noteHidden(of: device, min(last, end)..<end) }
        } catch {
            guard error.isDamage else { throw error }
        }
    }

    /// Demands that no row follows the newest one: a last page with earlier contents would hide its own.
    func requireNone(of device: Int64, after newest: Int64, until time: Int64) throws {
        guard !health.misleads else { return }
        do {
            let latest = min(time, RowSearch.possible.upperBound)
            let next = try Int64.fetchOne(
                db, sql: "SELECT time FROM point WHERE device = ? AND time > ? AND time <= ? ORDER BY time",
                arguments: [device, newest, latest])
            if let next, next > newest { noteHidden(of: device, newest..<next) }
        } catch {
            guard error.isDamage else { throw error }
        }
    }

    private func noteHidden(of device: Int64, _ times: Range<Int64>) {
        health.noteDamage(ofTree: "point")
        health.noteDamage(of: device, times)
    }

    /// Compares the last rows of a reading with those that are found backwards from the row at which it ended: a page
    /// with the contents of the one with that row would hide the rows between the two.
    func compare(_ window: RowTimeWindow, of device: Int64, from start: PointStart, to end: Int64) throws {
        if case .behindDamage = start { return }
        guard !health.misleads else { return }
        let (times, isWhole) = window.times(after: start.lastTime, before: end)
        let found: [Int64]
        do {
            found = try Int64.fetchAll(
                db,
                sql: """
                    SELECT time FROM point WHERE device = ? AND time > ? AND time < ?
                    ORDER BY \(Self.keyBackwards) LIMIT ?
                    """, arguments: [device, start.lastTime, end, times.count + (isWhole ? 1 : 0)])
        } catch {
            guard error.isDamage else { throw error }
            return  // the reading met no damaged page
        }
        guard !found.elementsEqual(times.reversed()) else { return }
        let common = zip(found, times.reversed()).prefix { $0 == $1 }.count
        let before = times.dropLast(common).last ?? start.lastTime
        noteHidden(of: device, before..<max(before, times.suffix(common).first ?? end))
    }
}
