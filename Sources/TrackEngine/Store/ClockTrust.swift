/// Decides whether the wall clock is reliable for the age of records.
///
/// A machine whose clock has no battery or is wrong starts at any time. A record that is too old by that clock may be
/// an hour old and undelivered. Two facts confirm a clock:
///
/// - a live source's fix, which carries satellite time, is within an hour of the clock on its arrival;
/// - the clock has agreed with the monotonic clock for six hours, and no live fix contradicted it.
///
/// A clock that jumps by more than ten minutes must be confirmed again.
///
/// | wall clock | monotonic | live fix | confirmed |
/// |---|---|---|---|
/// | 12:00 | 0 h | none | no |
/// | 12:05 | 5 min | of 12:04 | yes |
/// | 18:00 | 6 h | none | yes |
/// | 18:00, a month ahead | 6 h | of a month before | no |
/// | 12:00 next year | 5 min | none | no, and the six hours begin anew |
package struct ClockTrust: Sendable, Hashable {
    /// A live source's newest fix.
    package struct Reference: Sendable, Hashable {
        /// The fix's own time.
        package let fix: Timestamp
        /// The time of the wall clock when a fix last arrived.
        package let arrival: Timestamp

        package init(fix: Timestamp, arrival: Timestamp) {
            self.fix = fix
            self.arrival = arrival
        }

        fileprivate var agrees: Bool {
            let difference = arrival.duration(since: fix)
            return (.zero - ClockTrust.tolerance...ClockTrust.tolerance).contains(difference)
        }
    }

    private enum State: Hashable {
        /// The clock is not confirmed yet. A witness that agrees, or enough time, leads to `confirmed`.
        case observed(since: Reading)
        /// The clock is confirmed. A jump, or a witness that disagrees, leads to `observed`.
        case confirmed(last: Reading)
    }

    private struct Reading: Hashable {
        let wall: Timestamp
        let monotonic: TrackInstant

        /// Whether both clocks have advanced by the same time.
        func agrees(with later: Reading) -> Bool {
            let drift = later.wall.nanoseconds(since: wall)
                .saturatingSubtract(later.monotonic.nanoseconds(since: monotonic))
            return (-ClockTrust.jump...ClockTrust.jump).contains(drift)
        }
    }

    /// The largest difference between a fix and the wall clock on its arrival.
    private static let tolerance = Duration.seconds(3600)
    /// The largest drift of the clocks between two checks, in nanoseconds.
    private static let jump: Int64 = 600_000_000_000
    /// The time for which both clocks must agree without a witness, in nanoseconds.
    private static let agreement: Int64 = 6 * 3_600_000_000_000

    private var state: State?
    /// Witnesses from before the last jump; their arrival is no evidence about the present clock.
    private var outdated: Set<Reference> = []

    package init() {}

    /// Checks both clocks and the live sources. Returns whether the wall clock is reliable.
    package mutating func confirms(
        _ wall: Timestamp, at monotonic: TrackInstant, witnesses: some Collection<Reference>
    ) -> Bool {
        let look = Reading(wall: wall, monotonic: monotonic)
        if let last = lastLook, !last.agrees(with: look) {
            outdated = Set(witnesses)
            state = .observed(since: look)
            return false
        }
        let current = witnesses.filter { !outdated.contains($0) }
        if current.contains(where: { !$0.agrees }) {
            state = .observed(since: look)
        } else if !current.isEmpty || hasAgreed(until: look) {
            state = .confirmed(last: look)
        } else if state == nil {
            state = .observed(since: look)
        }
        if case .confirmed = state { return true }
        return false
    }

    private var lastLook: Reading? {
        switch state {
        case .observed(let look), .confirmed(let look): look
        case nil: nil
        }
    }

    private func hasAgreed(until look: Reading) -> Bool {
        switch state {
        case .observed(let since): look.monotonic.nanoseconds(since: since.monotonic) >= Self.agreement
        case .confirmed: true
        case nil: false
        }
    }
}
