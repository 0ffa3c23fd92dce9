/// The reference that the gates compare a fix with, and the rules by which other fixes replace it.
///
/// The reference is the last fix that passed. If it was wrong itself (dated days ahead, or an outlier with which the
/// track began), it would reject every true fix after it. Therefore rejected fixes replace it when they agree with each
/// other and there are more of them in a row than fixes that have passed since the reference jumped: at least
/// ``fewestVotes``, at most ``mostVotes``. One wild fix costs four true ones.
///
/// Fixes dated before the reference can replace it only if their times are in ``gap``. No fix has passed between the
/// times before and after the last jump of more than a minute, so fixes dated in between have not been recorded yet.
/// Fixes dated before that have been recorded, or are too late.
struct GateReference: Sendable, Hashable, BitwiseCopyable {
    /// The smallest number of fixes that replaces a reference.
    static let fewestVotes = 5
    /// The number of fixes that always replaces a reference.
    static let mostVotes = 60
    /// A step in time of more than this, in nanoseconds, is a jump.
    private static let jump: Int64 = 60_000_000_000

    /// The values of the last fix that passed; absent before the first.
    private(set) var passage: ReferenceFix?
    /// The number of fixes that have passed since the last jump, up to ``mostVotes``.
    private var support = 1
    private var run = RejectionRun()
    private var gap = TimeRange.empty
    /// The times that had passed when the reference went back: fixes with these times have been recorded already.
    private var left = TimeRange.empty

    /// Creates a reference before the first fix.
    init() {}

    /// Continues after a fix that passed in an earlier run, perhaps with many before it.
    ///
    /// - Parameters:
    ///   - isAhead: whether all further fixes come after this one in a recording. Then none of them has been recorded,
    ///     whichever time it has, and an earlier one may replace the reference.
    ///   - isSupported: whether as many fixes as may count support it.
    init(resumed fix: Fix, isAhead: Bool = false, isSupported: Bool = false) {
        passage = ReferenceFix(fix)
        if isSupported { support = Self.mostVotes }
        if isAhead { gap = TimeRange(before: fix.time) }
    }

    /// Whether a fix of this time, later than the reference, has passed already.
    func hasPassed(_ time: Timestamp) -> Bool { left.contains(time) }

    /// Makes a fix that has passed the reference.
    mutating func advance(to fix: Fix) {
        if let passage {
            if fix.time.nanoseconds(since: passage.time) > Self.jump {
                gap = TimeRange(after: passage.time, before: fix.time)
                support = 1
            } else if support < Self.mostVotes {
                support += 1
            }
        } else {
            gap = TimeRange(before: fix.time)  // no fix has been recorded before the first
        }
        passage = ReferenceFix(fix)
        if run.count > 0 { run = RejectionRun() }
    }

    /// Adds a fix that was rejected because of the reference. Returns whether it replaces the reference, together with
    /// the previous ones.
    mutating func isOutvoted(by fix: Fix, maximumSpeed: Double?) -> Bool {
        guard let passage, fix.time > passage.time || gap.contains(fix.time) else { return false }
        run.append(fix, maximumSpeed: maximumSpeed)
        return run.count >= votes
    }

    /// The number of fixes in a row that replaces the reference.
    var votes: Int { min(max(Self.fewestVotes, support + 1), Self.mostVotes) }

    /// Allows any position for the next fix.
    mutating func relocate() {
        passage = passage?.anywhere
        run = RejectionRun()
    }

    /// Makes a fix the reference regardless of the previous one.
    mutating func restart(at fix: Fix) {
        let last = passage?.time ?? fix.time
        let left = gap.contains(fix.time) ? TimeRange(from: gap.end, through: last) : .empty
        self = GateReference(resumed: fix)
        self.left = left
    }
}

/// A range of times; without the checks of `Range`, so that no input can trap.
private struct TimeRange: Hashable, BitwiseCopyable {
    static let empty = TimeRange(start: .min, end: .min)

    /// The first nanosecond, and the one after the last.
    private let start: Int64
    private let after: Int64

    private init(start: Int64, end: Int64) { (self.start, after) = (start, end) }

    init(before end: Timestamp) {
        self.init(start: .min, end: end.nanosecondsSince1970)
    }

    init(after start: Timestamp, before end: Timestamp) {
        self.init(start: start.nanosecondsSince1970.saturatingAdd(1), end: end.nanosecondsSince1970)
    }

    init(from start: Timestamp, through end: Timestamp) {
        self.init(start: start.nanosecondsSince1970, end: end.nanosecondsSince1970.saturatingAdd(1))
    }

    /// The first time after the range.
    var end: Timestamp { Timestamp(nanosecondsSince1970: after) }

    func contains(_ time: Timestamp) -> Bool {
        time.nanosecondsSince1970 >= start && time.nanosecondsSince1970 < after
    }
}
