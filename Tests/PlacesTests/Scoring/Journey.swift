import TrackEngine
import TrackEngineTune

/// A labelled track: what a receiver told, and when the object truly rested.
struct LabelledTrack: Sendable {
    let name: String
    let fixes: [Fix]
    /// Every rest, however short, longer than 20 s.
    let rests: [TimeSpan]
    /// Moments when tracking was switched off and on again, so that a leg begins with the first fix after.
    var legs: Set<Timestamp> = []
    /// Stretches of which nobody can say whether they are rests; what is found there is neither right nor wrong.
    var unsure: [TimeSpan] = []
}

extension LabelledTrack {
    /// The same with those fixes only that lie a distance from the one before, as a phone that saves power tells them; the
    /// last one stays.
    func filtered(metres: Double) -> LabelledTrack {
        var kept: [Fix] = []
        for fix in fixes where kept.last.map({ $0.coordinate.distance(to: fix.coordinate) >= metres }) ?? true {
            kept.append(fix)
        }
        if let last = fixes.last, kept.last != last { kept.append(last) }
        return LabelledTrack(name: name, fixes: kept, rests: rests, legs: legs)
    }
}

extension Timestamp {
    /// Seconds since 1970 with their fraction.
    var seconds: Double { Double(secondsSince1970) + Double(nanosecondsInSecond) * 1e-9 }

    init(seconds: Double) {
        let whole = seconds.rounded(.down)
        self.init(secondsSince1970: Int64(whole), nanoseconds: Int64(((seconds - whole) * 1e9).rounded()))
    }
}

/// What a receiver makes of the truth.
struct Reception: Sendable {
    /// Standard deviation of the place along each axis, in metres, and how long an error lasts, in seconds.
    var error = 1.5
    var memory = 30.0
    /// The accuracy that is told, over the true one.
    var modesty = 1.0
    /// Standard deviation of the speed, in metres per second; `nil` where none is told.
    var speedError: Double? = 0.15
    /// Seconds between two fixes.
    var interval = 1.0
    /// Single fixes far off, an hour, and how far in metres.
    var outliersPerHour = 0.0
    var outlierDistance = 150.0
    /// Whether the accuracy is told.
    var tellsAccuracy = true
    /// Whether fixes come at all.
    var isOn = true

    static let car = Reception()
    static let town = Reception(error: 4, modesty: 0.8, speedError: 0.3, outliersPerHour: 12)
    static let indoors = Reception(error: 18, memory: 120, modesty: 1.2, speedError: 0.4, outliersPerHour: 20)
    static let phone = Reception(error: 5, modesty: 1, speedError: nil, interval: 5)
    static let off = Reception(isOn: false)
}

/// Drives an object second by second, and writes down what its receiver tells and when it rests.
struct Journey {
    private(set) var fixes: [Fix] = []
    private var rests: [TimeSpan] = []
    private var legs: Set<Timestamp> = []
    var reception: Reception
    /// Seconds since 1970.
    private(set) var clock: Double
    private var east = 0.0
    private var north = 0.0
    private var heading = 0.0
    private var errorEast = 0.0
    private var errorNorth = 0.0
    private var nextFix: Double
    private var home: Coordinate
    private(set) var random: SeededRandom

    init(seed: UInt64, reception: Reception, home: Coordinate = Coordinate(latitude: 52.52, longitude: 13.4)) {
        random = SeededRandom(seed: seed)
        self.reception = reception
        self.home = home
        clock = 1_780_000_000 + (random.unit() * 86_400).rounded()
        nextFix = clock
        heading = random.uniform(0, 6.283)
    }

    func track(_ name: String) -> LabelledTrack {
        return LabelledTrack(name: name, fixes: fixes, rests: rests, legs: legs)
    }

    /// A number drawn from the journey's own chance.
    mutating func uniform(_ low: Double, _ high: Double) -> Double { random.uniform(low, high) }

    // MARK: What it does

    /// Rests; a rest that goes on where the one before ended is the same one.
    mutating func rest(_ seconds: Double) {
        let begin = clock
        for _ in 0..<Int(seconds) { step(speed: 0) }
        guard seconds > 0 else { return }
        if let last = rests.last, last.end == begin {
            rests[rests.count - 1] = TimeSpan(begin: last.begin, end: clock)
        } else {
            rests.append(TimeSpan(begin: begin, end: clock))
        }
    }

    /// Potters about within some metres: in a flat, on a playground. It counts as a rest.
    mutating func potter(_ seconds: Double, within radius: Double) {
        let (centreEast, centreNorth, begin) = (east, north, clock)
        var (targetEast, targetNorth) = (east, north)
        var pause = 0.0
        for _ in 0..<Int(seconds) {
            let (across, along) = (targetEast - east, targetNorth - north)
            let way = (across * across + along * along).squareRoot()
            if way < 1 {
                pause -= 1
                if pause <= 0 {
                    pause = random.uniform(5, 240)
                    targetEast = centreEast + random.uniform(-radius, radius)
                    targetNorth = centreNorth + random.uniform(-radius, radius)
                }
                step(speed: 0)
            } else {
                (east, north) = (east + across / way * min(way, 1), north + along / way * min(way, 1))
                step(speed: 0, shown: 1)
            }
        }
        (east, north) = (centreEast, centreNorth)
        rests.append(TimeSpan(begin: begin, end: clock))
    }

    /// Goes a way at a speed, gaining and losing it with an acceleration, in streets that turn now and then.
    mutating func go(_ metres: Double, speed top: Double, acceleration: Double = 1.2, winding: Double = 0.3) {
        var (left, speed, untilTurn) = (metres, 0.0, random.uniform(100, 400))
        while left > 0.5 {
            let braking = (2 * acceleration * left).squareRoot()
            speed = max(min(speed + acceleration, top, braking), 0.3)
            let way = min(speed, left)
            untilTurn -= way
            if untilTurn < 0 {
                heading += random.uniform(-1, 1) * winding * 3
                untilTurn = random.uniform(100, 400)
            }
            move(way)
            left -= way
            step(speed: speed)
        }
    }

    /// Goes to a place, in metres east and north of the start.
    mutating func go(toEast targetEast: Double, north targetNorth: Double, speed: Double, acceleration: Double = 1.2) {
        let (across, along) = (targetEast - east, targetNorth - north)
        let distance = (across * across + along * along).squareRoot()
        guard distance > 1 else { return }
        let unit = (across / distance, along / distance)
        var (left, now) = (distance, 0.0)
        while left > 0.5 {
            now = max(min(now + acceleration, speed, (2 * acceleration * left).squareRoot()), 0.3)
            let way = min(now, left)
            (east, north) = (east + unit.0 * way, north + unit.1 * way)
            left -= way
            step(speed: now)
        }
    }

    /// Strolls and looks about: short ways at a changing pace, at whose ends it stands for less than a minute.
    mutating func stroll(_ ways: Int) {
        for _ in 0..<ways {
            go(uniform(30, 160), speed: uniform(0.7, 1.5), winding: 0.4)
            rest(uniform(4, 38).rounded())
        }
        go(uniform(60, 160), speed: uniform(0.9, 1.5))
    }

    /// Drives through a town: legs between lights, at which it waits or not.
    mutating func drive(_ metres: Double, speed: Double) {
        var left = metres
        while left > 0 {
            let leg = min(left, random.uniform(150, 700))
            go(leg, speed: speed * random.uniform(0.8, 1.1), acceleration: 1.8)
            left -= leg
            if left > 0, random.chance(0.5) { rest(random.uniform(5, 42).rounded()) }
        }
    }

    /// Drives home or elsewhere in a straight line with lights on the way.
    mutating func drive(toEast targetEast: Double, north targetNorth: Double, speed: Double) {
        let (fromEast, fromNorth) = (east, north)
        let legs = 4
        for leg in 1...legs {
            let share = Double(leg) / Double(legs)
            go(
                toEast: fromEast + (targetEast - fromEast) * share,
                north: fromNorth + (targetNorth - fromNorth) * share, speed: speed, acceleration: 1.8)
            if leg < legs, random.chance(0.6) { rest(random.uniform(5, 42).rounded()) }
        }
    }

    /// Creeps in a queue of cars.
    mutating func creep(_ seconds: Double) {
        let end = clock + seconds
        while clock < end {
            rest(random.uniform(3, 18).rounded())
            go(random.uniform(12, 60), speed: random.uniform(2, 5))
        }
    }

    /// No fixes come while something happens.
    mutating func silently(asLeg: Bool = false, _ body: (inout Journey) -> Void) {
        let before = reception
        reception = .off
        body(&self)
        reception = before
        nextFix = clock
        if asLeg { legs.insert(Timestamp(seconds: clock)) }
    }

    /// The reception is another while something happens.
    mutating func with(_ other: Reception, _ body: (inout Journey) -> Void) {
        let before = reception
        reception = other
        body(&self)
        reception = before
        nextFix = max(nextFix.rounded(), clock)
    }

    // MARK: Seconds

    private mutating func move(_ metres: Double) {
        (east, north) = (east + metres * sine(heading), north + metres * sine(heading + 1.570796))
    }

    private mutating func step(speed: Double, shown: Double? = nil) {
        let fade = 1 / max(reception.memory, 1)
        let fresh = (fade * (2 - fade)).squareRoot()
        errorEast = errorEast * (1 - fade) + fresh * random.gaussian()
        errorNorth = errorNorth * (1 - fade) + fresh * random.gaussian()
        let (speedNoise, far, angle) = (random.gaussian(), random.unit(), random.uniform(0, 6.283))
        if reception.isOn, clock >= nextFix {
            nextFix = clock + reception.interval
            let isOutlier = far < reception.outliersPerHour / 3600 * reception.interval
            let away = isOutlier ? reception.outlierDistance : 0
            fixes.append(
                fix(
                    east: east + reception.error * errorEast + away * sine(angle),
                    north: north + reception.error * errorNorth + away * sine(angle + 1.570796),
                    speed: reception.speedError.map { abs((shown ?? speed) + $0 * speedNoise) }))
        }
        clock += 1
    }

    private func fix(east: Double, north: Double, speed: Double?) -> Fix {
        let latitude = home.latitude + north / 111_200
        let longitude = home.longitude + east / (111_320 * sine(1.570796 - latitude * 0.017453292519943295))
        return Fix(
            time: Timestamp(seconds: clock),
            coordinate: Coordinate(latitude: latitude, longitude: longitude.remainder(dividingBy: 360)),
            altitude: 40,
            horizontalAccuracy: reception.tellsAccuracy ? 2.448 * reception.error * reception.modesty : nil,
            speed: speed,
            speedAccuracy: reception.speedError.map { 1.96 * $0 })
    }

    /// The sine by its series, so that all machines make the same tracks.
    private func sine(_ angle: Double) -> Double {
        let x = angle.remainder(dividingBy: 6.283185307179586)
        var (term, sum) = (x, x)
        for order in stride(from: 2.0, through: 24, by: 2) {
            term *= -x * x / (order * (order + 1))
            sum += term
        }
        return sum
    }
}
