import TrackEngine
import TrackEngineHistory

/// The places of Miataru's devices, in a history of their own, which is pruned as each device requests.
actor MiataruPositions {
    private let history: TrackHistory
    private var known: [String: KnownPosition] = [:]
    /// The last operation on each device's places: they run one after the other.
    private var turns: [String: Task<Void, Never>] = [:]

    private struct KnownPosition: Sendable {
        /// The newest place.
        var point: HistoryPoint
        /// The time of its latest arrival.
        var received: Timestamp
        var wish: MiataruRetention

        /// Bounded by the time of arrival: a fix of a clock that is ahead must not hide later ones.
        var time: Timestamp { min(point.fix.time, received) }

        /// In a history each place expires by its own time. A single place expires by its latest arrival.
        func isKept(at now: Timestamp) -> Bool {
            (wish.history ? time : received).advanced(by: wish.duration) > now
        }
    }

    /// The most places of a device that are kept.
    static let longestHistory = 1023

    /// Loads the places of an earlier run.
    ///
    /// - Parameter entries: each device's retention, and the time of its latest arrival.
    init(_ history: TrackHistory, _ entries: [String: MiataruRegistry.Entry]) async throws(StoreError) {
        self.history = history
        for device in try await history.devices() {
            let entry = entries[device.id.rawValue]
            let received = entry?.received ?? device.newest.fix.time
            let wish = entry?.wish ?? MiataruRetention()
            var newest = device.newest
            // The arrival is kept to a tenth of the retention. A later fix is of a clock that was ahead, and later
            // arrivals had replaced it.
            let latest = received.advanced(by: wish.duration / 10)
            if newest.fix.time > latest {
                let moments = Timestamp.distantPast..<latest.nextMillisecond
                newest = try await history.points(of: device.id, during: moments, limit: .max).last ?? newest
            }
            known[device.id.rawValue] = KnownPosition(point: newest, received: received, wish: wish)
        }
    }

    /// Keeps places, through to the disk, and removes places that the device's retention excludes.
    func add(_ points: [HistoryPoint], of id: String, _ wish: MiataruRetention, at now: Timestamp) async throws {
        try await inTurn(id) {
            // A device is at one place at a time; the last one counts.
            let places = Dictionary(points.map { ($0.fix.time, $0) }) { $1 }.values.sorted { $0.fix.time < $1.fix.time }
            if let current = await self.known[id]?.point,
                let same = places.first(where: { $0.fix.time == current.fix.time }),
                same.fix.coordinate != current.fix.coordinate
            {
                try await self.remove(id, from: current.fix.time, to: current.fix.time.nextMillisecond)
            }
            _ = try await self.history.add(places, of: DeviceID(rawValue: id))
            await self.note(places, of: id, wish, at: now)
            try await self.pruneNow(id, at: now)
        }
    }

    private func note(_ places: [HistoryPoint], of id: String, _ wish: MiataruRetention, at now: Timestamp) {
        guard let last = places.last else { return }
        let candidate = KnownPosition(point: last, received: now, wish: wish)
        guard let old = known[id], old.time > candidate.time else {
            known[id] = candidate
            return
        }
        known[id] = KnownPosition(point: old.point, received: now, wish: wish)
    }

    /// Removes the places that the device's retention excludes.
    func prune(_ id: String, at now: Timestamp) async throws {
        try await inTurn(id) { try await self.pruneNow(id, at: now) }
    }

    /// All devices with kept places.
    var devices: [String] { Array(known.keys) }

    private func pruneNow(_ id: String, at now: Timestamp) async throws(StoreError) {
        guard let known = known[id] else { return }
        guard known.isKept(at: now) else {
            _ = try await removeAll(id)
            return
        }
        let time = known.point.fix.time
        guard known.wish.history else {
            try await remove(id, from: .distantPast, to: time)
            return try await remove(id, from: time.nextMillisecond, to: .distantFuture)
        }
        var first = now.advanced(by: .zero - known.wish.duration)
        let kept = try await places(of: id, since: first)
        if kept.count > Self.longestHistory { first = kept[kept.count - Self.longestHistory].fix.time }
        try await remove(id, from: .distantPast, to: first)
    }

    /// The newest place of a device that is kept.
    func newest(_ id: String) -> HistoryPoint? { known[id]?.point }

    /// The newest place of a device, unless it has expired.
    func current(_ id: String, at now: Timestamp) -> HistoryPoint? {
        known[id].flatMap { $0.isKept(at: now) ? $0.point : nil }
    }

    /// At most so many places of a device, the newest first, and the number of all.
    func past(
        _ id: String, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> (points: [HistoryPoint], count: Int) {
        guard let known = known[id], known.wish.history else {
            let points = current(id, at: now).map { [$0] } ?? []
            return (points, points.count)
        }
        let points = try await places(of: id, since: now.advanced(by: .zero - known.wish.duration))
            .suffix(Self.longestHistory)
        return (points.suffix(limit).reversed(), points.count)
    }

    private func places(of id: String, since first: Timestamp) async throws(StoreError) -> [HistoryPoint] {
        try await history.points(of: DeviceID(rawValue: id), during: first..<Timestamp.distantFuture, limit: .max)
    }

    /// Removes all places of a device; returns how many there were.
    func forget(_ id: String) async throws -> Int {
        try await inTurn(id) { try await self.removeAll(id) }
    }

    private func removeAll(_ id: String) async throws(StoreError) -> Int {
        let count = try await history.remove(
            DeviceID(rawValue: id), during: Timestamp.distantPast..<Timestamp.distantFuture)
        known[id] = nil
        return count
    }

    private func remove(_ id: String, from first: Timestamp, to end: Timestamp) async throws(StoreError) {
        guard first < end else { return }
        try await history.remove(DeviceID(rawValue: id), during: first..<end)
    }

    /// Runs an operation after all earlier ones on a device's places.
    private func inTurn<Value: Sendable>(
        _ id: String, _ body: @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        let before = turns[id]
        let work = Task {
            await before?.value
            return try await body()
        }
        let turn = Task { _ = await work.result }
        turns[id] = turn
        defer { if turns[id] == turn { turns[id] = nil } }
        return try await work.value
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(nanosecondsSince1970: .min)
    fileprivate static let distantFuture = Timestamp(nanosecondsSince1970: .max)

    /// The end of the millisecond to which this moment belongs in a history.
    fileprivate var nextMillisecond: Timestamp { advanced(by: .milliseconds(1)) }
}
