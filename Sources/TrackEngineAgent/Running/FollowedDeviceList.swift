import TrackEngine
import TrackEngineSettings

/// The other devices that an agent's plugins report, and the readers of these reports.
final class FollowedDeviceList: Sendable {
    /// The maximum number of known devices. Reports of further devices are only passed on.
    static let limit = 1000
    /// The number of reports that are buffered for a reader.
    static let bufferedReports = 1024

    private let devices = SystemMutex([DeviceID: FollowedDevice]())
    private let readers = ValuePublisher<FollowedDevice>()

    /// Stores a report and passes it on to the readers.
    func report(_ followed: FollowedDevice) {
        devices.withLock { devices in
            if devices[followed.device] != nil || devices.count < Self.limit { devices[followed.device] = followed }
        }
        readers.send(followed)
    }

    /// Removes a device that is no longer followed.
    func forget(_ device: DeviceID) { devices.withLock { $0[device] = nil } }

    /// All known devices, sorted by name.
    var all: [FollowedDevice] {
        devices.withLock { $0.values.sorted { $0.device.rawValue < $1.device.rawValue } }
    }

    /// The reports from now on.
    func reports() -> AsyncStream<FollowedDevice> { readers.listen(bufferingNewest: Self.bufferedReports) }
}
