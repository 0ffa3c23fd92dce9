internal import TrackEngine

/// Looks back from the newest fix for the moment since which the object rests.
///
/// The newest fixes belong together as long as each, going back, lies within the radius of the middle of those after it; one
/// alone that does not, is an outlier. A walker leaves that disc within 2r/v: 71 s for 50 m at 1.4 m/s. The oldest of them
/// at which the object rests is the arrival.
struct StopSearch {
    let rule: StopRule

    /// What was found.
    enum Result {
        /// It has rested for long enough.
        case found(Stop)
        /// It may rest since then, but not for long enough.
        case since(Timestamp)
        /// It moves.
        case none
    }

    /// Looks for a stop that lasts until a moment, which is not before the newest fix.
    func stop(endingWith newest: StopFix, before recent: borrowing RecentFixes, until end: Timestamp) -> Result {
        let frame = PlaceFrame(at: newest.coordinate)
        let (length, mean) = run(frame, newest, recent)
        // From the oldest on: the first at rest is the arrival.
        var age = length - 1
        while age >= 0, !rests(recent[age], frame, mean) { age -= 1 }
        guard age >= 0 || rests(newest, frame, mean) else { return .none }
        let arrival = age >= 0 ? recent[age] : newest
        guard end.seconds(since: arrival.time) >= rule.stopAfter else { return .since(arrival.time) }
        guard isRest(newest, recent, from: age, until: end) else { return .since(arrival.time) }
        return .found(makeStop(newest, recent, from: age))
    }

    /// How many remembered fixes belong to the newest one, and the middle of all.
    private func run(
        _ frame: PlaceFrame, _ newest: StopFix, _ recent: borrowing RecentFixes
    ) -> (length: Int, mean: GroundOffset) {
        var sum = GroundOffset(east: 0, north: 0)
        var mean = sum
        var number = 1.0
        var length = 0
        for age in 0..<recent.count {
            let fix = recent[age]
            let offset = frame.offset(of: fix.coordinate)
            let reach = rule.radius + min(fix.accuracy, rule.radius)
            guard offset.squaredDistance(to: mean) <= reach * reach else {
                if age - length >= 1 { break }  // two that do not belong
                continue
            }
            number += 1
            sum = GroundOffset(east: sum.east + offset.east, north: sum.north + offset.north)
            mean = GroundOffset(east: sum.east / number, north: sum.north / number)
            length = age + 1
        }
        return (length, mean)
    }

    private func rests(_ fix: StopFix, _ frame: PlaceFrame, _ mean: GroundOffset) -> Bool {
        let distance = frame.offset(of: fix.coordinate).squaredDistance(to: mean).squareRoot()
        return distance <= rule.radius + min(fix.accuracy, rule.radius) && fix.rests(atDistance: distance, scatter: 0)
    }

    /// Whether the object stands now and stood half of the time, as far as speeds were measured; or has gone so far that it
    /// can only have gone in circles, as on a tennis court.
    private func isRest(
        _ newest: StopFix, _ recent: borrowing RecentFixes, from oldest: Int, until end: Timestamp
    ) -> Bool {
        var (standing, measured, speeds) = (0.0, 0.0, 0.0)
        for age in stride(from: oldest, through: 0, by: -1) {
            let fix = recent[age]
            guard let stands = fix.isStanding, let speed = fix.speed else { continue }
            measured += 1
            standing += stands ? 1 : 0
            speeds += speed
        }
        guard measured >= 2, let standsNow = newest.isStanding else { return true }
        if standsNow, standing >= measured / 2 { return true }
        return speeds / measured * rule.stopAfter > 4 * (rule.radius + min(newest.accuracy, rule.radius))
    }

    private func makeStop(_ newest: StopFix, _ recent: borrowing RecentFixes, from oldest: Int) -> Stop {
        guard oldest >= 0 else { return adding(newest, to: Stop(arrival: newest.mark)) }
        var stop = Stop(arrival: recent[oldest].mark)
        for age in stride(from: oldest, through: 0, by: -1) {
            let fix = recent[age]
            if stop.distance(to: fix.coordinate) <= rule.radius + min(fix.accuracy, 2 * rule.radius) { stop.add(fix) }
        }
        if newest.time > recent[0].time { stop.add(newest) }
        if oldest + 1 < recent.count { dateArrival(of: &stop, before: recent[oldest], after: recent[oldest + 1]) }
        return stop
    }

    private func adding(_ fix: StopFix, to stop: Stop) -> Stop {
        var stop = stop
        stop.add(fix)
        return stop
    }

    /// Where fixes are far apart the object has come before the first one at the place.
    private func dateArrival(of stop: inout Stop, before first: StopFix, after moving: StopFix) {
        guard
            let travel = TravelEstimate(
                from: moving, distance: stop.distance(to: moving.coordinate),
                span: first.time.seconds(since: moving.time), gap: rule.gap)
        else { return }
        stop.dateArrival(moving.time.advanced(seconds: travel.seconds))
    }
}

/// How long it took between a place and a fix on the way, where fixes are more than a minute apart and the speed at that
/// fix was measured: the way as the crow flies is by a third shorter than the road.
struct TravelEstimate {
    private static let leastSpan = 60.0
    private static let leastSpeed = 1.0
    private static let detour = 1.3

    let seconds: Double

    init?(from fix: StopFix, distance: Double, span: Double, gap: Double) {
        guard span > Self.leastSpan, span <= gap, let speed = fix.speed, speed >= Self.leastSpeed else { return nil }
        seconds = min(Self.detour * distance / speed, span)
    }
}
