/// Tells places on the equator or the meridian of Greenwich from such whose latitude, longitude or both are lost (0).
///
/// Both are lost where both are 0. One is where the last place that is known lies farther from that line than anything travels
/// in between. Without such a place nothing tells, and a first one that is wrong would be believed: there it takes
/// ``GateReference/fewestVotes`` of them in a row. A place beside the line is good at once.
struct AxisWatch: Sendable, Hashable, BitwiseCopyable {
    /// The fixes on a line in a row while nothing tells whether they are there.
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

/// The places of one device that it sends in any order: tells those of which the latitude or longitude is lost.
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
