/// The age and size limits of the local store.
public struct RetentionConfiguration: Sendable, Hashable {
    /// The days after which a record is dropped, delivered or not, by the fix's time, and a dead letter, by the time of
    /// its refusal. 0 keeps them forever. Default 7, as in CalmGeo; up to 36 500. A value too small loses records in an
    /// outage; a value too large fills the disk unless another limit is set. No record is dropped by an unconfirmed
    /// wall clock.
    public var maxDaysToPersist: Int
    /// The maximum number of records; the oldest are dropped first. 0 sets no limit (the default). The limit also
    /// applies to the number of dead letters; with 0, it is ``defaultMaximumDeadLetters`` for them.
    public var maxRecords: Int
    /// The maximum size of the store on disk, in bytes; the oldest dead letters are dropped first, then the oldest
    /// records. A dead letter that was put back is dropped together with the records of its age. 0 sets no limit (the
    /// default); otherwise at least 1 048 576 (1 MiB).
    public var maxBytes: Int64
    /// The days for which a record stays after every sink has settled it. 0 removes it at once (the default, as in
    /// CalmGeo); up to 36 500. A longer time allows exports and a second delivery. The days count from the time of the
    /// settlement to a confirmed time, and records are removed in the order of acceptance: if the clock goes back and
    /// forth, a record stays longer, never shorter. Other limits remove it nevertheless.
    public var keepSyncedDays: Int

    /// The maximum number of dead letters when ``maxRecords`` sets no limit: 10 000, about 3 MB on disk.
    public static let defaultMaximumDeadLetters = 10_000

    /// The maximum number of dead letters; those refused first are dropped first.
    package var maximumDeadLetters: Int { maxRecords > 0 ? maxRecords : Self.defaultMaximumDeadLetters }

    /// Creates a configuration; the defaults are those of the properties.
    public init(maxDaysToPersist: Int = 7, maxRecords: Int = 0, maxBytes: Int64 = 0, keepSyncedDays: Int = 0) {
        self.maxDaysToPersist = maxDaysToPersist
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        self.keepSyncedDays = keepSyncedDays
    }

    /// Returns the configuration itself, if every value is valid.
    ///
    /// - Throws: ``ConfigurationError`` with every problem at once.
    public func validated() throws(ConfigurationError) -> RetentionConfiguration {
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return self
    }

    /// The values with their bounds.
    package static let settings: [Setting<Self>] = [
        Setting("maxDaysToPersist", .integer(\.maxDaysToPersist, 0...36_500, "days"))
            .meaning("After how many days a record is dropped, delivered or not; 0 keeps it for ever."),
        Setting("maxRecords", .integer(\.maxRecords, 0...1_000_000_000, "records"))
            .meaning("The most records that are kept, the oldest go first; 0 sets no limit."),
        Setting("maxBytes", .limit(\.maxBytes, 1_048_576...(1 << 50)))
            .meaning("The most that the store may take on the disk, the oldest records go first; 0 sets no limit."),
        Setting("keepSyncedDays", .integer(\.keepSyncedDays, 0...36_500, "days"))
            .meaning("How long delivered records stay."),
    ]

    var problems: [ConfigurationProblem] { ConfigurationCheck.problems { $0.values(of: self, Self.settings) } }

    /// Returns the time before which a record or dead letter is too old at `now`; `nil` while none is.
    ///
    /// ``ClockTrust`` decides whether `now` is reliable. The store itself makes one further check: it distrusts a clock
    /// by which the newest of them, the last to arrive, is more than a year beyond the limit.
    package func oldestAllowed(now: Timestamp, newest: Timestamp?) -> Timestamp? {
        guard maxDaysToPersist > 0, let newest else { return nil }
        let limit = Duration.days(maxDaysToPersist)
        guard now.duration(since: newest) <= limit + .days(366) else { return nil }
        return now.advanced(by: .zero - limit)
    }
}

extension Duration {
    /// Returns a duration of days of 24 hours.
    package static func days(_ count: Int) -> Duration { .seconds(Int64(count) * 86_400) }
}
