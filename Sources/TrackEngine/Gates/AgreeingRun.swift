/// Consecutive refused fixes that agree with each other: when there are enough of them, they are believed, and not the
/// reference that refused them.
///
/// Two fixes agree when the later one is dated after the earlier one and can be reached from it.
struct AgreeingRun: Sendable, Hashable, BitwiseCopyable {
    /// The speed up to which a place can be reached where `maximumSpeed` is not set, in m/s: more than an airliner's.
    private static let fastest = 350.0

    private var newest: Passage?
    /// How many there are.
    private(set) var count = 0

    /// Takes a refused fix, which either agrees with those before it or begins afresh.
    mutating func append(_ fix: Fix, maximumSpeed: Double?) {
        let agrees =
            newest.map { $0.time < fix.time && $0.impliedSpeed(to: fix) <= maximumSpeed ?? Self.fastest } ?? false
        count = agrees ? count + 1 : 1
        newest = Passage(fix)
    }
}
