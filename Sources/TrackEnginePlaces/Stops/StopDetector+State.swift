internal import TrackEngine

// The saved state, field by field in the order of the declarations.

extension StateWriter {
    mutating func write(_ reading: TravelReading) {
        write(reading.odometer)
        write(reading.movingTime)
        write(reading.climb)
        write(reading.topSpeed.bitPattern)
        write(isPresent: reading.hasAltitude)
    }

    mutating func write(_ mark: TrackMark) {
        write(mark.time)
        write(mark.coordinate)
        write(mark.travelled)
    }
}

extension StateReader {
    mutating func reading() -> TravelReading? {
        guard let odometer = double(), let movingTime = double(), let climb = double(),
            let top = number(UInt32.self), let hasAltitude = isPresent()
        else { return nil }
        return TravelReading(
            odometer: odometer, movingTime: movingTime, climb: climb, topSpeed: Float(bitPattern: top),
            hasAltitude: hasAltitude)
    }

    mutating func mark() -> TrackMark? {
        guard let time = time(), let coordinate = validCoordinate(), let travelled = reading() else { return nil }
        return TrackMark(time: time, coordinate: coordinate, travelled: travelled)
    }
}

extension StopFix {
    func write(to writer: inout StateWriter) {
        writer.write(mark)
        writer.write(accuracyInMetres.bitPattern)
        writer.write(speedOrNaN.bitPattern)
        writer.write(standingBelow.bitPattern)
    }

    init?(from reader: inout StateReader) {
        guard let mark = reader.mark(), let accuracy = reader.number(UInt32.self),
            let speed = reader.number(UInt32.self), let standing = reader.number(UInt32.self)
        else { return nil }
        self.init(
            mark: mark, accuracy: Float(bitPattern: accuracy), speedOrNaN: Float(bitPattern: speed),
            standingBelow: Float(bitPattern: standing))
    }
}

extension Stop {
    func write(to writer: inout StateWriter) {
        writer.write(arrival)
        writer.write(lastRest)
        writer.write(lastInside)
        writer.write(frame.origin)
        for number in [weight, sum.east, sum.north, sumOfSquares, sumOfAccuracies] { writer.write(number) }
        writer.write(balance)
    }

    init?(from reader: inout StateReader) {
        guard let arrival = reader.mark(), let lastRest = reader.mark(), let lastInside = reader.mark(),
            let origin = reader.validCoordinate(), let weight = reader.double(), let east = reader.double(),
            let north = reader.double(), let squares = reader.double(), let accuracies = reader.double(),
            let balance = reader.number(Int64.self), (-3...0).contains(balance)
        else { return nil }
        self.init(arrival: arrival)
        self.lastRest = lastRest
        self.lastInside = lastInside
        frame = PlacePlane(at: origin)
        self.weight = weight
        sum = LocalOffset(east: east, north: north)
        sumOfSquares = squares
        sumOfAccuracies = accuracies
        self.balance = balance
    }
}

extension StopDetector {
    func write(to writer: inout StateWriter) {
        phase.write(to: &writer)
        writer.write(isPresent: newest != nil)
        newest?.write(to: &writer)
        writer.write(isPresent: isRestShown)
        writer.write(isPresent: isNewestRemembered)
        writer.write(optional: candidate)
        writer.write(nextSearch)
        writer.write(UInt8(recent.count))
        for age in stride(from: recent.count - 1, through: 0, by: -1) { recent[age].write(to: &writer) }
        writer.write(isPresent: isConcealed)
    }

    /// Reads the state into a detector with this rule.
    init?(from reader: inout StateReader, rule: StopRule, knowsConcealment: Bool) {
        self.init(rule: rule)
        guard let phase = Phase(from: &reader), let newest = reader.optional({ StopFix(from: &$0) }),
            let isRestShown = reader.isPresent(), let isNewestRemembered = reader.isPresent(),
            let candidate = reader.optional({ $0.time() }), let nextSearch = reader.time(),
            let count = reader.number(UInt8.self), Int(count) <= NewestFixes.capacity
        else { return nil }
        (self.phase, self.newest, self.isRestShown) = (phase, newest, isRestShown)
        (self.isNewestRemembered, self.candidate, self.nextSearch) = (isNewestRemembered, candidate, nextSearch)
        for _ in 0..<count {
            guard let fix = StopFix(from: &reader) else { return nil }
            recent.append(fix)
        }
        guard knowsConcealment else { return }
        guard let isConcealed = reader.isPresent() else { return nil }
        self.isConcealed = isConcealed
    }
}

extension StopDetector.Phase {
    fileprivate func write(to writer: inout StateWriter) {
        switch self {
        case .unknown: writer.write(UInt8(0))
        case .moving: writer.write(UInt8(1))
        case .lost: writer.write(UInt8(2))
        case .resting(let stop):
            writer.write(UInt8(3))
            stop.write(to: &writer)
        case .away(let stop, let excursion):
            writer.write(UInt8(4))
            stop.write(to: &writer)
            excursion.first.write(to: &writer)
            writer.write(isPresent: excursion.isCut)
            writer.write(Int64(excursion.farFixes))
            writer.write(Int64(excursion.fixes))
        }
    }

    fileprivate init?(from reader: inout StateReader) {
        switch reader.number(UInt8.self) {
        case 0: self = .unknown
        case 1: self = .moving
        case 2: self = .lost
        case 3:
            guard let stop = Stop(from: &reader) else { return nil }
            self = .resting(stop)
        case 4:
            guard let stop = Stop(from: &reader), let first = StopFix(from: &reader),
                let isCut = reader.isPresent(), let farFixes = reader.number(Int64.self),
                let fixes = reader.number(Int64.self)
            else { return nil }
            let counts = 0...Int64(Int32.max)
            guard counts.contains(farFixes), counts.contains(fixes) else { return nil }
            self = .away(
                stop, since: .init(first: first, isCut: isCut, farFixes: Int(farFixes), fixes: Int(fixes)))
        default: return nil  // no such phase
        }
    }
}
