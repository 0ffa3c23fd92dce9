extension RetentionConfiguration {
    /// The fix time before which a record is too old at `now`; `nil` while no record is.
    ///
    /// The fixes carry satellite time, the wall clock may be wrong: a machine that starts with its clock years ahead must
    /// not throw away what it has not delivered. So a clock that claims the newest fix, the last that was accepted, to be
    /// more than a year beyond the limit is not believed; the next fix settles who was right.
    package func oldestAllowed(now: Timestamp, newestFix: Timestamp?) -> Timestamp? {
        guard maxDaysToPersist > 0, let newestFix else { return nil }
        let limit = Duration.days(maxDaysToPersist)
        guard now.duration(since: newestFix) <= limit + .days(366) else { return nil }
        return now.advanced(by: .zero - limit)
    }
}

extension Duration {
    /// Days of 24 hours.
    package static func days(_ count: Int) -> Duration { .seconds(Int64(count) * 86_400) }
}
