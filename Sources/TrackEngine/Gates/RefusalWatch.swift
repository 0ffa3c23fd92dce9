/// Every fix of a live source has been refused for one reason, for so long that somebody should look.
public struct SteadyRefusal: Sendable, Hashable {
    /// Why they are refused.
    public let reason: RejectionReason
    /// When the first of them came, by the machine's clock.
    public let since: Timestamp
    /// How many there were.
    public let fixes: Int
    /// How far the newest one's time lies behind the machine's clock; negative where it lies ahead.
    public let lag: Duration

    package init(_ reason: RejectionReason, since: Timestamp, fixes: Int, lag: Duration) {
        (self.reason, self.since, self.fixes, self.lag) = (reason, since, fixes, lag)
    }
}

/// Notices that the gates refuse every fix of a live source for one reason. A pure value.
///
/// A refusal is steady after ``leastFixes`` fixes in a row within no less than ``leastTime``. It stays so until a fix passes
/// the gates, or until another reason is steady.
package struct RefusalWatch: Sendable, Hashable {
    /// How long fixes are refused before somebody is told.
    package static let leastTime = Duration.seconds(60)
    /// How many fixes are refused before somebody is told: a source that gives one a minute is no case for it after a minute.
    package static let leastFixes = 10

    /// Fixes in a row that were refused for one reason.
    private struct Run: Hashable {
        let reason: RejectionReason
        let began: TrackInstant
        let since: Timestamp
        var fixes: Int
    }

    private var run: Run?
    /// What somebody should look at; absent while fixes pass, and while it is too early to tell.
    package private(set) var steady: SteadyRefusal?

    package init() {}

    /// Takes what became of a fix.
    ///
    /// - Parameters:
    ///   - reason: why the gates refused it; `nil` where it passed them, whether it was recorded or not.
    ///   - time: the fix's own time.
    ///   - now: when it came, on the monotonic clock.
    ///   - wallClock: the same by the machine's clock.
    package mutating func note(_ reason: RejectionReason?, time: Timestamp, at now: TrackInstant, wallClock: Timestamp)
    {
        guard let reason else {
            if run != nil || steady != nil { self = RefusalWatch() }
            return
        }
        var next = run ?? Run(reason: reason, began: now, since: wallClock, fixes: 0)
        if next.reason != reason { next = Run(reason: reason, began: now, since: wallClock, fixes: 0) }
        next.fixes += 1
        run = next
        let nanoseconds = now.nanoseconds(since: next.began)
        guard next.fixes >= Self.leastFixes, nanoseconds >= Self.leastTime.saturatedNanoseconds else { return }
        steady = SteadyRefusal(
            reason, since: next.since, fixes: next.fixes, lag: wallClock.duration(since: time))
    }

    /// What came before says nothing about what comes: a pause lies between, or the gates have other bounds.
    package mutating func beginAnew() { run = nil }
}
