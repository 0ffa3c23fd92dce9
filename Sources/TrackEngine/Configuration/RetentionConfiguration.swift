/// How long and how much the local store keeps.
public struct RetentionConfiguration: Sendable, Hashable {
    /// Days after which a record is dropped, delivered or not, by the fix's time. 0 keeps for ever. Default 7, as in
    /// CalmGeo; up to 36 500. Too little loses records in an outage; too much fills the disk unless another limit is
    /// set.
    public var maxDaysToPersist: Int
    /// The most records to hold; the oldest are dropped first. 0 sets no limit (the default).
    public var maxRecords: Int
    /// The most bytes the store may take on disk; the oldest records are dropped first. 0 sets no limit (the default);
    /// otherwise at least 1 048 576 (1 MiB).
    public var maxBytes: Int64
    /// Days for which a record stays after every sink has settled it. 0 removes it at once (the default, as in CalmGeo);
    /// up to 36 500. Keeping some allows exports and a second delivery.
    public var keepSyncedDays: Int

    /// The defaults.
    public init(maxDaysToPersist: Int = 7, maxRecords: Int = 0, maxBytes: Int64 = 0, keepSyncedDays: Int = 0) {
        self.maxDaysToPersist = maxDaysToPersist
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        self.keepSyncedDays = keepSyncedDays
    }
}
