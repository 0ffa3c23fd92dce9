/// Whether the wall clock may be believed when it says that something is old.
///
/// A machine without a battery for its clock, or with a wrong one, starts at any time. What it then calls too old may
/// be an hour old and undelivered. Two things confirm a clock:
///
/// - a live source's fix, which carries satellite time, is within an hour of the clock on its arrival;
/// - the clock has run with the monotonic one for six hours, and no live fix contradicted it.
///
/// A clock that jumps by more than ten minutes has to be confirmed anew.
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
    package struct Witness: Sendable, Hashable {
        /// The fix's own time.
        package let fix: Timestamp
        /// What the wall clock showed when a fix last arrived.
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
        /// Nothing confirms the clock yet. A witness that agrees, or enough time, leads to `confirmed`.
        case observed(since: Look)
        /// Believed. A jump, or a witness that disagrees, leads to `observed`.
        case confirmed(last: Look)
    }

    private struct Look: Hashable {
        let wall: Timestamp
        let monotonic: TrackInstant

        /// Whether both clocks have gone on alike.
        func agrees(with later: Look) -> Bool {
            let drift = later.wall.nanoseconds(since: wall)
                .saturatingSubtract(later.monotonic.nanoseconds(since: monotonic))
            return (-ClockTrust.jump...ClockTrust.jump).contains(drift)
        }
    }

    /// How far a fix may be from the wall clock on its arrival.
    private static let tolerance = Duration.seconds(3600)
    /// By how much the clocks may drift apart between two looks, in nanoseconds.
    private static let jump: Int64 = 600_000_000_000
    /// How long both clocks have to agree without a witness, in nanoseconds.
    private static let agreement: Int64 = 6 * 3_600_000_000_000

    private var state: State?
    /// Witnesses of before the last jump, whose arrival says nothing about the clock of now.
    private var outdated: Set<Witness> = []

    package init() {}

    /// Looks at both clocks and at the live sources; returns whether the wall clock is to be believed.
    package mutating func confirms(
        _ wall: Timestamp, at monotonic: TrackInstant, witnesses: some Collection<Witness>
    ) -> Bool {
        let look = Look(wall: wall, monotonic: monotonic)
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

    private var lastLook: Look? {
        switch state {
        case .observed(let look), .confirmed(let look): look
        case nil: nil
        }
    }

    private func hasAgreed(until look: Look) -> Bool {
        switch state {
        case .observed(let since): look.monotonic.nanoseconds(since: since.monotonic) >= Self.agreement
        case .confirmed: true
        case nil: false
        }
    }
}
