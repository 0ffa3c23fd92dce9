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

    /// A fix as the filter knows it.
    private struct Mark: Sendable {
        let fix: Fix
        let odometer: Double
        /// Told or reckoned, in metres per second; no number where neither is known.
        let speed: Double
    }

    /// Metres of the odometer that nobody has travelled.
    var excess = 0.0
    private var last: Mark?
    private var held: ObservedFix?

    /// Takes a fix and passes on what is believed now: nothing, the fix, or the one held back and the fix.
    mutating func take(_ next: ObservedFix, pass: (ObservedFix) -> Void) {
        guard let last, !next.beginsLeg, next.fix.time > last.fix.time else {
            held = nil
            return believe(next, pass)
        }
        let canFollow = Self.canFollow(next.fix, on: last.fix, at: last.speed)
        guard let former = held else {
            if canFollow { believe(next, pass) } else { held = next }
            return
        }
        held = nil
        if canFollow {
            let way = last.fix.coordinate.distance(to: next.fix.coordinate)
            excess += max(0, next.odometer - last.odometer - way)
            believe(next, pass)
        } else if Self.canFollow(next.fix, on: former.fix, at: former.fix.speed ?? .nan) {
            excess += max(0, former.odometer - last.odometer)
            believe(former, beginsLeg: true, pass)
            believe(next, pass)
        } else {
            held = next
        }
    }

    /// What was held back counts no more.
    mutating func forget() { held = nil }

    private mutating func believe(_ next: ObservedFix, beginsLeg: Bool = false, _ pass: (ObservedFix) -> Void) {
        last = Mark(fix: next.fix, odometer: next.odometer, speed: speed(at: next.fix))
        pass(
            ObservedFix(
                fix: next.fix, isMoving: next.isMoving, odometer: next.odometer - excess,
                beginsLeg: next.beginsLeg || beginsLeg))
    }

    private func speed(at fix: Fix) -> Double {
        if let told = fix.speed { return told }
        guard let last, fix.time > last.fix.time else { return .nan }
        return last.fix.coordinate.distance(to: fix.coordinate) / fix.time.seconds(since: last.fix.time)
    }

    private static func canFollow(_ fix: Fix, on last: Fix, at speed: Double) -> Bool {
        let span = fix.time.seconds(since: last.time)
        let uncertain = (fix.horizontalAccuracy ?? 0) + (last.horizontalAccuracy ?? 0)
        let way = last.coordinate.distance(to: fix.coordinate) - uncertain
        guard way > leastJump, span > 0 else { return true }
        if let told = fix.speed, told * span * 2 >= way { return true }
        let before = speed.isNaN ? 0 : speed
        return way / span <= min(largestSpeed, before + largestAcceleration * span)
    }
}
