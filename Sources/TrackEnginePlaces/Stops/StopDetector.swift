internal import TrackEngine

/// Detects the stops of a track: the common rule for visits and trips.
///
/// - A **stop** has begun when the newest fixes, back to a first one at rest, lie within ``StopRule/radius`` plus
///   their own accuracy of their middle, for ``StopRule/stopAfter``: see ``StopSearch``. It begins at that first
///   fix. Gaps between the fixes do not matter: an object that is where it was before a gap has stayed there.
/// - It **lasts** while fixes lie within the radius plus their accuracy, which counts up to twice the radius, of the
///   middle of all.
/// - The object has **left** when fixes in a row lie beyond ``StopRule/minimumDistance``: one with a vehicle's
///   speed, or two if it was seen moving. It has also left when no fix has been inside for ``StopRule/stopAfter``,
///   and it was seen moving, or two far fixes lie at one place, or there are three of them. The position of a parked
///   object may wander for an hour, but not at a walker's speed. The departure is the last fix at rest.
/// - A **silence** as long as a stop is also a stop, if the object is hardly farther away afterwards: see
///   ``StopRule/hasRested(for:distance:fix:)``.
/// - A gap, or a fix that begins a leg, ends the track where it was, unless the object is still there.
struct StopDetector: Sendable {
    /// The speed from which a single distant fix is not an outlier, in metres per second.
    private static let vehicleSpeed = 3.0

    enum Phase: Sendable, Hashable, BitwiseCopyable {
        /// No fix yet. Changes to `moving` with the first.
        case unknown
        /// No stop. Changes to `resting` when one is found, to `lost` after a gap.
        case moving
        /// The position is unknown since the newest fix. Changes to `resting` or `moving` with the next fix.
        case lost
        /// At a stop. Changes to `away` with a fix elsewhere.
        case resting(Stop)
        /// Fixes lie elsewhere. Changes back to `resting` with one inside, to `moving` when the object has certainly
        /// left.
        case away(Stop, since: PendingEnd)
    }

    /// Fixes outside a stop, without one inside since then.
    struct PendingEnd: Sendable, Hashable, BitwiseCopyable {
        /// The first of the fixes.
        let first: StopFix
        /// Whether the way to the first fix is unknown.
        let isCut: Bool
        /// The number of the latest fixes in a row that lie beyond the minimum distance.
        var farFixes = 0
        /// The number of fixes.
        var fixes = 0
    }

    let rule: StopRule
    var phase = Phase.unknown
    var newest: StopFix?
    /// Whether the pipeline considered the object at rest at the newest fix.
    var isRestShown = false
    /// Whether the newest fix is also the newest one of ``recent``.
    var isNewestRemembered = false
    var recent = NewestFixes()
    /// The time since which the object may be at rest.
    var candidate: Timestamp?
    /// Whether the movement since the newest fix is hidden.
    var isConcealed = false
    /// The time of the next search for a stop.
    var nextSearch = Timestamp(nanosecondsSince1970: .min)

    init(rule: StopRule) { self.rule = rule }

    // MARK: A fix

    /// Processes a fix, which must be later than the one before.
    ///
    /// - Parameters:
    ///   - isCut: Whether a leg begins with the fix.
    ///   - isMoving: Whether the pipeline considers the object moving.
    mutating func observe(
        _ fix: StopFix, isCut: Bool, isMoving: Bool, to reporter: inout EventReporter, report: (DetectorEvent) -> Void
    ) {
        let before = newest
        // A fix that is too inaccurate to count does not end the hidden period.
        if isConcealed, fix.accuracy > rule.maximumAccuracy { return }
        defer { isConcealed = false }
        let isCut = isCut || (before.map { fix.time.seconds(since: $0.time) > rule.gap } ?? true)
        switch phase {
        case .unknown:
            begin(at: fix, to: &reporter, report: report)
        case .moving, .lost:
            guard fix.accuracy <= rule.maximumAccuracy else { return }
            if isConcealed {
                goOn(at: fix, isCut: isCut, before: before, to: &reporter, report: report)
                break
            }
            // The place where the object came to rest before the track was lost: the end of the trip.
            let arrival = phase == .lost ? before.map(lastArrival) : nil
            if let before, restedSilently(from: before, to: fix) {
                let stop = StopSearch(rule: rule).stop(before: before, in: recent)
                (phase, candidate) = (.resting(stop), nil)
                reporter.arrived(at: stop, report: report)
                remain(at: stop, excursion: nil, fix, isCut: isCut, to: &reporter, report: report)
                break
            }
            remember(fix)
            seek(endingWith: fix, isCut: isCut, before: before, arrival: arrival, to: &reporter, report: report)
        case .resting(let stop) where hasVanished(from: stop, fix),
            .away(let stop, _) where hasVanished(from: stop, fix):
            end(stop, to: &reporter, report: report)
            begin(at: fix, to: &reporter, report: report)
        case .resting(let stop):
            remain(at: stop, excursion: nil, fix, isCut: isCut, to: &reporter, report: report)
        case .away(let stop, let excursion):
            remain(at: stop, excursion: excursion, fix, isCut: isCut, to: &reporter, report: report)
        }
        isRestShown = !isMoving
    }

    /// Whether the object was hidden for as long as a stop since it was seen at a place, so that its stay there is
    /// unknown.
    private func hasVanished(from stop: Stop, _ fix: StopFix) -> Bool {
        isConcealed && fix.time.seconds(since: stop.lastInside.time) >= rule.stopAfter
    }

    private func restedSilently(from before: StopFix, to fix: StopFix) -> Bool {
        let distance = before.coordinate.distance(to: fix.coordinate)
        return rule.hasRested(for: fix.time.seconds(since: before.time), distance: distance, fix: fix)
    }

    private mutating func begin(at fix: StopFix, to reporter: inout EventReporter, report: (DetectorEvent) -> Void) {
        guard fix.accuracy <= rule.maximumAccuracy else { return }
        restart(at: fix)
        reporter.legBegan(at: fix.mark, place: fix.coordinate)
    }

    private mutating func restart(at fix: StopFix) {
        phase = .moving
        recent = NewestFixes()
        recent.append(fix)
        (newest, isNewestRemembered, candidate) = (fix, true, nil)
        nextSearch = fix.time.advanced(seconds: rule.searchStep)
    }

    /// Keeps the newest fix and remembers one per time step, including the last one before a long step.
    private mutating func remember(_ fix: StopFix) {
        defer { newest = fix }
        let step = rule.memoryStep
        if let newest, !isNewestRemembered, fix.time.seconds(since: newest.time) >= step { recent.append(newest) }
        isNewestRemembered = recent.newestTime.map { fix.time.seconds(since: $0) >= step } ?? true
        if isNewestRemembered { recent.append(fix) }
    }

    private mutating func seek(
        endingWith fix: StopFix, isCut: Bool, before: StopFix?, arrival: TrackMark?,
        to reporter: inout EventReporter, report: (DetectorEvent) -> Void
    ) {
        let wasLost = phase == .lost
        phase = .moving
        if fix.time >= nextSearch || isCut || wasLost {
            if search(until: fix.time, before: before, arrival, to: &reporter, report: report) { return }
        }
        guard isCut || wasLost else { return }
        phase = wasLost ? .lost : .moving
        goOn(at: fix, isCut: isCut, before: before, to: &reporter, report: report)
    }

    /// Continues at a fix and discards the earlier fixes. The trip ends where the track was lost.
    private mutating func goOn(
        at fix: StopFix, isCut: Bool, before: StopFix?, to reporter: inout EventReporter,
        report: (DetectorEvent) -> Void
    ) {
        let wasLost = phase == .lost
        if isCut, !wasLost, let before { reporter.lost(at: before.mark, by: .gap, report: report) }
        restart(at: fix)
        if isCut || wasLost { reporter.legBegan(at: fix.mark, place: fix.coordinate) }
    }

    /// The mark at which the object came to rest before the track was lost; if it was moving, the mark of the fix
    /// itself.
    private func lastArrival(_ fix: StopFix) -> TrackMark {
        StopSearch(rule: rule).stop(before: fix, in: recent).arrival
    }

    /// Searches for a stop that lasts until a time.
    ///
    /// - Parameters:
    ///   - before: The last fix before the track was lost.
    ///   - arrival: The arrival of a stop that began before that fix.
    private mutating func search(
        until end: Timestamp, before: StopFix? = nil, _ arrival: TrackMark? = nil,
        to reporter: inout EventReporter, report: (DetectorEvent) -> Void
    ) -> Bool {
        guard let newest else { return false }
        nextSearch = end.advanced(seconds: rule.searchStep)
        switch StopSearch(rule: rule).stop(endingWith: newest, before: recent, until: end) {
        case .none:
            candidate = nil
        case .since(let time):
            candidate = time
            // At least a millisecond later, in case rounding makes the time too short.
            nextSearch = min(nextSearch, max(time.advanced(seconds: rule.stopAfter), end.advanced(seconds: 0.001)))
        case .found(var stop):
            if let before, let arrival, stop.arrival.time <= before.time { stop.begin(at: arrival) }
            candidate = nil
            phase = .resting(stop)
            reporter.arrived(at: stop, report: report)
            return true
        }
        return false
    }

    // MARK: At a stop

    private mutating func remain(
        at stop: Stop, excursion: PendingEnd?, _ fix: StopFix, isCut: Bool, to reporter: inout EventReporter,
        report: (DetectorEvent) -> Void
    ) {
        let distance = stop.distance(to: fix.coordinate)
        var stop = stop
        guard distance > stop.reach(of: fix, rule) else {
            remember(fix)
            if stop.add(fix, rule) { reporter.rests() }
            phase = .resting(stop)
            return
        }
        let silence = fix.time.seconds(since: stop.lastInside.time)
        if !isConcealed, rule.hasRested(for: silence, distance: distance, fix: fix) {
            stop.rested(until: rule.departure(before: fix, distance: distance))
        }
        let isFar = distance - fix.accuracy > rule.minimumDistance
        guard fix.accuracy <= rule.maximumAccuracy || isFar else { return }
        let previous = newest
        remember(fix)
        // The way across a cut is unknown: an uncertain departure restarts after it.
        let known = isCut ? nil : excursion
        var excursion = known ?? PendingEnd(first: fix, isCut: isCut)
        excursion.fixes += 1
        excursion.farFixes = isFar ? excursion.farFixes + 1 : 0
        guard hasLeft(fix, after: previous, excursion) else {
            phase = .away(stop, since: excursion)
            return
        }
        leave(stop, excursion, to: &reporter, report: report)
        if phase.isMoving { _ = search(until: fix.time, to: &reporter, report: report) }
    }

    private func hasLeft(_ fix: StopFix, after previous: StopFix?, _ excursion: PendingEnd) -> Bool {
        let wasSeenMoving = fix.mark.travelled.showsMovement
        if excursion.farFixes >= 1, fix.speed ?? 0 >= Self.vehicleSpeed { return true }
        if excursion.farFixes >= 2, wasSeenMoving { return true }
        guard excursion.fixes >= 2, fix.time.seconds(since: excursion.first.time) >= rule.stopAfter else {
            return false
        }
        // Two outliers are hardly ever at one place.
        let agree = previous.map { $0.coordinate.distance(to: fix.coordinate) <= rule.reach(of: fix) } ?? false
        return wasSeenMoving || excursion.farFixes >= 3 || (excursion.farFixes == 2 && agree)
    }

    private mutating func leave(
        _ stop: Stop, _ excursion: PendingEnd, to reporter: inout EventReporter, report: (DetectorEvent) -> Void
    ) {
        var stop = stop
        let first = excursion.first
        let span = first.time.seconds(since: stop.lastInside.time)
        let travel = TravelEstimate(
            from: first, beside: newest, distance: stop.distance(to: first.coordinate), span: span, gap: rule.gap)
        let estimate = excursion.isCut ? nil : travel.map { first.time.advanced(seconds: -$0.seconds) }
        stop.end(rule, estimate: estimate)
        recent.removeAll(through: stop.lastRest.time)
        phase = .moving
        reporter.departed(from: stop, report: report)
        if excursion.isCut {
            reporter.legBegan(at: first.mark, place: first.coordinate)
        } else {
            reporter.legBegan(at: stop.lastRest, place: stop.centre, isDeparture: true)
        }
    }

    // MARK: Time

    /// The time at which a stop becomes certain, or the track lost, unless a fix comes before.
    var deadline: Timestamp? {
        guard phase.isMoving, let newest else { return nil }
        let lost = newest.time.advanced(seconds: rule.gap)
        // Silence is not rest, but an object that was at rest at a fix continues to rest.
        guard isRestShown, !isConcealed, let candidate else { return lost }
        return min(lost, max(candidate.advanced(seconds: rule.stopAfter), newest.time))
    }

    /// Performs the action that is due at ``deadline``.
    mutating func timeOut(to reporter: inout EventReporter, report: (DetectorEvent) -> Void) {
        guard let due = deadline, let newest else { return }
        // Times saturate at the end of their range, so only this comparison distinguishes the two cases.
        if due < newest.time.advanced(seconds: rule.gap) {
            candidate = nil
            if search(until: due, to: &reporter, report: report) { return }
            // A candidate with an elapsed time did not rest for long enough: only another fix can decide.
            if let found = candidate, found.advanced(seconds: rule.stopAfter) <= due { candidate = nil }
        } else {
            phase = .lost
            reporter.lost(at: lastArrival(newest), by: .gap, report: report)
        }
    }

    /// Hides the movement until the next fix.
    mutating func conceal() { isConcealed = true }

    /// Ends the current stop or trip because the fixes' clock went back.
    mutating func breakOff(to reporter: inout EventReporter, report: (DetectorEvent) -> Void) {
        switch phase {
        case .unknown, .lost: break
        case .moving: if let newest { reporter.lost(at: newest.mark, by: .gap, report: report) }
        case .resting(let stop), .away(let stop, _): end(stop, to: &reporter, report: report)
        }
        self = StopDetector(rule: rule)
    }

    /// Ends the current stop and trip at the newest fix because the recording ends.
    mutating func endRecording(to reporter: inout EventReporter, report: (DetectorEvent) -> Void) {
        switch phase {
        case .unknown, .moving, .lost: break
        case .resting(let stop), .away(let stop, _):
            end(stop, by: .recording, to: &reporter, report: report)
        }
        // A requested trip may last while the object is at a stop.
        if let newest { reporter.lost(at: newest.mark, by: .recording, report: report) }
        self = StopDetector(rule: rule)
    }

    private func end(
        _ stop: Stop, by trigger: Trip.Reason? = nil, to reporter: inout EventReporter,
        report: (DetectorEvent) -> Void
    ) {
        var stop = stop
        stop.end(rule, estimate: nil)
        reporter.departed(from: stop, by: trigger, report: report)
    }
}

extension StopDetector.Phase {
    /// Whether the object is known to be on its way.
    var isMoving: Bool {
        switch self {
        case .moving: true
        case .unknown, .lost, .resting, .away: false
        }
    }
}
