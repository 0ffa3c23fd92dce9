/// The point at which a reading begins.
enum PointStart: Sendable, Hashable {
    /// The first point at or after a millisecond.
    case time(Int64)
    /// The next point after a position.
    case behind(HistoryPointPosition)
    /// The first point at or after a millisecond, and the `earlier` points before it that can be read only backwards;
    /// `from` is the time of the earliest.
    case behindDamage(Int64, earlier: Int, from: Int64)

    /// The least time of the point, in milliseconds.
    var time: Int64 {
        switch self {
        case .time(let time), .behindDamage(_, earlier: _, from: let time): time
        case .behind(let position): position.time
        }
    }

    /// The last millisecond before the point, if no point of its own millisecond is before it.
    var lastTime: Int64 {
        switch self {
        case .time(let time), .behindDamage(_, earlier: _, from: let time): max(time, .min + 1) - 1
        case .behind(let position): position.time
        }
    }
}
