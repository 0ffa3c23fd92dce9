import TrackEngine
import TrackEngineHistory

/// The places that devices of Miataru want kept, in a history of their own, which is pruned as each wants it.
actor MiataruPlaces {
    private let history: TrackHistory
    /// The newest of each device, and since when it is known.
    private var newest: [String: Known] = [:]

    private struct Known: Sendable {
        var point: HistoryPoint
        var received: Timestamp
    }

    /// How many places of a device are kept.
    static let longestHistory = 1023

    /// Takes up what an earlier run has kept.
    init(_ history: TrackHistory) async throws(StoreError) {
        self.history = history
        for device in try await history.devices() {
            newest[device.id.rawValue] = Known(point: device.newest, received: device.newest.fix.time)
        }
    }

    /// Keeps places, through to the disk, and of all what the device wants.
    func add(_ points: [HistoryPoint], of id: String, _ wish: MiataruWish, at now: Timestamp) async throws(StoreError) {
        _ = try await history.add(points, of: DeviceID(rawValue: id))
        guard let last = points.max(by: { $0.fix.time < $1.fix.time }) else { return }
        let isNewer = newest[id].map { $0.point.fix.time <= last.fix.time } ?? true
        newest[id] = Known(point: isNewer ? last : newest[id]?.point ?? last, received: now)
        try await prune(id, wish, at: now)
    }

    /// Removes what the device does not want kept.
    func prune(_ id: String, _ wish: MiataruWish, at now: Timestamp) async throws(StoreError) {
        guard let known = newest[id] else { return }
        guard isKept(known, wish, at: now) else {
            _ = try await remove(id)
            return
        }
        let device = DeviceID(rawValue: id)
        let (beginning, end) = (Timestamp(nanosecondsSince1970: .min), Timestamp(nanosecondsSince1970: .max))
        var first = wish.history ? now.advanced(by: .zero - wish.duration) : known.point.fix.time
        if wish.history {
            let kept = try await history.points(of: device, during: first..<end, limit: .max)
            if kept.count > Self.longestHistory { first = kept[kept.count - Self.longestHistory].fix.time }
        }
        try await history.remove(device, during: beginning..<max(beginning, first))
    }

    /// A history keeps nothing beyond its time. A place alone is kept from when it came, as often as it does.
    private func isKept(_ known: Known, _ wish: MiataruWish, at now: Timestamp) -> Bool {
        let since = wish.history ? known.point.fix.time : known.received
        return since.advanced(by: wish.duration) > now
    }

    /// The newest place of a device, while it wants it kept.
    func current(_ id: String, _ wish: MiataruWish, at now: Timestamp) -> HistoryPoint? {
        newest[id].flatMap { isKept($0, wish, at: now) ? $0.point : nil }
    }

    /// At most so many places of a device, the newest first.
    func past(
        _ id: String, _ wish: MiataruWish, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> (points: [HistoryPoint], count: Int) {
        guard wish.history else {
            let points = current(id, wish, at: now).map { [$0] } ?? []
            return (points, points.count)
        }
        let first = now.advanced(by: .zero - wish.duration)
        let points = try await history.points(
            of: DeviceID(rawValue: id), during: first..<Timestamp(nanosecondsSince1970: .max), limit: .max)
        return (points.suffix(min(limit, Self.longestHistory)).reversed(), points.count)
    }

    /// Removes all places of a device; returns how many there were.
    func remove(_ id: String) async throws(StoreError) -> Int {
        let all = Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)
        let count = try await history.remove(DeviceID(rawValue: id), during: all)
        newest[id] = nil
        return count
    }
}
