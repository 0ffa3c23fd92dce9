import CServer
package import TrackEngine

/// The time of day, and whether somebody has told it to this machine.
package struct ServerClock: Sendable {
    /// The time of day.
    let now: @Sendable () -> Timestamp
    /// Whether the clock is kept in step with others.
    let isSynchronised: @Sendable () -> Bool

    /// How long this clock has been asked.
    let uptime: @Sendable () -> Duration

    /// A clock that tests set.
    package init(
        now: @escaping @Sendable () -> Timestamp, isSynchronised: @escaping @Sendable () -> Bool,
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.now = now
        self.isSynchronised = isSynchronised
        self.uptime = uptime
    }

    /// The machine's own, of which the kernel knows whether a time service keeps it (adjtimex(2)).
    package static let system = ServerClock(
        now: { .now() },
        isSynchronised: {
            var state = timex()
            return ntp_adjtime(&state) != TIME_ERROR
        }, uptime: { start.duration(to: .now) })

    private static let start = ContinuousClock.now
}
