import GRDB
import TrackEngine

/// A point as it was stored.
struct StoredPoint: Sendable, Hashable {
    let row: PointRow
    /// The number of its source.
    let source: Int64?
    let senderID: SenderID?
}

/// How points stand in their table: in plain, or sealed. A damaged row is left out; a damaged page ends the reading with an error.
protocol PointRows {
    /// Visits the points of a time in milliseconds, by time and place, until the body returns false.
    func visit(of device: Int64, in times: Range<Int64>, _ body: (StoredPoint) throws -> Bool) throws
    /// Hands over at most so many rows in the order of the table: those of a time in milliseconds, behind a position.
    func page(
        of device: Int64, in times: Range<Int64>, after position: HistoryPointPosition?, limit: Int,
        _ body: (HistoryPointPosition, StoredPoint?) -> Void) throws
    /// The newest point by time, up to a millisecond.
    func newest(of device: Int64, until time: Int64) throws -> StoredPoint?
    /// Visits what drawings are made of, by time and place.
    func drawn(of device: Int64, in times: Range<Int64>, _ body: (DrawnPoint) throws -> Void) throws
    /// Forgets the names that senders gave the points of a time in milliseconds.
    func forgetNames(of device: Int64, in times: Range<Int64>) throws
}

/// Adds points one after the other, within one transaction.
protocol PointInserting {
    /// Adds a point; returns whether it was new.
    func insert(_ row: PointRow, of device: Int64, source: Int64?, senderID: SenderID?) throws -> Bool
}

extension DrawnPoint {
    /// What a drawing wants of a row.
    init(time: Int64, place: GridPlace, altitude: Int64?, speed: Int64?, state: PointState) {
        // A chunk holds only what was written, or it would be made anew each time it is read.
        let written = ChunkCodec.numbers
        self.init(
            time: time, place: place, altitude: altitude.flatMap { written.contains($0) ? $0 : nil },
            speed: speed.flatMap { written.contains($0) ? $0 : nil }, activity: state.activity)
    }
}
