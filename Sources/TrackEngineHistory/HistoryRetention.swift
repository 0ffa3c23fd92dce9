public import TrackEngine

/// The limits of the points and events that a history keeps.
public struct HistoryRetention: Sendable, Hashable {
    /// Days, counted back from each device's newest point, or from the machine's clock if that is earlier: a device
    /// that is away for a year keeps its points, and a wrong clock removes none. 0, the default, for ever.
    public var keepDays = 0
    /// The most bytes that points and events may take. Above the limit, the oldest points of the largest device are
    /// removed, so that no sender can displace another one's points; the devices of a gateway have one share
    /// together. The largest is that with the most rows: a point, the name that a sender gave it, and an event are a
    /// row each, of 40 to 150 bytes. Data for maps and sums that can be made again is not counted: it takes at most a
    /// quarter of this in addition (or 1 MiB, if that is more), and never more than 256 MiB. 0, the default, for no
    /// limit.
    public var maxBytes: Int64 = 0

    /// No limits: points and events stay for ever.
    public init() {}

    /// The valid values of ``keepDays``.
    package static let days = 0...36_500
    /// The valid values of ``maxBytes``, apart from 0.
    package static let totals: ClosedRange<Int64> = (1 << 20)...(1 << 50)

    /// Whether there is any limit.
    var isLimited: Bool { keepDays > 0 || maxBytes > 0 }

    /// The default limit in bytes for data that can be made again.
    static let largestCache: Int64 = 256 << 20
    /// The limit in bytes for data that can be made again.
    var cacheBytes: Int64 { maxBytes > 0 ? min(max(maxBytes / 4, 1 << 20), Self.largestCache) : Self.largestCache }
}

extension TrackHistory {
    /// Removes points and events outside a retention, in small steps, between which other callers have their turn. An
    /// event is removed when all of it is too old.
    ///
    /// The file keeps its size; later additions reuse the free space. When its task is cancelled, the removal stops
    /// after a step. `now` is the machine's wall clock.
    ///
    /// - Returns: the number of removed points.
    @discardableResult
    public func prune(_ retention: HistoryRetention, now: Timestamp = .now()) async throws(StoreError) -> Int {
        try await prune(retention, owners: [:], now: now)
    }

    /// Removes points and events outside a retention, for senders that send for many devices.
    ///
    /// - Parameter owners: the sender of each device. The devices of one owner have one share; a device without an
    ///   owner has its own. `nil` when the senders are unknown: above the limit, only a device with more rows than all
    ///   others together loses rows, because it belongs to the largest owner regardless of the senders.
    @discardableResult
    package func prune(
        _ retention: HistoryRetention, owners: [DeviceID: DeviceID]?, now: Timestamp = .now()
    ) async throws(StoreError) -> Int {
        var removed = 0
        if retention.keepDays > 0 {
            let age = Duration.seconds(Int64(min(retention.keepDays, HistoryRetention.days.upperBound)) * 86_400)
            try removeDamagedCopies(olderThan: now.advanced(by: .zero - age))
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

    /// Removes the oldest rows of the largest device of the largest owner, again and again. Owners with less than an
    /// equal share lose no rows, nor do devices with less than an equal part of a share.
    private func pruneLargest(to limit: Int64, _ owners: [DeviceID: DeviceID]?) async throws(StoreError) -> Int {
        var removed = 0
        var shares = OwnerRowCounts()
        while !Task.isCancelled, try bytesInUse() > limit {
            let cache = try cacheBytes()
            guard try bytesInUse() - cache > limit else { break }
            if shares.isEmpty {
                var sizes: [DeviceID: Int] = [:]
                for device in try deviceNames() {
                    sizes[device] = try rowCount(of: device)
                    await Task.yield()  // counting millions takes a while
                }
                shares = OwnerRowCounts(sizes, owners)
            }
            // Removing points also removes the data made from them, so this may end too early, but never too late.
            while !Task.isCancelled, try bytesInUse() - cache > limit {
                guard let (device, owner, size, surplus) = shares.largest, owner != OwnerRowCounts.unknown else {
                    return removed
                }
                let step = try removeOldestStep(of: device, limit: surplus)
                removed += step.points
                shares.set(device, of: owner, to: step.isEmpty ? 0 : max(0, size - step.rows))
                await Task.yield()
            }
        }
        return removed
    }
}
