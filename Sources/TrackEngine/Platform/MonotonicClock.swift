/// A clock of any type, read as ``TrackInstant``: moments since this value was made, that never go back.
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

    /// Time since this value was made.
    package var now: TrackInstant { TrackInstant(nanoseconds: elapsed().saturatedNanoseconds) }

    /// How long until a moment; zero when it has passed.
    package func remaining(until moment: TrackInstant) -> Duration {
        max(.zero, .nanoseconds(moment.nanoseconds(since: now)))
    }
}
