import TrackEngine
import TrackEngineHistory

/// Holds back points with a lost latitude or longitude (0), device by device.
final class AxisFilter: Sendable {
    /// The most devices that are watched; further ones are watched only within a request.
    private static let limit = 10_000

    private let devices = SystemMutex([DeviceID: DevicePositions]())

    /// The reason why such points are rejected.
    static let expectation =
        "expected a latitude and a longitude; one of them is 0, and the device is not near that line"

    /// Removes points with a lost latitude or longitude; returns their number. The points of a request are examined in
    /// the order of their times: phones send the newest first, too.
    ///
    /// - Parameters:
    ///   - areKept: whether the remaining points are kept; only these are what later ones are measured by.
    ///   - newest: the newest kept point of a device, by which a device is measured that has not been watched since the
    ///     server's start.
    func sift(
        _ points: inout [DeviceID: [HistoryPoint]], areKept: Bool = true,
        since newest: @Sendable (DeviceID) async throws(StoreError) -> HistoryPoint?
    ) async throws(StoreError) -> Int {
        var starts: [DeviceID: DevicePositions] = [:]
        for (device, all) in points where all.contains(where: { $0.fix.coordinate.isOnAxis }) {
            guard !devices.withLock({ $0[device] != nil }), let point = try await newest(device) else { continue }
            starts[device] = DevicePositions(after: point.fix)
        }
        return sift(&points, areKept, starts)
    }

    /// Forgets where a device was, because its points are removed.
    func forget(_ device: DeviceID) { devices.withLock { $0[device] = nil } }

    private func sift(
        _ points: inout [DeviceID: [HistoryPoint]], _ areKept: Bool, _ starts: [DeviceID: DevicePositions]
    ) -> Int {
        devices.withLock { devices in
            var removed = 0
            for (device, all) in points {
                var places = devices[device] ?? starts[device] ?? DevicePositions()
                var isWhole = Array(repeating: true, count: all.count)
                for index in all.indices.sorted(by: { (all[$0].fix.time, $0) < (all[$1].fix.time, $1) }) {
                    isWhole[index] = places.accepts(all[index].fix)
                }
                let whole = zip(all, isWhole).filter { $0.1 }.map { $0.0 }
                removed += all.count - whole.count
                if whole.count < all.count { points[device] = whole }
                if areKept, devices[device] != nil || devices.count < Self.limit { devices[device] = places }
            }
            return removed
        }
    }
}
