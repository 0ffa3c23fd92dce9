/// How long and how much the local store keeps.
public struct RetentionConfiguration: Sendable, Hashable {
    /// Days after which a record is dropped, delivered or not, by the fix's time, and a dead letter, by the time of its
    /// refusal. 0 keeps for ever. Default 7, as in CalmGeo; up to 36 500. Too little loses records in an outage; too
    /// much fills the disk unless another limit is set. A wall clock that nothing confirms drops nothing.
    public var maxDaysToPersist: Int
    /// The most records to hold; the oldest are dropped first. 0 sets no limit (the default). As many dead letters may
    /// be held as records; with 0, ``defaultMaximumDeadLetters`` of them.
    public var maxRecords: Int
    /// The most bytes the store may take on disk; the oldest dead letters are dropped first, then the oldest records. A
    /// dead letter that was put back goes like a record of its age. 0 sets no limit (the default); otherwise at least
    /// 1 048 576 (1 MiB).
    public var maxBytes: Int64
    /// Days for which a record stays after every sink has settled it. 0 removes it at once (the default, as in
    /// CalmGeo); up to 36 500. Keeping some allows exports and a second delivery. The days count from the time of the
    /// settlement to a time that is confirmed, and records go in the order of acceptance: under a clock that goes back
    /// and forth a record stays longer, never shorter. Other limits remove it all the same.
    public var keepSyncedDays: Int

    /// How many dead letters a store holds when ``maxRecords`` sets no limit: 10 000, about 3 MB on disk.
    public static let defaultMaximumDeadLetters = 10_000

    /// The most dead letters to hold; those that were refused first are dropped first.
    package var maximumDeadLetters: Int { maxRecords > 0 ? maxRecords : Self.defaultMaximumDeadLetters }

    /// The defaults.
    public init(maxDaysToPersist: Int = 7, maxRecords: Int = 0, maxBytes: Int64 = 0, keepSyncedDays: Int = 0) {
        self.maxDaysToPersist = maxDaysToPersist
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        self.keepSyncedDays = keepSyncedDays
    }
}

extension RetentionConfiguration {
    /// The configuration itself, if every value is possible.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> RetentionConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    /// What the values may be, for whoever reads them from elsewhere.
    package enum Bounds {
        package static let days = 0...36_500
        package static let maxRecords = 0...1_000_000_000
        /// Beside 0, no limit.
        package static let maxBytes: ClosedRange<Int64> = 1_048_576...(1 << 50)
    }

    var problems: [ConfigurationProblem] {
        var check = ConfigurationCheck()
        check.range("maxDaysToPersist", maxDaysToPersist, Bounds.days, "days")
        check.range("maxRecords", maxRecords, Bounds.maxRecords, "records")
        check.range("keepSyncedDays", keepSyncedDays, Bounds.days, "days")
        if maxBytes != 0, !Bounds.maxBytes.contains(maxBytes) {
            check.problem("maxBytes", "\(maxBytes)", "0 (no limit) or at least 1048576 bytes")
        }
        return check.problems
    }
}

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
