/// Consecutive rejected fixes that agree with each other. When there are enough of them, they replace the reference
/// that rejected them.
///
/// Two fixes agree when the later one is dated after the earlier one (or, in any order, not at the same time) and can
/// be reached from it.
struct RejectionRun: Sendable, Hashable, BitwiseCopyable {
    /// The speed limit for reaching a position where `maximumSpeed` is not set, in m/s: more than an airliner's.
    private static let fastest = 350.0

    private var newest: ReferenceFix?
    /// The number of fixes in the run.
    private(set) var count = 0

    /// Adds a rejected fix, which either agrees with the previous ones or begins a new run.
    ///
    /// - Parameter inAnyOrder: whether earlier fixes may follow later ones; one that is repeated then changes nothing.
    mutating func append(_ fix: Fix, maximumSpeed: Double?, inAnyOrder: Bool = false) {
        if inAnyOrder, let newest, newest.time == fix.time, newest.coordinate == fix.coordinate { return }
        let agrees =
            newest.map { $0.agrees(with: fix, inAnyOrder: inAnyOrder, maximumSpeed: maximumSpeed ?? Self.fastest) }
            ?? false
        count = agrees ? count + 1 : 1
        newest = ReferenceFix(fix)
    }
}

extension ReferenceFix {
    fileprivate func agrees(with next: Fix, inAnyOrder: Bool, maximumSpeed: Double) -> Bool {
        if time < next.time { return impliedSpeed(to: next) <= maximumSpeed }
        return inAnyOrder && time > next.time && ReferenceFix(next).impliedSpeed(to: self) <= maximumSpeed
    }
}
