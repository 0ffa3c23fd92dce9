internal import TrackEngine

/// The travel up to a moment. The difference between two readings is the travel between them.
struct TravelReading: Sendable, Hashable, BitwiseCopyable {
    /// The odometer, in metres.
    var odometer = 0.0
    /// The time during which the object moved, in seconds.
    var movingTime = 0.0
    /// The climb, in metres.
    var climb = 0.0
    /// The highest speed since the last rest that was held over two fixes, in metres per second; NaN if none is
    /// known.
    var topSpeed = Float.nan
    /// Whether heights are known.
    var hasAltitude = false

    /// Whether the object was as fast as a walker over two fixes since its last rest. A wandering position of a
    /// resting object is slower.
    var showsMovement: Bool { topSpeed >= 0.7 }
}

/// Measures moving time, top speed and climb, fix by fix.
///
/// - An interval counts as moving time if the speed at its end is ``leastSpeed`` or more.
/// - A speed counts for the top speed if the neighbouring fix is as fast: a single spike does not count.
/// - If no speed was measured, it is the distance from a fix at least ``baseline`` seconds earlier, divided by the
///   time between.
struct TravelMeter: Sendable, Hashable, BitwiseCopyable {
    /// In metres per second; the limit between standing and walking in the activity table.
    static let leastSpeed = 0.5
    /// In seconds: over a shorter time, position noise appears as speed.
    static let baseline = 5.0

    var reading = TravelReading()
    var climb = ClimbMeter()
    var lastTime: Timestamp?
    var lastSpeed = Double.nan
    /// The start of the interval for computed speeds.
    var baseTime = Timestamp(nanosecondsSince1970: 0)
    var basePlace = Coordinate(latitude: 0, longitude: 0)
    var reckoned = Double.nan

    init() {}

    /// Processes a fix. A fix that is not later than the one before restarts the measurement: the clock has gone
    /// back.
    ///
    /// - Parameter isCut: Whether the way to the fix is unknown.
    mutating func observe(_ fix: Fix, odometer: Double, isCut: Bool) {
        reading.odometer = max(odometer, reading.odometer)
        if let altitude = fix.altitude { climb.observe(altitude: altitude, isCut: isCut) }
        reading.climb = climb.metres
        reading.hasAltitude = climb.isKnown
        guard let last = lastTime, !isCut, fix.time > last else {
            (lastTime, lastSpeed, reckoned) = (fix.time, fix.speed ?? .nan, .nan)
            (baseTime, basePlace) = (fix.time, fix.coordinate)
            return
        }
        lastTime = fix.time
        let isReckoned = fix.speed == nil && fix.time.seconds(since: baseTime) >= Self.baseline
        if isReckoned { reckoned = speed(to: fix) }
        let speed = fix.speed ?? reckoned
        if speed >= Self.leastSpeed { reading.movingTime += fix.time.seconds(since: last) }
        // Between two computed speeds there is no new value.
        guard isReckoned || fix.speed != nil else { return }
        // `min` of a number and NaN returns the number.
        let sustained = speed.isNaN || lastSpeed.isNaN ? Float.nan : Float(min(speed, lastSpeed))
        if !sustained.isNaN, !(reading.topSpeed >= sustained) { reading.topSpeed = sustained }
        lastSpeed = speed
        (baseTime, basePlace) = (fix.time, fix.coordinate)
    }

    /// Clears the top speed, because the object is at rest.
    mutating func rest() { reading.topSpeed = .nan }

    /// The speed from the base to a fix; 0 within the fix's own accuracy.
    private func speed(to fix: Fix) -> Double {
        let way = basePlace.distance(to: fix.coordinate)
        return way <= (fix.horizontalAccuracy ?? 0) ? 0 : way / fix.time.seconds(since: baseTime)
    }
}
