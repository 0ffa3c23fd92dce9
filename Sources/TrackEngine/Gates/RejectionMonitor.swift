/// The state in which every fix of a live source has been rejected for so long that a person should check it.
public struct RejectionWarning: Sendable, Hashable {
    /// The reason why most of them are rejected.
    public let reason: RejectionReason
    /// The time at which the first of them came, by the machine's clock.
    public let since: Timestamp
    /// The number of rejected fixes.
    public let fixes: Int
    /// The lag of the newest fix with that reason behind the machine's clock; negative if the fix is ahead.
    public let lag: Duration

    package init(_ reason: RejectionReason, since: Timestamp, fixes: Int, lag: Duration) {
        (self.reason, self.since, self.fixes, self.lag) = (reason, since, fixes, lag)
    }
}

/// Detects that the gates reject every fix of a live source, for any reasons. A pure value.
///
/// Rejections are steady after ``leastFixes`` fixes in a row within no less than ``leastTime``, and stay so until a fix
/// passes the gates. The reason reported is the most frequent one of that period. Another reason replaces it only when
/// it applies to two thirds of the fixes of a whole later period: alternating reasons are reported once.
package struct RejectionMonitor: Sendable, Hashable {
    /// The time for which fixes are rejected before it is reported.
    static let leastTime = Duration.seconds(60)
    /// The number of fixes rejected before it is reported: a source with one fix a minute needs longer than a minute.
    static let leastFixes = 10

    /// The count of one reason in a period.
    private struct ReasonCount: Hashable {
        var fixes = 0
        /// The lag of the newest of them.
        var lag = Duration.zero
    }

    /// Enough fixes in a row to determine a reason.
    private struct Window: Hashable {
        let began: TrackInstant
        var fixes = 0
        var tallies: [RejectionReason: ReasonCount] = [:]

        mutating func note(_ reason: RejectionReason, lag: Duration) {
            fixes += 1
            var tally = tallies[reason, default: ReasonCount()]
            (tally.fixes, tally.lag) = (tally.fixes + 1, lag)
            tallies[reason] = tally
        }

        func isOver(at now: TrackInstant) -> Bool {
            fixes >= leastFixes && now.nanoseconds(since: began) >= leastTime.saturatedNanoseconds
        }

        /// The most frequent reason; of equal ones, the first in the order of the reasons.
        var main: (reason: RejectionReason, tally: ReasonCount)? {
            let first = tallies.max { ($0.value.fixes, $1.key.rawValue) < ($1.value.fixes, $0.key.rawValue) }
            return first.map { ($0.key, $0.value) }
        }

        /// Whether so many fixes have the reason that it is no coincidence.
        func isRuled(by tally: ReasonCount) -> Bool { 3 * tally.fixes >= 2 * fixes }
    }

    /// Consecutive rejected fixes.
    private struct Run: Hashable {
        let since: Timestamp
        var fixes = 0
        /// Whether one of its periods is over.
        var isSteady = false
        var period: Window?
    }

    private var run: Run?
    /// The state to report; absent while fixes pass, and while it is too early to decide.
    package private(set) var steady: RejectionWarning?

    package init() {}

    /// Notes the outcome of a fix.
    ///
    /// - Parameters:
    ///   - reason: the reason why the gates rejected it; `nil` if it passed them, whether it was recorded or not.
    ///   - time: the fix's own time.
    ///   - now: the moment of its arrival, on the monotonic clock.
    ///   - wallClock: the same by the machine's clock.
    package mutating func note(_ reason: RejectionReason?, time: Timestamp, at now: TrackInstant, wallClock: Timestamp)
    {
        guard let reason else {
            if run != nil || steady != nil { self = RejectionMonitor() }
            return
        }
        var next = run ?? Run(since: wallClock)
        var period = next.period ?? Window(began: now)
        run = nil  // so that the tallies are changed in place
        next.period = nil
        let lag = wallClock.duration(since: time)
        period.note(reason, lag: lag)
        next.fixes += 1
        var told = steady.map { ($0.reason, $0.reason == reason ? lag : $0.lag) }
        if period.isOver(at: now) {
            if let main = period.main, told == nil || period.isRuled(by: main.tally) {
                told = (main.reason, main.tally.lag)
            }
            next.isSteady = true
        } else {
            next.period = period
        }
        if next.isSteady, let (reason, lag) = told {
            steady = RejectionWarning(reason, since: next.since, fixes: next.fixes, lag: lag)
        }
        run = next
    }

    /// Begins a new run, because earlier fixes do not predict later ones: there was a pause, or the gates have other
    /// bounds.
    package mutating func beginAnew() { run = nil }
}
