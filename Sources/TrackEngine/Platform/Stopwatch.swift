/// Monotonic moments, as ``TrackInstant``, of a clock whose type is not known.
package struct Stopwatch: Sendable {
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

    /// Time since the stopwatch was made.
    package var now: TrackInstant { TrackInstant(nanoseconds: elapsed().saturatedNanoseconds) }

    /// How long until a moment; zero when it has passed.
    package func remaining(until moment: TrackInstant) -> Duration {
        max(.zero, .nanoseconds(moment.nanoseconds(since: now)))
    }
}
