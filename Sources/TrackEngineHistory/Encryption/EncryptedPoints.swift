import FoundationEssentials
import GRDB
import TrackEngine

/// Points with only device and time readable.
struct EncryptedPoints: PointStorage {
    let db: Database
    private let lock: PointCipher
    private let unopened: UnreadableRowList

    init(db: Database, seal: HistoryCipher) {
        self.db = db
        unopened = seal.unopened
        lock = PointCipher(seal)
    }

    static let columns = "time, tag, contents"
    static let key = ["time", "tag"]

    func values(at position: HistoryPointPosition) -> StatementArguments {
        switch position.key {
        case .tag(let tag): [position.time, Data(tag)]
        case .place: [position.time, Data()]
        }
    }

    func position(of row: Row) -> HistoryPointPosition? {
        guard let time = row.integer(0), case .blob(let tag) = (row[1] as DatabaseValue).storage else { return nil }
        return HistoryPointPosition(time: time, key: .tag(Array(tag)))
    }

    func visit(of device: Int64, from start: PointStart, to end: Int64, _ body: (StoredPoint) throws -> Bool) throws {
        let rows = try rows(Self.columns, of: device, from: start, to: end, by: "time")
        // In the table, points of one time are ordered by their tags.
        var simultaneous: [StoredPoint] = []
        func passOn() throws -> Bool {
            defer { simultaneous.removeAll(keepingCapacity: true) }
            if simultaneous.count > 1 { simultaneous.sort { $0.row.place < $1.row.place } }
            return try simultaneous.allSatisfy(body)
        }
        func next() throws -> Row? {
            do { return try rows.next() } catch {
                _ = try passOn()  // the rows read before a damaged page
                throw error
            }
        }
        while let row = try next() {
            guard let point = try open(row, of: device) else { continue }
            if let last = simultaneous.last, last.row.time != point.row.time, try !passOn() { return }
            simultaneous.append(point)
        }
        _ = try passOn()
    }

    func page(
        of device: Int64, from start: PointStart, to end: Int64, limit: Int,
        _ body: (HistoryPointPosition, StoredPoint?) -> Void
    ) throws {
        let rows = try rows(Self.columns, of: device, from: start, to: end, by: "time, tag", limit: limit)
        while let row = try rows.next() {
            guard let position = position(of: row) else { continue }
            body(position, try open(row, of: device))
        }
    }

    func newest(of device: Int64, until time: Int64) throws -> StoredPoint? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(Self.columns) FROM point WHERE device = ? AND time <= ? ORDER BY time DESC"),
            arguments: [device, time])
        var newest: StoredPoint?
        while let row = try rows.next() {
            if let newest, row.integer(0) != newest.row.time { return newest }
            // In plain it is the last one of that time by its place.
            guard let point = try open(row, of: device) else { continue }
            if newest.map({ $0.row.place < point.row.place }) ?? true { newest = point }
        }
        return newest
    }

    func drawn(of device: Int64, from start: PointStart, to end: Int64, _ body: (DrawingPoint) throws -> Void) throws {
        try visit(of: device, from: start, to: end) { point in
            let row = point.row
            try body(
                DrawingPoint(
                    time: row.time, place: row.place, altitude: row.altitude, speed: row.speed, state: row.state))
            return true
        }
    }

    func forgetNames(of device: Int64, in times: Range<Int64>) throws {
        try db.execute(
            sql: """
                DELETE FROM sender_id WHERE device = :device AND tag IN (
                    SELECT sender FROM point WHERE device = :device AND time >= :begin AND time < :end)
                """, arguments: ["device": device, "begin": times.lowerBound, "end": times.upperBound])
    }

    /// Opens the point of a row; `nil` for a damaged row, which is counted.
    private func open(_ row: Row, of device: Int64) throws -> StoredPoint? {
        guard let time = row.integer(0) else { return nil }
        return try row.withUnsafeData(atIndex: 1) { tag in
            try row.withUnsafeData(atIndex: 2) { contents in
                guard let tag, let contents else { return nil }
                let point = lock.open(contents, tag: tag, of: device, time: time)
                if point == nil { unopened.note([Array(tag), Array("\(device) \(time)".utf8)], at: time) }
                return point
            }
        }
    }
}

extension GridPosition: Comparable {
    /// From south to north, and from west to east at the same latitude: the order of the table in a plain history.
    static func < (left: GridPosition, right: GridPosition) -> Bool {
        (left.latitude, left.longitude) < (right.latitude, right.longitude)
    }
}
