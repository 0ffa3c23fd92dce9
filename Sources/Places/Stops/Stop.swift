internal import TrackEngine

/// A rest at one place: where it is, since when, and until when it is known to last.
struct Stop: Sendable, Hashable, BitwiseCopyable {
    /// The circle that holds 95 % of a normal scatter has this many times its root mean square as its radius.
    private static let scatterFactor = 1.73
    /// So many fixes at rest are needed at the most after movement at the place.
    private static let leastBalance: Int64 = -3

    /// When the object came to rest.
    private(set) var arrival: TrackMark
    /// When it was last seen at rest here. When it has left, that is when it left.
    var lastRest: TrackMark
    /// The newest fix at the place.
    var lastInside: TrackMark

    var frame: PlaceFrame
    var weight = 0.0
    var sum = GroundOffset(east: 0, north: 0)
    var sumOfSquares = 0.0
    var sumOfAccuracies = 0.0
    /// Fixes at rest less those in movement, since it last rested: 0 while it rests, -3 at the least.
    var balance: Int64 = 0

    init(arrival: TrackMark) {
        self.arrival = arrival
        (lastRest, lastInside) = (arrival, arrival)
        frame = PlaceFrame(at: arrival.coordinate)
    }

    /// The middle of the fixes, the exact ones counting more.
    var centre: Coordinate { frame.coordinate(of: mean) }

    private var mean: GroundOffset {
        weight > 0 ? GroundOffset(east: sum.east / weight, north: sum.north / weight) : sum
    }

    /// How far from the centre 95 % of the fixes lie, in metres.
    var scatter: Double {
        guard weight > 0 else { return 0 }
        let square = sumOfSquares / weight - mean.squaredDistance(to: GroundOffset(east: 0, north: 0))
        return Self.scatterFactor * max(square, 0).squareRoot()
    }

    /// The radius of the place, in metres: as far as the fixes scatter, and at least their accuracy.
    var radius: Double { max(scatter, weight > 0 ? sumOfAccuracies / weight : 0) }

    /// Metres from the centre.
    func distance(to coordinate: Coordinate) -> Double {
        frame.offset(of: coordinate).squaredDistance(to: mean).squareRoot()
    }

    /// Takes a fix at the place.
    ///
    /// It was at rest until then if the fix says so, and as many before it as said that it moved, up to three; or if there
    /// was none for as long as a stop.
    ///
    /// - Returns: whether the object was at rest.
    @discardableResult
    mutating func add(_ fix: StopFix, _ rule: StopRule) -> Bool {
        let silence = fix.time.seconds(since: lastInside.time)
        let offset = frame.offset(of: fix.coordinate)
        // Each of the two counts for half of the time between them: a receiver that tells only movement tells little of a rest.
        // In a short time they hardly differ.
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

    private mutating func count(_ offset: GroundOffset, accuracy: Double, seconds: Double) {
        let share = seconds / (max(accuracy, 5) * max(accuracy, 5))
        weight += share
        sum.east += share * offset.east
        sum.north += share * offset.north
        sumOfSquares += share * offset.squaredDistance(to: GroundOffset(east: 0, north: 0))
        sumOfAccuracies += share * accuracy
    }

    /// How far a fix may lie from the centre that belongs to the place, in metres.
    ///
    /// One that was measured to stand may lie once and a half as far as those so far scatter, up to 100 m: the receiver is
    /// worse than it says. Without a speed that might be a slow walker, who would take the place along.
    func reach(of fix: StopFix, _ rule: StopRule) -> Double {
        let reach = rule.reach(of: fix)
        return fix.isStanding == true ? max(reach, min(1.5 * scatter, 100)) : reach
    }

    /// Notes that it rested up to a moment, without a fix.
    mutating func rested(until time: Timestamp) {
        lastInside.time = max(lastInside.time, time)
        (lastRest, balance) = (lastInside, 0)
    }

    /// Whether it rests at the newest fix.
    var isAtRest: Bool { balance == 0 }

    /// Ends the stop: the object left after its last rest. Where it has moved about for longer than it takes to leave, or has
    /// hardly rested, it left after the last fix at the place.
    ///
    /// - Parameter estimate: when it left where fixes are far apart.
    mutating func end(_ rule: StopRule, estimate: Timestamp?) {
        let movedAbout = lastInside.time.seconds(since: lastRest.time) >= rule.stopAfter
        if movedAbout || lastRest.time.seconds(since: arrival.time) < rule.stopAfter { lastRest = lastInside }
        if let estimate { lastRest.time = max(lastRest.time, estimate) }
    }

    /// Begins at another mark.
    mutating func begin(at mark: TrackMark) { arrival = mark }

    /// Dates the arrival earlier than the first fix at rest.
    mutating func dateArrival(_ time: Timestamp) { arrival.time = min(arrival.time, time) }
}
