import CServer
package import TrackEngine

/// The time of day, and whether the machine's clock was set.
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

    /// The machine's own clock. The kernel knows whether a time service keeps it (adjtimex(2)).
    package static let system = ServerClock(
        now: { .now() },
        isSynchronised: {
            var state = timex()
            return ntp_adjtime(&state) != TIME_ERROR
        }, uptime: { start.duration(to: .now) })

    private static let start = ContinuousClock.now

    /// How far a point may lie in the future of this machine's clock: clocks and time zones of senders are off, and a
    /// point years ahead would make the retention take all others for old.
    private static let tolerance = Duration.seconds(86_400)
    /// The tolerance before the machine's clock is set: one without a clock chip begins at the time when it was
    /// switched off.
    private static let toleranceWithoutTime = Duration.seconds(31 * 86_400)
    /// How long after its start a batch that lies entirely beyond the tolerance may wait. A clock that is set at all
    /// is set by then.
    private static let patienceForTime = Duration.seconds(3600)

    /// The latest time that a point which comes at a moment may have.
    func latest(at now: Timestamp) -> Timestamp {
        now.advanced(by: isSynchronised() ? Self.tolerance : Self.toleranceWithoutTime)
    }

    /// Returns whether a point that arrives at a moment is of about that moment. An unset clock is days off.
    func agrees(with time: Timestamp, at now: Timestamp) -> Bool {
        time <= now.advanced(by: Self.tolerance) && now <= time.advanced(by: Self.tolerance)
    }

    /// True when the machine's clock is not set, and may still be.
    var mayBeSet: Bool { !isSynchronised() && uptime() < Self.patienceForTime }
}
