/// Keeps just enough fixes that the track rebuilt from them is nowhere farther than a bound from any fix.
///
/// "Rebuilt" means: between two kept fixes, latitude, longitude (on the shorter way around) and, where both have one,
/// altitude change linearly in time. ``RebuiltSegment`` computes it. "Farther" is the distance over ground between a
/// fix and the rebuilt position at the fix's own time (the synchronized Euclidean distance), and, if requested, the
/// difference of the altitudes. The bound holds to within rounding, 1 µm, everywhere on Earth.
///
/// It decides online: each fix is processed when it arrives, and is kept some time later, when later fixes have shown
/// that it is needed.
///
/// ```swift
/// var filter = DeviationFilter(maximumDeviation: 10)
/// for fix in fixes { filter.offer(fix) { kept.append($0) } }
/// filter.flush { kept.append($0) }
/// ```
///
/// ## Algorithm
///
/// From the last kept fix a `SpeedRange` determines the fixes to which a straight and uniform line passes all others
/// within the bound. It is followed beyond the first fix that cannot be reached, until no line is left at all. Then the
/// two farthest fixes that could be reached become candidates, each with its own cone, and the one from which the track
/// continues farther is kept. On recorded drives that is within 5 % of the fewest fixes possible, while always taking
/// the farthest fix costs up to 7 %.
///
/// ## Cost
///
/// Memory is constant: a window of 256 fixes (the newest, as far back as the second farthest one that can be reached)
/// and two cones, in buffers allocated by the initialiser, together about 56 KB. If the window does not suffice, the
/// election is held early: then the bound still holds, but more fixes may be kept than needed.
///
/// A fix is processed by at most two cones when it arrives, and again by two whenever an election makes it follow a new
/// candidate: at most 512 times for one kept fix, 2 to 4 times in total on drives. In the worst single call, election
/// follows election through a full window, each over all fixes after its candidates: 256 of them with at most 2 · 256
/// steps each, half of that on average, so 65 536 steps of about 15 ns, 1 ms.
public struct DeviationFilter: Sendable, Hashable {
    /// A fix that may be kept, and the farthest fixes that the track can reach from it.
    struct Candidate: Sendable, Hashable {
        let kept: WindowFix
        var cone: SpeedRange
        var ends = EndPoints.none

        init(_ fix: WindowFix, bounds: DeviationBounds, scale: LocalScale) {
            kept = fix
            cone = SpeedRange(from: TrackPoint(fix.fix), bounds: bounds, scale: scale)
        }

        /// Its number in the window.
        var number: Int { kept.number }

        /// The number of the farthest fix that can be reached.
        var reach: Int { ends.last ?? number }

        /// Processes the next fix. The first one can always be reached, because there is no fix in between.
        mutating func follow(_ fix: TrackPoint, number: Int) {
            guard !cone.isEmpty else { return }
            if cone.admit(fix) || ends == .none { ends.append(number) }
        }
    }

    /// The numbers of the two farthest fixes that can be reached.
    enum EndPoints: Sendable, Hashable {
        case none
        case one(Int)
        case two(Int, Int)

        var first: Int? {
            switch self {
            case .none: nil
            case .one(let number), .two(let number, _): number
            }
        }

        var last: Int? {
            switch self {
            case .none: nil
            case .one(let number), .two(_, let number): number
            }
        }

        mutating func append(_ number: Int) {
            self = last.map { .two($0, number) } ?? .one(number)
        }
    }

    /// The state of the track's end.
    private enum Phase: Hashable {
        /// No fix yet. To `settled` with the first.
        case empty
        /// There is one candidate, and it has been kept. To `open` when its cone is empty.
        case settled
        /// There is an election between the candidates. To `settled` when all but one have lost.
        case open
    }

    private let bounds: DeviationBounds
    private var phase = Phase.empty
    private var candidates: [Candidate] = []
    private var window = FixWindow()
    /// The scale used last.
    private var scale: LocalScale

    /// Creates a filter at the beginning of a track.
    ///
    /// - Parameters:
    ///   - maximumDeviation: the bound over ground, in metres, above 0.
    ///   - maximumAltitudeDeviation: the bound for altitudes above mean sea level, in metres, above 0; absent when they
    ///     are ignored. Fixes without an altitude are then bounded over ground only.
    public init(maximumDeviation: Double, maximumAltitudeDeviation: Double? = nil) {
        bounds = DeviationBounds(horizontal: maximumDeviation, vertical: maximumAltitudeDeviation)
        scale = LocalScale(at: 0, bound: maximumDeviation)
        candidates.reserveCapacity(2)
    }

    /// The last fix offered.
    public var newest: Fix? {
        switch phase {
        case .empty: nil
        case .settled, .open: window.last.fix
        }
    }

    /// Begins afresh at a fix that is kept already; undecided fixes are forgotten.
    public mutating func restart(at fix: Fix) {
        begin(at: fix, mark: 0)
    }

    /// The number of the last fix offered.
    var newestNumber: Int { window.end - 1 }

    /// Whether fixes have arrived after the last kept one.
    public var hasUndecided: Bool {
        switch phase {
        case .empty: false
        case .settled: candidates[0].number < window.end - 1
        case .open: true
        }
    }

    // MARK: Offering

    /// Processes the next fix, whose coordinate must be valid.
    ///
    /// The first fix is kept at once. A fix whose time is not after that of the previous one begins a new track:
    /// undecided fixes are decided as by ``flush(keep:)``, and the fix itself is kept.
    ///
    /// - Parameters:
    ///   - fix: the fix.
    ///   - keep: called for each fix that is now known to be needed, oldest first.
    public mutating func offer(_ fix: Fix, keep: (Fix) -> Void) {
        offer(fix, mark: 0) { keep($0.fix) }
    }

    /// As ``offer(_:keep:)``, with a number that is returned with the fix.
    mutating func offer(_ fix: Fix, mark: Double, keep: (WindowFix) -> Void) {
        guard phase != .empty, fix.time > window.lastTime else {
            flushMarked(keep: keep)
            begin(at: fix, mark: mark)
            return keep(window.last)
        }
        if window.isFull { elect(keep: keep) }
        let number = window.end
        window.append(fix, mark: mark)
        let point = TrackPoint(fix)
        for index in candidates.indices { candidates[index].follow(point, number: number) }
        while !canGoOn { elect(keep: keep) }
        if phase == .open, let winner = certainWinner { settle(on: winner, keep: keep) }
        forget()
    }

    /// Whether a later fix may be reached from a candidate.
    private var canGoOn: Bool { !candidates[0].cone.isEmpty || candidates.count > 1 && !candidates[1].cone.isEmpty }

    private mutating func begin(at fix: Fix, mark: Double) {
        window.removeAll()
        candidates.removeAll(keepingCapacity: true)
        window.append(fix, mark: mark)
        addCandidate(window.last)
        phase = .settled
    }

    /// Keeps the candidate from which the track continues farthest, and makes the fixes that it can reach the new
    /// candidates.
    ///
    /// Never inlined, because it is rare: within ``offer(_:keep:)`` it would take the registers that every fix needs.
    @inline(never)
    private mutating func elect(keep: (WindowFix) -> Void) {
        let winner = leader
        if phase == .open { keep(candidates[winner].kept) }
        switch candidates[winner].ends {
        case .none: leaveOnly(winner)
        case .one(let number):
            candidates.removeAll(keepingCapacity: true)
            stand(number)
            keep(candidates[0].kept)  // without a rival there is no election
            phase = .settled
        case .two(let first, let second):
            candidates.removeAll(keepingCapacity: true)
            stand(first)
            stand(second)
            phase = .open
        }
        forget()
    }

    /// The candidate from which the track continues farthest; of equals, the later.
    private var leader: Int {
        candidates.count == 1 || candidates[0].reach > candidates[1].reach ? 0 : 1
    }

    /// The leader, if its rival can get no farther.
    private var certainWinner: Int? {
        let leader = leader
        return candidates[1 - leader].cone.isEmpty ? leader : nil
    }

    private mutating func settle(on winner: Int, keep: (WindowFix) -> Void) {
        keep(candidates[winner].kept)
        leaveOnly(winner)
    }

    private mutating func leaveOnly(_ winner: Int) {
        candidates.swapAt(0, winner)
        candidates.removeLast(candidates.count - 1)
        phase = .settled
    }

    /// Makes a fix of the window a candidate that has processed all fixes after it.
    private mutating func stand(_ number: Int) {
        addCandidate(window[number])
        let place = candidates.count - 1
        var later = number + 1
        while later < window.end, !candidates[place].cone.isEmpty {
            candidates[place].follow(window.point(later), number: later)
            later += 1
        }
    }

    private mutating func addCandidate(_ fix: WindowFix) {
        let latitude = fix.fix.coordinate.latitude
        if !scale.suits(latitude) {
            scale = LocalScale(at: LocalScale.latitude(near: latitude), bound: bounds.horizontal)
        }
        candidates.append(Candidate(fix, bounds: bounds, scale: scale))
    }

    /// Drops the fixes that no candidate can need any more: those before the first that it might pass on to.
    private mutating func forget() {
        var needed = window.end
        for candidate in candidates { needed = min(needed, candidate.ends.first ?? needed) }
        window.drop(before: needed)
    }

    // MARK: Flushing

    /// Decides at once: keeps the newest fix, and the fixes needed before it. No fix is undecided afterwards.
    public mutating func flush(keep: (Fix) -> Void) {
        flushMarked { keep($0.fix) }
    }

    /// As ``flush(keep:)``, with each fix's number.
    mutating func flushMarked(keep: (WindowFix) -> Void) {
        while hasUndecided {
            let last = window.last
            if candidates.contains(where: { $0.number == last.number }) {
                keep(last)
                candidates.removeAll(keepingCapacity: true)
                addCandidate(last)
                phase = .settled
                return forget()
            }
            elect(keep: keep)
        }
    }
}
