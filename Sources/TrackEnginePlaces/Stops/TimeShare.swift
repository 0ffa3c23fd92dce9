internal import TrackEngine

/// The time that each fix represents, going back from the newest: half of each interval to its two neighbours.
///
/// If fixes were merely counted, a receiver that reports only movement would give too little weight to a rest. The
/// newest and the oldest fix have only one neighbour, and that interval counts twice. The newest fix also counts
/// twice if it is the newest of the remembered ones.
///
/// | seconds, oldest first | 0 | 270 | 278 | 286 |
/// |---|---|---|---|---|
/// | share in seconds, for a stop of 300 s | 270 | 139 | 8 | 8 |
struct TimeShare {
    private let rule: StopRule
    /// The share of the last visited fix in the time before it.
    private var later: Double?

    init(_ rule: StopRule) { self.rule = rule }

    /// The seconds of the fix of an age, -1 for the newest. It must be called for successive ages, beginning with
    /// -1.
    mutating func next(_ age: Int, _ newest: Timestamp, _ recent: borrowing NewestFixes) -> Double {
        guard age + 1 < recent.count else { return 2 * (later ?? rule.weight(0)) }
        guard age < 0 else {
            let earlier = rule.weight(recent.time(age).seconds(since: recent.time(age + 1)))
            defer { later = earlier }
            return (later ?? earlier) + earlier
        }
        guard recent.time(0) == newest else {
            let earlier = rule.weight(newest.seconds(since: recent.time(0)))
            later = earlier
            return 2 * earlier
        }
        return recent.count > 1 ? 2 * rule.weight(newest.seconds(since: recent.time(1))) : rule.weight(0)
    }
}
