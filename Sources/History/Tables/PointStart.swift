/// The point with which a reading begins.
enum PointStart: Sendable, Hashable {
    /// The first one at or after a millisecond.
    case time(Int64)
    /// The next one after a position.
    case behind(HistoryPointPosition)
    /// The first one at or after a millisecond, and so many before it, the earliest with its time, that can be read only backwards.
    case behindDamage(Int64, earlier: Int, from: Int64)

    /// Its time in milliseconds, at the least.
    var time: Int64 {
        switch self {
        case .time(let time), .behindDamage(_, earlier: _, from: let time): time
        case .behind(let position): position.time
        }
    }
}
