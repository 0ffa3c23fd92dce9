internal import TrackEngine

/// What had been travelled up to a moment. Differences between two readings are what lies between them.
struct TravelReading: Sendable, Hashable, BitwiseCopyable {
    /// By the odometer, in metres.
    var odometer = 0.0
    /// Seconds during which the object moved.
    var movingTime = 0.0
    /// Metres climbed.
    var climb = 0.0
    /// The highest speed since the last rest, in metres per second, held over two fixes; no number where none is known.
    var topSpeed = Float.nan
    /// Whether heights are known.
    var hasAltitude = false

    /// Whether the object was as fast as a walker over two fixes, since its last rest. A place that wanders is not.
    var showsMovement: Bool { topSpeed >= 0.7 }
}

/// Measures moving time, top speed and climb, fix by fix.
///
/// - An interval counts as moving time if the speed at its end is ``leastSpeed`` or more.
/// - A speed counts for the top speed if the fix beside it is as fast: a single spike does not count.
/// - Where no speed was measured, it is the way from a fix at least ``baseline`` seconds before over the time between.
struct TravelMeter: Sendable, Hashable, BitwiseCopyable {
    /// In metres per second; the bound between standing and walking of the activity table.
    static let leastSpeed = 0.5
    /// In seconds: over less, the noise of places makes speeds.
    static let baseline = 5.0

    var reading = TravelReading()
    var climb = ClimbMeter()
    var lastTime: Timestamp?
    var lastSpeed = Double.nan
    /// From where speeds are reckoned that are not measured.
    var baseTime = Timestamp(nanosecondsSince1970: 0)
    var basePlace = Coordinate(latitude: 0, longitude: 0)
    var reckoned = Double.nan

    init() {}

    /// Takes a fix. One that is not later than the one before begins anew: the clock has gone back.
    ///
    /// - Parameter isCut: whether nothing is known of the way to it.
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
        // Between two reckonings there is nothing new.
        guard isReckoned || fix.speed != nil else { return }
        // `min` of a number and none is the number.
        let sustained = speed.isNaN || lastSpeed.isNaN ? Float.nan : Float(min(speed, lastSpeed))
        if !sustained.isNaN, !(reading.topSpeed >= sustained) { reading.topSpeed = sustained }
        lastSpeed = speed
        (baseTime, basePlace) = (fix.time, fix.coordinate)
    }

    /// Forgets the top speed: the object rests.
    mutating func rest() { reading.topSpeed = .nan }

    /// The speed from the base to a fix. Within the fix's own uncertainty nothing has moved.
    private func speed(to fix: Fix) -> Double {
        let way = basePlace.distance(to: fix.coordinate)
        return way <= (fix.horizontalAccuracy ?? 0) ? 0 : way / fix.time.seconds(since: baseTime)
    }
}
