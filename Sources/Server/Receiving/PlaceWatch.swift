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

    /// Removes points with a lost latitude or longitude; returns their number.
    func sift(_ points: inout [DeviceID: [HistoryPoint]]) -> Int {
        devices.withLock { devices in
            var removed = 0
            for (device, all) in points {
                var places = devices[device] ?? DevicePlaces()
                let whole = all.filter { places.accepts($0.fix) }
                removed += all.count - whole.count
                if whole.count < all.count { points[device] = whole }
                if devices[device] != nil || devices.count < Self.limit { devices[device] = places }
            }
            return removed
        }
    }
}
