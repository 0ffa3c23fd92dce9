internal import TrackEngine

/// Searches back from the newest fix for the moment since which the object has been at rest.
///
/// The newest fixes belong together as long as each, going back, lies within the radius of the middle of those after
/// it; a single one that does not is an outlier. A walker leaves that disc within 2r/v: 71 s for 50 m at 1.4 m/s. Of
/// these fixes, the arrival is the one with the greatest excess of rest over movement since then: going back, a fix
/// at rest adds its share of the time (see `TimeShare`), a fix in movement subtracts it, and the highest sum
/// marks the arrival. A single slow fix of a walker, or a fast one of a parked car, has no effect. With equal shares
/// of 1:
///
/// | fixes, oldest first | moves | rests | moves | rests | rests | rests |
/// |---|---|---|---|---|---|---|
/// | sum up to here, going back | 2 | 3, the arrival | 2 | 3 | 2 | 1 |
///
/// Of equal sums, the oldest counts.
struct StopSearch {
    let rule: StopRule

    /// The result of a search.
    enum Result {
        /// The object has rested for long enough.
        case found(Stop)
        /// The object may be at rest since this time, but not for long enough yet.
        case since(Timestamp)
        /// The object is moving.
        case none
    }

    /// The fixes that belong together with the newest one.
    private struct Run {
        /// The number of remembered fixes.
        var length = 0
        var mean = LocalOffset(east: 0, north: 0)
        /// The age of the fix before the longest silence, if the silence is as long as a stop.
        var silence: Int?
    }

    /// Searches for a stop that lasts until a time, which must not be before the newest fix.
    func stop(endingWith newest: StopFix, before recent: borrowing NewestFixes, until end: Timestamp) -> Result {
        let frame = PlacePlane(at: newest.coordinate)
        let run = run(frame, newest, recent)
        let arrival = arrival(frame, run, newest, recent)
        if let silence = run.silence {
            // An object that is where it was before a silence has stayed, no matter how fast it arrived and left.
            let oldest = if let arrival { max(silence, arrival) } else { silence }
            return .found(makeStop(newest, recent, from: oldest))
        }
        var since: Timestamp?
        if let arrival {
            let time = arrival < 0 ? newest.time : recent[arrival].time
            since = time
            if end.seconds(since: time) >= rule.stopAfter {
                let stop = makeStop(newest, recent, from: arrival)
                if stop.isAtRest, !movesOn(newest, recent, from: arrival, frame) { return .found(stop) }
            }
        }
        if goesInCircles(run, newest, recent, until: end) {
            return .found(makeStop(newest, recent, from: run.length - 1))
        }
        return if let since { .since(since) } else { .none }
    }

    /// The stop at the last fix before a silence in which the object must have rested.
    func stop(before silence: StopFix, in recent: borrowing NewestFixes) -> Stop {
        let frame = PlacePlane(at: silence.coordinate)
        let arrival = arrival(frame, run(frame, silence, recent), silence, recent)
        return makeStop(silence, recent, from: arrival ?? -1)
    }

    private func run(_ frame: PlacePlane, _ newest: StopFix, _ recent: borrowing NewestFixes) -> Run {
        var run = Run()
        var sum = LocalOffset(east: 0, north: 0)
        var shares = TimeShare(rule)
        var weight = shares.next(-1, newest.time, recent)
        var later = newest
        var longest = rule.stopAfter
        for age in 0..<recent.count {
            let fix = recent[age]
            let share = shares.next(age, newest.time, recent)
            let offset = frame.offset(of: fix.coordinate)
            let reach = reach(of: fix)
            guard offset.squaredDistance(to: run.mean) <= reach * reach else {
                if age - run.length >= 1 { break }  // two fixes that do not belong
                continue
            }
            weight += share
            sum = LocalOffset(east: sum.east + share * offset.east, north: sum.north + share * offset.north)
            run.mean = LocalOffset(east: sum.east / weight, north: sum.north / weight)
            run.length = age + 1
            let silence = later.time.seconds(since: fix.time)
            if silence >= longest {
                let way = offset.squaredDistance(to: frame.offset(of: later.coordinate)).squareRoot()
                if rule.hasRested(for: silence, distance: way, fix: fix) { (run.silence, longest) = (age, silence) }
            }
            later = fix
        }
        return run
    }

    /// Whether an object without a measured speed moves on within the disc: the middles of its path in the first and
    /// in the second half of the time are farther apart than a stroll of 0.4 m/s, and than half the accuracy of the
    /// newest fix.
    ///
    /// | time | distance at a walk of 1.2 m/s | at a stroll of 0.4 m/s |
    /// |---|---|---|
    /// | 60 s | 36 m | 12 m |
    /// | 180 s | 108 m | 36 m |
    private func movesOn(
        _ newest: StopFix, _ recent: borrowing NewestFixes, from oldest: Int, _ frame: PlacePlane
    ) -> Bool {
        guard oldest >= 0, newest.speed == nil else { return false }
        let span = newest.time.seconds(since: recent[oldest].time)
        let half = span / 2
        guard half > 0 else { return false }
        var (first, second) = (LocalOffset(east: 0, north: 0), LocalOffset(east: 0, north: 0))
        var later = (time: span, place: frame.offset(of: newest.coordinate))
        for age in 0...oldest {
            let fix = recent[age]
            guard fix.speed == nil else { return false }
            let time = fix.time.seconds(since: recent[oldest].time)
            let place = frame.offset(of: fix.coordinate)
            if time < half, later.time > half {
                let middle = place.towards(later.place, share: (half - time) / (later.time - time))
                second.add(middle, later.place, seconds: later.time - half)
                later = (half, middle)
            }
            if time < half {
                first.add(place, later.place, seconds: later.time - time)
            } else {
                second.add(place, later.place, seconds: later.time - time)
            }
            later = (time, place)
        }
        let apart = first.squaredDistance(to: second).squareRoot() / half
        return apart > max(rule.stroll(for: half), min(newest.accuracy, rule.radius) / 2)
    }

    /// The largest distance of a fix from the middle, in metres.
    private func reach(of fix: StopFix) -> Double { rule.radius + min(fix.accuracy, rule.radius) }

    /// The age of the arrival, -1 for the newest fix; `nil` if the object is moving.
    private func arrival(
        _ frame: PlacePlane, _ run: Run, _ newest: StopFix, _ recent: borrowing NewestFixes
    ) -> Int? {
        var (sum, highest, arrival) = (0.0, 0.0, Int?.none)
        var shares = TimeShare(rule)
        for age in -1..<run.length {
            let fix = age < 0 ? newest : recent[age]
            let share = shares.next(age, newest.time, recent)
            let distance = frame.offset(of: fix.coordinate).squaredDistance(to: run.mean).squareRoot()
            guard distance <= reach(of: fix) else { continue }
            let rests = fix.rests(atDistance: distance, scatter: 0)
            sum += rests ? share : -share
            if rests, sum > 0, sum >= highest { (highest, arrival) = (sum, age) }
        }
        return arrival
    }

    /// Whether the object has moved so far within the disc that it must have gone in circles, as on a tennis court.
    private func goesInCircles(
        _ run: Run, _ newest: StopFix, _ recent: borrowing NewestFixes, until end: Timestamp
    ) -> Bool {
        guard run.length > 0, end.seconds(since: recent[run.length - 1].time) >= rule.stopAfter else { return false }
        var (measured, speeds) = (0.0, 0.0)
        for age in 0..<run.length {
            guard let speed = recent[age].speed else { return false }
            measured += 1
            speeds += speed
        }
        return speeds / measured * rule.stopAfter > 4 * reach(of: newest)
    }

    private func makeStop(_ newest: StopFix, _ recent: borrowing NewestFixes, from oldest: Int) -> Stop {
        var stop = Stop(arrival: oldest < 0 ? newest.mark : recent[oldest].mark)
        for age in stride(from: oldest, through: 0, by: -1) {
            let fix = recent[age]
            if stop.distance(to: fix.coordinate) <= rule.reach(of: fix) { stop.add(fix, rule) }
        }
        // The newest fix may also be the newest of the remembered ones.
        if newest.time > stop.lastInside.time || oldest < 0 { stop.add(newest, rule) }
        if oldest >= 0, oldest + 1 < recent.count {
            let moving = recent[oldest + 1]
            let before: StopFix? = if oldest + 2 < recent.count { recent[oldest + 2] } else { nil }
            let travel = TravelEstimate(
                from: moving, beside: before,
                distance: stop.distance(to: moving.coordinate),
                span: recent[oldest].time.seconds(since: moving.time), gap: rule.gap)
            if let travel { stop.dateArrival(moving.time.advanced(seconds: travel.seconds)) }
        }
        return stop
    }
}

extension LocalOffset {
    /// The point at a share of the way to another one.
    fileprivate func towards(_ other: LocalOffset, share: Double) -> LocalOffset {
        LocalOffset(east: east + share * (other.east - east), north: north + share * (other.north - north))
    }

    /// Adds the middle of a straight way, multiplied by its seconds.
    fileprivate mutating func add(_ from: LocalOffset, _ to: LocalOffset, seconds: Double) {
        east += seconds * (from.east + to.east) / 2
        north += seconds * (from.north + to.north) / 2
    }
}

/// The travel time between a place and a fix on the way, if fixes are more than a minute apart.
///
/// It is the straight distance divided by the speed at that fix, times 1.3 because roads are longer. If no speed was
/// measured, it is the straight distance divided by the straight-line speed between that fix and its neighbour on
/// the way.
struct TravelEstimate {
    private static let leastSpan = 60.0
    private static let leastSpeed = 1.0
    private static let detour = 1.3

    let seconds: Double

    init?(from fix: StopFix, beside other: StopFix?, distance: Double, span: Double, gap: Double) {
        guard span > Self.leastSpan, span <= gap else { return nil }
        var speed = fix.speed.map { $0 / Self.detour }
        if speed == nil, let other, other.time != fix.time {
            speed = other.coordinate.distance(to: fix.coordinate) / abs(other.time.seconds(since: fix.time))
        }
        guard let speed, speed >= Self.leastSpeed else { return nil }
        seconds = min(distance / speed, span)
    }
}
