/// Consecutive rejected fixes that agree with each other. When there are enough of them, they replace the reference
/// that rejected them.
///
/// Two fixes agree when the later one is dated after the earlier one (or, in any order, not at the same time) and can
/// be reached from it.
struct RejectionRun: Sendable, Hashable, BitwiseCopyable {
    /// The speed limit for reaching a position where `maximumSpeed` is not set, in m/s: more than an airliner's.
    private static let fastest = 350.0

    private var newest: ReferenceFix?
    /// The earliest fix of a run in any order.
    private var oldest: ReferenceFix?
    /// The number of fixes in the run.
    private(set) var count = 0

    /// Adds a rejected fix, which either agrees with the previous ones or begins a new run.
    ///
    /// - Parameter inAnyOrder: whether earlier fixes may follow later ones. One between the times of the run then changes
    ///   nothing: it may be a repetition.
    mutating func append(_ fix: Fix, maximumSpeed: Double?, inAnyOrder: Bool = false) {
        let limit = maximumSpeed ?? Self.fastest
        if inAnyOrder, let oldest, let newest, fix.time <= newest.time {
            guard fix.time < oldest.time else { return }
            if ReferenceFix(fix).impliedSpeed(to: oldest) <= limit {
                self.oldest = ReferenceFix(fix)
                count += 1
                return
            }
        } else if let newest, newest.time < fix.time, newest.impliedSpeed(to: fix) <= limit {
            self.newest = ReferenceFix(fix)
            count += 1
            return
        }
        newest = ReferenceFix(fix)
        oldest = newest
        count = 1
    }
}
