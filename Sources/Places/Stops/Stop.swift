internal import TrackEngine

/// A rest at one place: where it is, since when, and until when it is known to last.
struct Stop: Sendable, Hashable, BitwiseCopyable {
    /// The circle that holds 95 % of a normal scatter has this many times its root mean square as its radius.
    private static let scatterFactor = 1.73

    /// When the object came to rest.
    private(set) var arrival: TrackMark
    /// When it was last seen at rest here. It has left then, if it has left.
    var lastRest: TrackMark
    /// The newest fix at the place.
    var lastInside: TrackMark

    var frame: PlaceFrame
    var weight = 0.0
    var sum = GroundOffset(east: 0, north: 0)
    var sumOfSquares = 0.0
    var sumOfAccuracies = 0.0

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
    /// - Returns: whether the object rests there.
    @discardableResult
    mutating func add(_ fix: StopFix) -> Bool {
        let offset = frame.offset(of: fix.coordinate)
        let share = 1 / (max(fix.accuracy, 5) * max(fix.accuracy, 5))
        weight += share
        sum.east += share * offset.east
        sum.north += share * offset.north
        sumOfSquares += share * offset.squaredDistance(to: GroundOffset(east: 0, north: 0))
        sumOfAccuracies += share * fix.accuracy
        lastInside = fix.mark
        let rests = fix.rests(
            atDistance: offset.squaredDistance(to: mean).squareRoot(), scatter: scatter)
        if rests { lastRest = fix.mark }
        return rests
    }

    /// Dates the departure later than the last fix at rest.
    mutating func dateDeparture(_ time: Timestamp) { lastRest.time = max(lastRest.time, time) }

    /// Dates the arrival earlier than the first fix at rest.
    mutating func dateArrival(_ time: Timestamp) { arrival.time = min(arrival.time, time) }
}
