/// Distinguishes positions on the equator or the meridian of Greenwich from positions with a lost latitude, longitude
/// or both (0).
///
/// Both are lost where both are 0. One is lost where the last known position lies farther from that line than an
/// object can travel in between. Without a known position, a wrong first one would be accepted;
/// ``GateReference/fewestVotes`` of them in a row are therefore required. A position off both lines is accepted at
/// once.
struct AxisWatch: Sendable, Hashable, BitwiseCopyable {
    /// The consecutive fixes on a line, while no known position confirms or refutes them.
    private var run = AgreeingRun()

    /// Whether a fix on one of the lines has lost its place.
    ///
    /// - Parameters:
    ///   - last: where the object was before.
    ///   - maximumSpeed: how fast it may be, in m/s.
    mutating func hasLostAxis(_ fix: Fix, after last: Passage?, maximumSpeed: Double?) -> Bool {
        if fix.coordinate.isNullIsland { return true }
        if let last, !last.isAnywhere { return last.isBeyondReach(ofAxisAt: fix) }
        run.append(fix, maximumSpeed: maximumSpeed)
        return run.count < GateReference.fewestVotes
    }
}

/// The positions of one device, in any order: finds those with a lost latitude or longitude.
package struct DevicePlaces: Sendable, Hashable, BitwiseCopyable {
    private var last: Passage?
    private var watch = AxisWatch()

    package init() {}

    /// Whether the place of a fix is whole; if it is, later ones are measured against it.
    package mutating func accepts(_ fix: Fix) -> Bool {
        let place = fix.coordinate
        if place.latitude == 0 || place.longitude == 0, watch.hasLostAxis(fix, after: last, maximumSpeed: nil) {
            return false
        }
        self = DevicePlaces()
        last = Passage(fix)
        return true
    }
}
