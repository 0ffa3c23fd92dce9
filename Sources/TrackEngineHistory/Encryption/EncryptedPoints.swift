import SQLiteAccess
import TrackEngine

/// Points with only device and time readable.
struct EncryptedPoints: PointStorage {
    let db: Database
    let health: HistoryHealth
    private let lock: PointCipher
    private let unopened: UnreadableRowList

    init(db: Database, seal: HistoryCipher, health: HistoryHealth) {
        self.db = db
        self.health = health
        unopened = seal.unopened
        lock = PointCipher(seal)
    }

    static let columns = "time, tag, contents"
    static let key = ["time", "tag"]
    static let sender = (column: "sender", key: "tag")

    func values(at position: HistoryPointPosition) -> [any DatabaseField] {
        switch position.key {
        case .tag(let tag): [position.time, tag]
        case .place: [position.time, [UInt8]()]
        }
    }

    func position(of row: Row) -> HistoryPointPosition? {
        guard let time = row.integer(0), let tag = row.blob(1) else { return nil }
        return HistoryPointPosition(time: time, key: .tag(tag))
    }

    func visit(of device: Int64, from start: PointStart, to end: Int64, _ body: (StoredPoint) throws -> Bool) throws {
        // In the table, points of one time are ordered by their tags.
        var simultaneous: [StoredPoint] = []
        func passOn() throws -> Bool {
            defer { simultaneous.removeAll(keepingCapacity: true) }
            if simultaneous.count > 1 { simultaneous.sort { $0.row.place < $1.row.place } }
            return try simultaneous.allSatisfy(body)
        }
        do {
            try rows(
                Self.columns, of: device, from: start, to: end, value: { point($0, of: device) },
                visit: { entry in
                    guard let point = entry.value else { return true }
                    if let last = simultaneous.last, last.row.time != point.row.time, try !passOn() { return false }
                    simultaneous.append(point)
                    return true
                })
        } catch let error as DatabaseError where error.isDamage {
            guard try passOn() else { return }  // the rows read before a damaged page
            throw error
        }
        _ = try passOn()
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

    /// Opens the point of a row; `nil` for a damaged row, which is counted.
    func point(_ row: Row, of device: Int64) -> StoredPoint? {
        guard let time = row.integer(0) else { return nil }
        return row.withBlob(1) { tag in
            row.withBlob(2) { contents in
                if let tag, let contents, let point = lock.open(contents, tag: tag, of: device, time: time) {
                    return point
                }
                unopened.note([tag.map(Array.init) ?? [], Array("\(device) \(time)".utf8)], at: time)
                return nil
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
