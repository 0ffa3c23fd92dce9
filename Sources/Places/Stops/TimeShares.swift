internal import TrackEngine

/// The time that each fix stands for, going back from the newest: half of what lies between it and each of those beside it.
///
/// A receiver that tells only movement would, counted by fixes, tell little of a rest. The newest and the oldest fix have one
/// beside them, which counts twice; and the newest counts twice where it is the newest of those remembered, too.
///
/// | seconds, oldest first | 0 | 270 | 278 | 286 |
/// |---|---|---|---|---|
/// | stands for, in seconds, of a stop of 300 s | 270 | 139 | 8 | 8 |
struct TimeShares {
    private let rule: StopRule
    /// What the fix visited last has of the time before it.
    private var later: Double?

    init(_ rule: StopRule) { self.rule = rule }

    /// The seconds of the fix of an age, -1 for the newest: one after the other from -1 on.
    mutating func next(_ age: Int, _ newest: StopFix, _ recent: borrowing RecentFixes) -> Double {
        guard age + 1 < recent.count else { return 2 * (later ?? rule.weight(0)) }
        guard age < 0 else {
            let earlier = rule.weight(recent.time(age).seconds(since: recent.time(age + 1)))
            defer { later = earlier }
            return (later ?? earlier) + earlier
        }
        guard recent.time(0) == newest.time else {
            let earlier = rule.weight(newest.time.seconds(since: recent.time(0)))
            later = earlier
            return 2 * earlier
        }
        return recent.count > 1 ? 2 * rule.weight(newest.time.seconds(since: recent.time(1))) : rule.weight(0)
    }
}
