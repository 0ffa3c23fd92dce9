import SenderFormats
import TrackEngine
import TrackEngineHistory

/// Holds back points whose latitude or longitude is lost (0), device by device.
final class PlaceWatch: Sendable {
    /// How many devices are watched at the most; those behind them are watched within a request alone.
    private static let limit = 10_000

    private let devices = PthreadMutex([DeviceID: DevicePlaces]())

    /// What is said of such points.
    static let expectation =
        "expected a latitude and a longitude; one of them is 0, and the device is not near that line"

    /// Removes the points whose place is not whole; returns how many they were.
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
