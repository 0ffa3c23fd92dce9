public import TrackEngine

/// How long a history keeps points.
public struct HistoryRetention: Sendable, Hashable {
    /// Days, counted back from each device's newest point, or from the machine's clock if that is earlier: a device that is
    /// away for a year keeps what it had, and a clock that is wrong removes nothing. 0, the default, for ever.
    public var keepDays = 0
    /// How many bytes the database may take: while it has more, the oldest points go, whatever device they are of. 0, the
    /// default, for no limit.
    public var maxBytes: Int64 = 0

    /// Everything for ever.
    public init() {}

    /// What ``keepDays`` may be.
    package static let days = 0...36_500
    /// What ``maxBytes`` may be beside 0.
    package static let totals: ClosedRange<Int64> = (1 << 20)...(1 << 50)

    /// Whether anything may have to go at all.
    var isLimited: Bool { keepDays > 0 || maxBytes > 0 }
}

extension TrackHistory {
    /// Removes what a retention does not keep, in small steps, between which other callers have their turn. An event goes when all
    /// of it is too old.
    ///
    /// The file keeps its size; what was removed makes room for what comes. When its task is cancelled it stops
    /// after a step. `now` is the machine's wall clock.
    ///
    /// - Returns: how many points went.
    @discardableResult
    public func prune(_ retention: HistoryRetention, now: Timestamp = .now()) async throws(StoreError) -> Int {
        var removed = 0
        if retention.keepDays > 0 {
            let age = Duration.seconds(Int64(min(retention.keepDays, HistoryRetention.days.upperBound)) * 86_400)
            for (device, newest) in try ages() {
                let end = min(now, newest).advanced(by: .zero - age)
                let beginning = Timestamp(nanosecondsSince1970: .min)
                removed += try await removeEnded(device, during: beginning..<max(beginning, end))
            }
        }
        while retention.maxBytes > 0, !Task.isCancelled, try bytes() > retention.maxBytes {
            let step = try removeOldestStep()
            guard !step.isEmpty else { break }
            removed += step.points
            await Task.yield()
        }
        return removed
    }
}
