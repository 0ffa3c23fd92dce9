internal import TrackEngine

/// Holds back a fix that the object cannot have reached, until the next one shows which is right. A single wild fix
/// adds two fast legs and 160 km, and without a reported speed it cannot be distinguished from a drive in any other
/// way.
///
/// | held back | the next fix | result |
/// |---|---|---|
/// | B | can follow A, the fix before B | B is discarded, and the way there and back does not count |
/// | B | can follow only B | a leg begins at B, because the way to it is unknown |
/// | B | can follow neither | B is discarded, and the next fix is held back |
///
/// A fix can follow if its speed accounts for at least half of the distance, less both accuracies. It can also
/// follow if that distance is at most ``leastJump``, or needs no more than ``largestAcceleration`` from the speed
/// before and no more than ``largestSpeed``. After a minute without a fix, 240 m/s are possible.
struct JumpFilter: Sendable {
    /// In metres per second squared; a car with full braking has twice that, for seconds.
    private static let largestAcceleration = 4.0
    /// In metres per second; no airliner is faster over ground.
    private static let largestSpeed = 400.0
    /// In metres.
    private static let leastJump = 200.0

    /// The necessary values of the newest believed fix.
    private struct Mark: Sendable {
        let time: Timestamp
        let coordinate: Coordinate
        let accuracy: Double
        let odometer: Double
        /// The reported or computed speed, in metres per second; NaN if neither is known.
        let speed: Double

        init(_ observed: DetectorFix, speed: Double) {
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

    /// The fixes that are now believed, in order.
    enum Output {
        case nothing
        case one(DetectorFix)
        case two(DetectorFix, DetectorFix)
    }

    /// The distance on the odometer that was not travelled, in metres.
    var excess = 0.0
    private var last: Mark?
    private var held: DetectorFix?

    init() {}

    /// Processes a fix and returns the fixes that are now believed.
    mutating func take(_ next: DetectorFix) -> Output {
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

    /// Discards the fix that is held back.
    mutating func forget() { held = nil }

    private mutating func believe(_ next: DetectorFix, beginsLeg: Bool = false) -> DetectorFix {
        last = Mark(next, speed: speed(at: next.fix))
        guard excess > 0 || beginsLeg else { return next }
        return DetectorFix(
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

    /// - Parameter version: The version of a detector's state.
    init?(from reader: inout StateReader, version: UInt8) {
        guard version > 1 else { return }
        guard let excess = reader.double(), excess.isFinite else { return nil }
        self.excess = excess
        guard version > 2 else { return }
        guard let last = reader.optional({ Mark(from: &$0) }), let held = reader.optional({ DetectorFix(from: &$0) })
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

extension DetectorFix {
    fileprivate init?(from reader: inout StateReader) {
        guard let fix = Fix(from: &reader), let odometer = reader.double(), let isMoving = reader.isPresent(),
            let beginsLeg = reader.isPresent()
        else { return nil }
        self.init(fix: fix, isMoving: isMoving, odometer: odometer, beginsLeg: beginsLeg)
    }
}
