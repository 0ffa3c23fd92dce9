public import TrackEngine

/// How long a history keeps points.
public struct HistoryRetention: Sendable, Hashable {
    /// Days, counted back from each device's newest point, or from the machine's clock if that is earlier: a device that is
    /// away for a year keeps what it had, and a clock that is wrong removes nothing. 0, the default, for ever.
    public var keepDays = 0
    /// How many bytes points and events may take: while they have more, the oldest points of the device go that has most, so that no
    /// sender can take another's place; the devices of a gateway have one share together. What is made of them for maps and sums, and can be made again, is not counted: it takes a
    /// quarter of this besides at the most, and never more than 256 MiB. 0, the default, for no limit.
    public var maxBytes: Int64 = 0

    /// Everything for ever.
    public init() {}

    /// What ``keepDays`` may be.
    package static let days = 0...36_500
    /// What ``maxBytes`` may be beside 0.
    package static let totals: ClosedRange<Int64> = (1 << 20)...(1 << 50)

    /// Whether anything may have to go at all.
    var isLimited: Bool { keepDays > 0 || maxBytes > 0 }

    /// How many bytes may be taken by what can be made again, where nothing else is said.
    static let largestCache: Int64 = 256 << 20
    /// How many bytes may be taken by what can be made again.
    var cacheBytes: Int64 { maxBytes > 0 ? min(max(maxBytes / 4, 1 << 20), Self.largestCache) : Self.largestCache }
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
        try await prune(retention, owners: [:], now: now)
    }

    /// The same, where some send for many devices.
    ///
    /// - Parameter owners: who sends for a device. The devices of one owner have one share; a device without an owner has its own.
    @discardableResult
    package func prune(
        _ retention: HistoryRetention, owners: [DeviceID: DeviceID], now: Timestamp = .now()
    ) async throws(StoreError) -> Int {
        var removed = 0
        if retention.keepDays > 0 {
            let age = Duration.seconds(Int64(min(retention.keepDays, HistoryRetention.days.upperBound)) * 86_400)
            try removeDamagedCopy(olderThan: now.advanced(by: .zero - age))
            for (device, newest) in try ages() {
                let end = min(now, newest).advanced(by: .zero - age)
                let beginning = Timestamp(nanosecondsSince1970: .min)
                removed += try await removeEnded(device, during: beginning..<max(beginning, end))
            }
        }
        try await boundCache(to: retention.cacheBytes)
        if retention.maxBytes > 0, try bytesInUse() > retention.maxBytes {
            removed += try await pruneLargest(to: retention.maxBytes, owners)
        }
        return removed
    }

    /// Removes the oldest rows of the device that has most among those of the owner that has most, again and again: owners that have
    /// less than an equal share lose nothing, and nor do devices that have less than an equal part of one.
    private func pruneLargest(to limit: Int64, _ owners: [DeviceID: DeviceID]) async throws(StoreError) -> Int {
        var removed = 0
        var shares = RetentionShares()
        while !Task.isCancelled, try bytesInUse() > limit {
            let cache = try cacheBytes()
            guard try bytesInUse() - cache > limit else { break }
            if shares.isEmpty {
                for device in try deviceNames() {
                    shares.set(device, of: owners[device] ?? device, to: try rowCount(of: device))
                    await Task.yield()  // counting millions takes a while
                }
            }
            // With the points goes what was made of them, so this may end too early, and never too late.
            while !Task.isCancelled, try bytesInUse() - cache > limit {
                guard let (device, owner, size, surplus) = shares.largest else { return removed }
                let step = try removeOldestStep(of: device, limit: surplus)
                removed += step.points
                shares.set(device, of: owner, to: step.isEmpty ? 0 : max(0, size - step.rows))
                await Task.yield()
            }
        }
        return removed
    }
}
