import SenderFormats
import TrackEngine
import TrackEngineHistory

/// Holds back points with a lost latitude or longitude (0), device by device.
final class PlaceWatch: Sendable {
    /// The most devices that are watched; further ones are watched only within a request.
    private static let limit = 10_000

    private let devices = PthreadMutex([DeviceID: DevicePlaces]())

    /// The reason why such points are rejected.
    static let expectation =
        "expected a latitude and a longitude; one of them is 0, and the device is not near that line"

    /// Removes points with a lost latitude or longitude; returns their number. The points of a request are examined in
    /// the order of their times: phones send the newest first, too.
    func sift(_ points: inout [DeviceID: [HistoryPoint]]) -> Int {
        devices.withLock { devices in
            var removed = 0
            for (device, all) in points {
                var places = devices[device] ?? DevicePlaces()
                var isWhole = Array(repeating: true, count: all.count)
                for index in all.indices.sorted(by: { (all[$0].fix.time, $0) < (all[$1].fix.time, $1) }) {
                    isWhole[index] = places.accepts(all[index].fix)
                }
                let whole = zip(all, isWhole).filter { $0.1 }.map { $0.0 }
                removed += all.count - whole.count
                if whole.count < all.count { points[device] = whole }
                if devices[device] != nil || devices.count < Self.limit { devices[device] = places }
            }
            return removed
        }
    }
}
