/// A fix, and when it was received.
///
/// A live source's time is that of arrival: how far apart two fixes are is measured between these moments, however long
/// the fixes waited for the store.
public struct ReceivedFix: Sendable, Hashable, BitwiseCopyable {
    /// The fix.
    public let fix: Fix
    /// When it was received, on the tracker's monotonic clock; 0 where time is the fixes' own.
    package let moment: TrackInstant
    /// The machine's time of day when it was received.
    package let wallClock: Timestamp
    /// Whether fixes right before it are hidden.
    package let isBehindHidden: Bool

    package init(fix: Fix, moment: TrackInstant, wallClock: Timestamp, isBehindHidden: Bool = false) {
        self.fix = fix
        self.moment = moment
        self.wallClock = wallClock
        self.isBehindHidden = isBehindHidden
    }

    /// Another fix that was received at the same moment.
    func with(_ fix: Fix, isBehindHidden: Bool) -> ReceivedFix {
        ReceivedFix(fix: fix, moment: moment, wallClock: wallClock, isBehindHidden: isBehindHidden)
    }
}
