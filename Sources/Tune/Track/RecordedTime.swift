internal import TrackEngine

/// Time during which a receiver was recording: from fix to fix, without the gaps in which it was off.
///
/// A gap of more than five minutes counts as off, and not at all. That is longer than any receiver's way to its first fix
/// and than a standby's interval.
package struct RecordedTime: Sendable, Hashable {
    /// The longest gap that counts.
    package static let longestGap = Duration.seconds(300)

    /// The time so far, in seconds.
    package private(set) var seconds = 0.0

    /// None yet.
    package init() {}

    /// Goes on to the next fix, which comes so long after the one before.
    package mutating func pass(_ gap: Duration) {
        if gap <= Self.longestGap { seconds += gap.inSeconds }
    }
}
