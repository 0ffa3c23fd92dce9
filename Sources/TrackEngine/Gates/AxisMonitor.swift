/// Distinguishes positions on the equator or the meridian of Greenwich from positions with a lost latitude, longitude
/// or both (0).
///
/// Both are lost where both are 0. One may be lost where the last known position lies far from that line; then several
/// fixes in a row that agree with each other are required, in any order of time. A position off both lines is accepted
/// at once.
///
/// | the line, seen from the last known position | required |
/// |---|---|
/// | near: what an object travels meanwhile at 340 m/s, at least 1 km and at most 100 km | 1 |
/// | farther, and an object at 340 m/s reaches it meanwhile | ``GateReference/fewestVotes`` |
/// | out of reach | more than the fixes that support that position (``GateReference/votes``) |
/// | no position is known | ``GateReference/fewestVotes`` |
struct AxisMonitor: Sendable, Hashable, BitwiseCopyable {
    /// In m/s.
    private static let fastest = 340.0
    /// In metres.
    private static let near = 1000.0...100_000.0

    /// The consecutive fixes on a line that no known position confirms.
    private var run = RejectionRun()

    /// Whether such fixes are being counted; a fix that passes ends their run.
    var isCounting: Bool { run.count > 0 }

    /// Whether a fix on one of the lines has lost its place.
    ///
    /// - Parameters:
    ///   - last: where the object was before.
    ///   - votes: the number of fixes in a row that refutes `last`.
    ///   - maximumSpeed: how fast it may be, in m/s.
    mutating func hasLostAxis(_ fix: Fix, after last: ReferenceFix?, votes: Int, maximumSpeed: Double?) -> Bool {
        if fix.coordinate.isNullIsland { return true }
        var needed = GateReference.fewestVotes
        if let last, !last.isAnywhere {
            let distance = last.distance(toAxisOf: fix)
            let reach = Self.fastest * abs(Double(fix.time.nanoseconds(since: last.time)) / 1e9)
            if distance <= min(max(reach, Self.near.lowerBound), Self.near.upperBound) { return false }
            if distance > reach { needed = votes }
        }
        run.append(fix, maximumSpeed: maximumSpeed, inAnyOrder: true)
        return run.count < needed
    }
}

/// The positions of one device, in any order: finds those with a lost latitude or longitude.
package struct DevicePositions: Sendable, Hashable, BitwiseCopyable {
    private var reference = GateReference()
    private var watch = AxisMonitor()

    package init() {}

    /// Continues after a position that was accepted in an earlier run, perhaps with many before it.
    package init(after fix: Fix) { reference = GateReference(resumed: fix, isSupported: true) }

    /// Whether the place of a fix is whole; if it is, later ones are measured against it.
    package mutating func accepts(_ fix: Fix) -> Bool {
        let place = fix.coordinate
        if place.isOnAxis,
            watch.hasLostAxis(fix, after: reference.passage, votes: reference.votes, maximumSpeed: nil)
        {
            return false
        }
        if watch.isCounting { watch = AxisMonitor() }
        reference.advance(to: fix)
        return true
    }
}
