/// How a fix is connected with the fixes before it. The policy decides it; pipeline and detector act on it.
package enum Continuity: Sendable, Hashable, BitwiseCopyable {
    /// The fixes before it are the object's way to it.
    case follows
    /// Fixes directly before it are hidden: the leg goes on, but no event may follow from the way between.
    case gap
    /// A leg begins.
    case newLeg(Cause)

    /// The reason why a leg begins.
    package enum Cause: Sendable, Hashable, BitwiseCopyable {
        /// Recording of the source stopped, by a pause or because tracking is off: no deadline is due before the next
        /// fix.
        case stopped
        /// The object is at a place where tracking is off; the detector observes only when it leaves the place.
        case offPlace
        /// The object comes to a known position or leaves it. It has not travelled the way to the next fix, so no gate
        /// for the distance applies.
        case elsewhere
    }
}
