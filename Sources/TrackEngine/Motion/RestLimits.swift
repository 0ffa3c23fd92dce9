/// The times after the last movement at which an object counts as at rest, in nanoseconds; 0 for never.
///
/// If the source is asked for occasional fixes, both times are extended to one and a half of the interval, so that a
/// fix arrives in the second half of them. With `desiredAccuracy` of three kilometres, which asks for one fix a minute,
/// `stillAfter` and `standbyAfter` of 60 s and 120 s become 90 s and 120 s.
struct RestLimits: Sendable, Hashable, BitwiseCopyable {
    /// As configured: after this time without a recorded movement, movement below the scaled distance is recorded.
    let overdueAfter: Int64
    /// Until still.
    let stillAfter: Int64
    /// Until standby.
    let standbyAfter: Int64

    init(_ configuration: RecordingConfiguration) {
        let least: Int64
        switch configuration.desiredAccuracy.demand {
        case .continuous: least = 0
        case .occasional(let interval): least = interval.saturatedNanoseconds / 2 * 3
        }
        overdueAfter = configuration.stillAfter.saturatedNanoseconds
        let standby = configuration.standbyAfter.saturatedNanoseconds
        stillAfter = overdueAfter > 0 ? max(overdueAfter, least) : 0
        standbyAfter = standby > 0 ? max(standby, stillAfter, least) : 0
    }

    /// The time until the first of them.
    var untilRest: Int64 { stillAfter > 0 ? stillAfter : standbyAfter }
}
