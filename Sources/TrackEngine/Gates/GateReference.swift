/// What the gates measure a fix against, and how other fixes can take its place.
///
/// The reference is the last fix that passed. Where it was wrong itself (dated days ahead, or an outlier with which the
/// track began) it would refuse every true fix after it. So fixes that it refuses win over it when they agree with each
/// other and are more in a row than those that have passed since the reference jumped: at least ``fewestVotes``, at
/// most
/// ``mostVotes``. One wild fix costs four true ones.
///
/// In time, only fixes of ``gap`` can win: between the times before and after the last jump of more than a minute
/// nothing has passed, so what is dated there has not been recorded yet. What is dated before it has, or is too late.
struct GateReference: Sendable, Hashable, BitwiseCopyable {
    /// The fewest fixes that win over a reference.
    static let fewestVotes = 5
    /// As many always do.
    static let mostVotes = 60
    /// A step in time of more than this, in nanoseconds, is a jump.
    private static let jump: Int64 = 60_000_000_000

    /// What the last fix that passed said; absent before the first.
    private(set) var passage: Passage?
    /// How many fixes have passed since the last jump, up to ``mostVotes``.
    private var support = 1
    private var run = AgreeingRun()
    private var gap = TimeRange.empty
    /// The times that had passed when the reference went back: fixes dated so have been recorded already.
    private var left = TimeRange.empty

    /// No fix has passed yet.
    init() {}

    /// Goes on after a fix that an earlier run let through, and maybe many before it.
    ///
    /// - Parameter isAhead: whether only fixes come that follow this one in a recording: then none of them has been
    ///   recorded, whatever its time, and an earlier one may win.
    init(resumed fix: Fix, isAhead: Bool = false) {
        passage = Passage(fix)
        if isAhead { gap = TimeRange(before: fix.time) }
    }

    /// Whether a fix of this time, later than the reference, has passed already.
    func hasPassed(_ time: Timestamp) -> Bool { left.contains(time) }

    /// Takes a fix that has passed.
    mutating func advance(to fix: Fix) {
        if let passage {
            if fix.time.nanoseconds(since: passage.time) > Self.jump {
                gap = TimeRange(after: passage.time, before: fix.time)
                support = 1
            } else if support < Self.mostVotes {
                support += 1
            }
        } else {
            gap = TimeRange(before: fix.time)  // nothing has been recorded before the first
        }
        passage = Passage(fix)
        if run.count > 0 { run = AgreeingRun() }
    }

    /// Takes a fix that is refused for what the reference says; returns whether it wins, with those before it.
    mutating func isOutvoted(by fix: Fix, maximumSpeed: Double?) -> Bool {
        guard let passage, fix.time > passage.time || gap.contains(fix.time) else { return false }
        run.append(fix, maximumSpeed: maximumSpeed)
        return run.count >= min(max(Self.fewestVotes, support + 1), Self.mostVotes)
    }

    /// Whatever comes next may lie anywhere.
    mutating func relocate() {
        passage = passage?.anywhere
        run = AgreeingRun()
    }

    /// Makes a fix the reference, whatever the one before it said.
    mutating func restart(at fix: Fix) {
        let last = passage?.time ?? fix.time
        let left = gap.contains(fix.time) ? TimeRange(from: gap.end, through: last) : .empty
        self = GateReference(resumed: fix)
        self.left = left
    }
}

/// Times between two others; without the checks of `Range`, so that no input can trap.
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
