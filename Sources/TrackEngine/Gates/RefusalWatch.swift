/// Every fix of a live source has been refused, for so long that somebody should look.
public struct SteadyRefusal: Sendable, Hashable {
    /// Why most of them are refused.
    public let reason: RejectionReason
    /// When the first of them came, by the machine's clock.
    public let since: Timestamp
    /// How many there were.
    public let fixes: Int
    /// How far the time of the newest one with that reason lies behind the machine's clock; negative where it lies ahead.
    public let lag: Duration

    package init(_ reason: RejectionReason, since: Timestamp, fixes: Int, lag: Duration) {
        (self.reason, self.since, self.fixes, self.lag) = (reason, since, fixes, lag)
    }
}

/// Notices that the gates refuse every fix of a live source, for whatever reasons. A pure value.
///
/// Refusals are steady after ``leastFixes`` fixes in a row within no less than ``leastTime``, and stay so until a fix passes the
/// gates. The reason that is told is the most frequent one of that period. Another takes its place only when it is that of two
/// thirds of the fixes of a whole later period: reasons that take turns are told once.
package struct RefusalWatch: Sendable, Hashable {
    /// How long fixes are refused before somebody is told.
    package static let leastTime = Duration.seconds(60)
    /// How many fixes are refused before somebody is told: a source that gives one a minute is no case for it after a minute.
    package static let leastFixes = 10

    /// What one reason has come to in a period.
    private struct Tally: Hashable {
        var fixes = 0
        /// Of the newest of them.
        var lag = Duration.zero
    }

    /// So many fixes in a row that a reason can be told by them.
    private struct Period: Hashable {
        let began: TrackInstant
        var fixes = 0
        var tallies: [RejectionReason: Tally] = [:]

        init(began: TrackInstant) { self.began = began }

        mutating func note(_ reason: RejectionReason, lag: Duration) {
            fixes += 1
            var tally = tallies[reason, default: Tally()]
            (tally.fixes, tally.lag) = (tally.fixes + 1, lag)
            tallies[reason] = tally
        }

        func isOver(at now: TrackInstant) -> Bool {
            fixes >= leastFixes && now.nanoseconds(since: began) >= leastTime.saturatedNanoseconds
        }

        /// The most frequent reason; of several the one that stands first among the reasons.
        var main: (reason: RejectionReason, tally: Tally)? {
            let first = tallies.max { ($0.value.fixes, $1.key.rawValue) < ($1.value.fixes, $0.key.rawValue) }
            return first.map { ($0.key, $0.value) }
        }

        /// Whether so many of the fixes have it that it is no matter of chance.
        func isRuled(by tally: Tally) -> Bool { 3 * tally.fixes >= 2 * fixes }
    }

    /// Fixes in a row that were refused.
    private struct Run: Hashable {
        let since: Timestamp
        var fixes = 0
        /// Whether a period of it is over.
        var isSteady = false
        var period: Period?

        init(since: Timestamp) { self.since = since }
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
        var next = run ?? Run(since: wallClock)
        var period = next.period ?? Period(began: now)
        run = nil  // so that what follows changes the tallies in place
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
            steady = SteadyRefusal(reason, since: next.since, fixes: next.fixes, lag: lag)
        }
        run = next
    }

    /// What came before says nothing about what comes: a pause lies between, or the gates have other bounds.
    package mutating func beginAnew() { run = nil }
}
