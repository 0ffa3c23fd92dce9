internal import TrackEngine

/// Holds a fix back that lies where the object cannot have come, until the next one shows which is right: a single wild fix makes two
/// fast legs and 160 km, and where no speed is told nothing else tells it from a drive.
///
/// | held back | the next fix | then |
/// |---|---|---|
/// | B | can follow on A before it | B has never been, and the way there and back is none |
/// | B | can follow on B alone | a leg begins at B: nobody knows the way that it came there |
/// | B | on neither | B has never been, and the next is held back |
///
/// A fix can follow if its speed agrees, or if the way, less what both may be off, is less than ``leastJump`` or takes no more than
/// ``largestAcceleration`` from the speed before and no more than ``largestSpeed``. After a minute without a fix 240 m/s can be.
struct WildFixFilter: Sendable {
    /// In metres per second squared; a car that brakes with all its might has twice that, for seconds.
    private static let largestAcceleration = 4.0
    /// In metres per second; no airliner is faster over ground.
    private static let largestSpeed = 400.0
    /// In metres.
    private static let leastJump = 200.0

    /// The newest believed fix, as much of it as is needed.
    private struct Mark: Sendable {
        let time: Timestamp
        let coordinate: Coordinate
        let accuracy: Double
        let odometer: Double
        /// Told or reckoned, in metres per second; no number where neither is known.
        let speed: Double

        init(_ observed: ObservedFix, speed: Double) {
            (time, coordinate) = (observed.fix.time, observed.fix.coordinate)
            (accuracy, odometer) = (observed.fix.horizontalAccuracy ?? 0, observed.odometer)
            self.speed = speed
        }

        init?(from reader: inout StateReader) {
            guard let time = reader.time(), let coordinate = reader.validCoordinate(), let accuracy = reader.double(),
                let odometer = reader.double(), let speed = reader.double()
            else { return nil }
            (self.time, self.coordinate, self.accuracy) = (time, coordinate, accuracy)
            (self.odometer, self.speed) = (odometer, speed)
        }
    }

    /// What is believed now, in order.
    enum Believed {
        case nothing
        case one(ObservedFix)
        case two(ObservedFix, ObservedFix)
    }

    /// Metres of the odometer that nobody has travelled.
    var excess = 0.0
    private var last: Mark?
    private var held: ObservedFix?

    init() {}

    /// Takes a fix; says what is believed now.
    mutating func take(_ next: ObservedFix) -> Believed {
        guard let last, !next.beginsLeg, next.fix.time > last.time else {
            held = nil
            return .one(believe(next))
        }
        let canFollow = Self.canFollow(next.fix, on: last)
        guard let former = held else {
            if canFollow { return .one(believe(next)) }
            held = next
            return .nothing
        }
        held = nil
        if canFollow {
            excess += max(0, next.odometer - last.odometer - last.coordinate.distance(to: next.fix.coordinate))
            return .one(believe(next))
        }
        if Self.canFollow(next.fix, on: Mark(former, speed: former.fix.speed ?? .nan)) {
            excess += max(0, former.odometer - last.odometer)
            return .two(believe(former, beginsLeg: true), believe(next))
        }
        held = next
        return .nothing
    }

    /// What was held back counts no more.
    mutating func forget() { held = nil }

    private mutating func believe(_ next: ObservedFix, beginsLeg: Bool = false) -> ObservedFix {
        last = Mark(next, speed: speed(at: next.fix))
        guard excess > 0 || beginsLeg else { return next }
        return ObservedFix(
            fix: next.fix, isMoving: next.isMoving, odometer: next.odometer - excess,
            beginsLeg: next.beginsLeg || beginsLeg)
    }

    private func speed(at fix: Fix) -> Double {
        if let told = fix.speed { return told }
        guard let last, fix.time > last.time else { return .nan }
        return last.coordinate.distance(to: fix.coordinate) / fix.time.seconds(since: last.time)
    }

    // MARK: State

    func write(to writer: inout StateWriter) {
        writer.write(excess)
        writer.write(isPresent: last != nil)
        if let last {
            writer.write(last.time)
            writer.write(last.coordinate)
            for number in [last.accuracy, last.odometer, last.speed] { writer.write(number) }
        }
        writer.write(isPresent: held != nil)
        if let held {
            held.fix.write(to: &writer)
            writer.write(held.odometer)
            writer.write(isPresent: held.isMoving)
            writer.write(isPresent: held.beginsLeg)
        }
    }

    /// - Parameter version: of a detector's state.
    init?(from reader: inout StateReader, version: UInt8) {
        guard version > 1 else { return }
        guard let excess = reader.double(), excess.isFinite else { return nil }
        self.excess = excess
        guard version > 2 else { return }
        guard let last = reader.optional({ Mark(from: &$0) }), let held = reader.optional({ ObservedFix(from: &$0) })
        else { return nil }
        (self.last, self.held) = (last, held)
    }

    private static func canFollow(_ fix: Fix, on last: Mark) -> Bool {
        let span = fix.time.seconds(since: last.time)
        let uncertain = (fix.horizontalAccuracy ?? 0) + last.accuracy
        let way = last.coordinate.distance(to: fix.coordinate) - uncertain
        guard way > leastJump, span > 0 else { return true }
        if let told = fix.speed, told * span * 2 >= way { return true }
        let before = last.speed.isNaN ? 0 : last.speed
        return way / span <= min(largestSpeed, before + largestAcceleration * span)
    }
}

extension ObservedFix {
    fileprivate init?(from reader: inout StateReader) {
        guard let fix = Fix(from: &reader), let odometer = reader.double(), let isMoving = reader.isPresent(),
            let beginsLeg = reader.isPresent()
        else { return nil }
        self.init(fix: fix, isMoving: isMoving, odometer: odometer, beginsLeg: beginsLeg)
    }
}
