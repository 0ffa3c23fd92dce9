/// How long to look for what no event announces: until the time is over, and a hundred times at least.
///
/// The time alone is over after one look on a machine that stood still meanwhile.
struct Patience {
    private let end: ContinuousClock.Instant
    private var looks = 0

    init(_ limit: Duration) {
        end = ContinuousClock.now.advanced(by: limit)
    }

    /// Counts a look that was in vain; returns whether to look again.
    mutating func allowsAnotherLook() -> Bool {
        looks += 1
        return looks < 100 || ContinuousClock.now < end
    }
}
