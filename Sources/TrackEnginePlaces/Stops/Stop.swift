internal import TrackEngine

/// A rest at one place: its position, its begin and its last confirmed moment.
struct Stop: Sendable, Hashable, BitwiseCopyable {
    /// The radius of the circle that contains 95 % of a normal scatter, in multiples of the scatter's root mean
    /// square.
    private static let scatterFactor = 1.73
    /// The minimum of `balance`: after movement at the place, at most three fixes at rest are needed.
    private static let leastBalance: Int64 = -3

    /// The moment at which the object came to rest.
    private(set) var arrival: TrackMark
    /// The last moment at which the object was seen at rest here. After the departure, the moment of the departure.
    var lastRest: TrackMark
    /// The newest fix at the place.
    var lastInside: TrackMark

    var frame: PlacePlane
    var weight = 0.0
    var sum = LocalOffset(east: 0, north: 0)
    var sumOfSquares = 0.0
    var sumOfAccuracies = 0.0
    /// The number of fixes at rest minus the number of those in movement, since the object last rested: 0 while it
    /// rests, at least -3.
    var balance: Int64 = 0

    init(arrival: TrackMark) {
        self.arrival = arrival
        (lastRest, lastInside) = (arrival, arrival)
        frame = PlacePlane(at: arrival.coordinate)
    }

    /// The middle of the fixes, in which accurate ones count more.
    var centre: Coordinate { frame.coordinate(of: mean) }

    private var mean: LocalOffset {
        weight > 0 ? LocalOffset(east: sum.east / weight, north: sum.north / weight) : sum
    }

    /// The distance from the centre within which 95 % of the fixes lie, in metres.
    var scatter: Double {
        guard weight > 0 else { return 0 }
        let square = sumOfSquares / weight - mean.squaredDistance(to: LocalOffset(east: 0, north: 0))
        return Self.scatterFactor * max(square, 0).squareRoot()
    }

    /// The radius of the place, in metres: the scatter of the fixes, but at least their accuracy.
    var radius: Double { max(scatter, weight > 0 ? sumOfAccuracies / weight : 0) }

    /// The distance from the centre, in metres.
    func distance(to coordinate: Coordinate) -> Double {
        frame.offset(of: coordinate).squaredDistance(to: mean).squareRoot()
    }

    /// Adds a fix at the place.
    ///
    /// The object counts as at rest if fixes at rest have made up for the fixes in movement before them, at most
    /// three of those. It also does if the silence before the fix is as long as a stop.
    ///
    /// - Returns: Whether the object was at rest.
    @discardableResult
    mutating func add(_ fix: StopFix, _ rule: StopRule) -> Bool {
        let silence = fix.time.seconds(since: lastInside.time)
        let offset = frame.offset(of: fix.coordinate)
        // The fix and the one before it each count for half of the time between them, because a receiver that
        // reports only movement reports few fixes of a rest. Over a short time both positions hardly differ, and the
        // new one counts alone.
        var seconds = 2 * rule.weight(silence)
        if silence > rule.memoryStep {
            seconds /= 2
            count(frame.offset(of: lastInside.coordinate), accuracy: fix.accuracy, seconds: seconds)
        }
        count(offset, accuracy: fix.accuracy, seconds: seconds)
        lastInside = fix.mark
        let rests = fix.rests(
            atDistance: offset.squaredDistance(to: mean).squareRoot(), scatter: scatter)
        balance = silence >= rule.stopAfter ? 0 : rests ? min(balance + 1, 0) : max(balance - 1, Self.leastBalance)
        guard balance == 0 else { return false }
        lastRest = fix.mark
        return true
    }

    private mutating func count(_ offset: LocalOffset, accuracy: Double, seconds: Double) {
        let share = seconds / (max(accuracy, 5) * max(accuracy, 5))
        weight += share
        sum.east += share * offset.east
        sum.north += share * offset.north
        sumOfSquares += share * offset.squaredDistance(to: LocalOffset(east: 0, north: 0))
        sumOfAccuracies += share * accuracy
    }

    /// The largest distance of a fix from the centre if the fix belongs to the place, in metres.
    ///
    /// For a fix with a measured speed of zero it is one and a half times the scatter so far, up to 100 m, because
    /// the receiver is then worse than its stated accuracy. Without a speed such a fix might be a slow walker, and
    /// the place would follow it.
    func reach(of fix: StopFix, _ rule: StopRule) -> Double {
        let reach = rule.reach(of: fix)
        return fix.isStanding == true ? max(reach, min(1.5 * scatter, 100)) : reach
    }

    /// Records that the object rested until a time, without a fix.
    mutating func rested(until time: Timestamp) {
        lastInside.time = max(lastInside.time, time)
        (lastRest, balance) = (lastInside, 0)
    }

    /// Whether the object is at rest at the newest fix.
    var isAtRest: Bool { balance == 0 }

    /// Ends the stop: the object left after its last rest. If it has moved about for longer than a stop, or has
    /// hardly rested, it left after the last fix at the place.
    ///
    /// - Parameter estimate: The estimated time of the departure, if fixes are far apart.
    mutating func end(_ rule: StopRule, estimate: Timestamp?) {
        let movedAbout = lastInside.time.seconds(since: lastRest.time) >= rule.stopAfter
        if movedAbout || lastRest.time.seconds(since: arrival.time) < rule.stopAfter { lastRest = lastInside }
        if let estimate { lastRest.time = max(lastRest.time, estimate) }
    }

    /// Moves the arrival to another mark.
    mutating func begin(at mark: TrackMark) { arrival = mark }

    /// Moves the time of the arrival before the first fix at rest.
    mutating func dateArrival(_ time: Timestamp) { arrival.time = min(arrival.time, time) }
}
