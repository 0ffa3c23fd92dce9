import Glibc

/// A clock of any type, read as ``TrackInstant``: moments since this value was created, which never go back.
package struct MonotonicClock: Sendable {
    package let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    package init(_ clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = Self.elapsed(of: clock)
    }

    private static func elapsed<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// The time since this value was created.
    package var now: TrackInstant { TrackInstant(nanoseconds: elapsed().saturatedNanoseconds) }

    /// Returns the time until a moment; zero when it has passed.
    package func remaining(until moment: TrackInstant) -> Duration {
        max(.zero, .nanoseconds(moment.nanoseconds(since: now)))
    }
}

extension Timestamp {
    /// 2025-01-01: a clock that shows an earlier time has not been set.
    package static let earliestClock = Timestamp(secondsSince1970: 1_735_689_600)

    /// Returns the host's wall clock, which may be wrong on a machine without a battery-backed clock.
    ///
    /// The engine does not use it for timers: they run on a monotonic `Clock`. It only provides times for people and
    /// decides whether a fix's own time is plausible.
    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}
