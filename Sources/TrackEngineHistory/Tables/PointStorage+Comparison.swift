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
            guard let before, before < time else { return }
            let next = try Int64.fetchOne(db, sql: query + " > ? ORDER BY time", arguments: [device, before])
            guard next != first else { return }
            health.noteDamage(ofTree: "point")
            health.noteDamage(of: device, time..<max(time, first ?? .max))
        } catch {
            guard error.isDamage else { throw error }
        }
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
        health.noteDamage(ofTree: "point")
        health.noteDamage(of: device, before..<max(before, times.suffix(common).first ?? end))
    }
}
