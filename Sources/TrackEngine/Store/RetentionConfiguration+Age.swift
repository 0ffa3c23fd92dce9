extension RetentionConfiguration {
    /// The time before which a record or dead letter is too old at `now`; `nil` while none is.
    ///
    /// Whether `now` can be believed is for ``ClockTrust`` to say. The store itself has one doubt of its own: a clock that
    /// claims the newest of them, the last that came, to be more than a year beyond the limit is not believed.
    package func oldestAllowed(now: Timestamp, newest: Timestamp?) -> Timestamp? {
        guard maxDaysToPersist > 0, let newest else { return nil }
        let limit = Duration.days(maxDaysToPersist)
        guard now.duration(since: newest) <= limit + .days(366) else { return nil }
        return now.advanced(by: .zero - limit)
    }
}

extension Duration {
    /// Days of 24 hours.
    package static func days(_ count: Int) -> Duration { .seconds(Int64(count) * 86_400) }
}
