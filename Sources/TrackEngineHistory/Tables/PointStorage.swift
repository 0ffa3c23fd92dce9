import GRDB
import TrackEngine

/// A stored point.
struct StoredPoint: Sendable, Hashable {
    let row: PointRow
    /// The number of its source.
    let source: Int64?
    let senderID: SenderID?
}

/// The form of points in their table: in plain, or sealed. A damaged row is left out; a damaged page ends the reading
/// with an error.
protocol PointStorage {
    var db: Database { get }
    /// The columns of a point, the time first.
    static var columns: String { get }
    /// The columns of the table's key after the device, the time first.
    static var key: [String] { get }
    /// The values of those columns at a position.
    func values(at position: HistoryPointPosition) -> StatementArguments
    /// Returns the position of a row that begins with those columns; `nil` when it is damaged.
    func position(of row: Row) -> HistoryPointPosition?
    /// Visits the points up to a millisecond, by time and place, until the body returns false.
    func visit(of device: Int64, from start: PointStart, to end: Int64, _ body: (StoredPoint) throws -> Bool) throws
    /// Visits at most `limit` rows in the order of the table.
    func page(
        of device: Int64, from start: PointStart, to end: Int64, limit: Int,
        _ body: (HistoryPointPosition, StoredPoint?) -> Void) throws
    /// Returns the newest point by time, up to a millisecond.
    func newest(of device: Int64, until time: Int64) throws -> StoredPoint?
    /// Visits the values for drawings, by time and place.
    func drawn(of device: Int64, from start: PointStart, to end: Int64, _ body: (DrawingPoint) throws -> Void) throws
    /// Removes the names that senders gave the points of a range of milliseconds.
    func forgetNames(of device: Int64, in times: Range<Int64>) throws
}

extension PointStorage {
    /// Returns columns of the rows of a device from a start to before a millisecond, in an order.
    func rows(
        _ columns: String, of device: Int64, from start: PointStart, to end: Int64, by order: String, limit: Int? = nil
    ) throws -> RowCursor {
        let key = "(\(Self.key.joined(separator: ", ")))"
        let marks = "(\(Self.key.map { _ in "?" }.joined(separator: ", ")))"
        let reading = "SELECT \(columns) FROM point WHERE device = ? AND"
        var (sql, arguments): (String, StatementArguments) =
            switch start {
            case .time(let time): ("\(reading) time >= ?", [device, time])
            // With an additional bound on the time, SQLite might scan all points of a millisecond again.
            case .behind(let position): ("\(reading) \(key) > \(marks)", [device] + values(at: position))
            case .behindDamage(let next, let count, _):
                (
                    """
                    SELECT * FROM (\(reading) time < ? ORDER BY \(Self.keyBackwards) LIMIT ?) WHERE time < ?
                    UNION ALL \(reading) time >= ?
                    """, [device, next, count, end, device, next]
                )
            }
        sql += " AND time < ? ORDER BY \(order)"
        arguments += [end]
        if let limit {
            sql += " LIMIT ?"
            arguments += [limit]
        }
        return try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
    }

    private static var keyBackwards: String { key.map { $0 + " DESC" }.joined(separator: ", ") }

    /// Visits the times of at most `limit` rows in the order of the table.
    func times(
        of device: Int64, from start: PointStart, to end: Int64, limit: Int, _ body: (Int64) -> Void
    ) throws {
        let rows = try rows("time", of: device, from: start, to: end, by: "time", limit: limit)
        while let row = try rows.next() { if let time = row.integer(0) { body(time) } }
    }

    /// Returns the number of rows in a range of milliseconds that can be read backwards from its end, in at most ten
    /// thousand steps, and the time of the earliest; `nil` for none.
    func readableBackwards(of device: Int64, in times: Range<Int64>) throws -> (count: Int, first: Int64)? {
        var found: (count: Int, first: Int64)?
        do {
            let rows = try rows(
                Self.columns, of: device, from: .time(times.lowerBound), to: times.upperBound, by: Self.keyBackwards,
                limit: 10_000)
            while let row = try rows.next() {
                if let time = row.integer(0) { found = ((found?.count ?? 0) + 1, time) }
            }
        } catch let error as DatabaseError where error.isDamage {}  // no row before it can be read
        return found
    }
}

/// Adds points one after the other, within one transaction.
protocol PointWriter {
    /// Adds a point; returns whether it was new.
    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool
}

extension DrawingPoint {
    /// The values of a row for a drawing.
    init(time: Int64, place: GridPosition, altitude: Int64?, speed: Int64?, state: PointState) {
        // A chunk holds only encodable values; otherwise it would be made anew at each read.
        let written = ChunkCodec.numbers
        self.init(
            time: time, place: place, altitude: altitude.flatMap { written.contains($0) ? $0 : nil },
            speed: speed.flatMap { written.contains($0) ? $0 : nil }, activity: state.activity)
    }
}
