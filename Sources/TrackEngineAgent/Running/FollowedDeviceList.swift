import TrackEngine
import TrackEngineSettings

/// The other devices that an agent's plugins report, and the readers of these reports.
final class FollowedDeviceList: Sendable {
    /// The maximum number of known devices. Reports of further devices are only passed on.
    static let limit = 1000
    /// The number of reports that are buffered for a reader.
    static let bufferedReports = 1024

    private struct State: Sendable {
        var devices: [DeviceID: FollowedDevice] = [:]
        var readers: [Int: AsyncStream<FollowedDevice>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = SystemMutex(State())

    /// Stores a report and passes it on to the readers.
    func report(_ followed: FollowedDevice) {
        let readers = state.withLock { state in
            if state.devices[followed.device] != nil || state.devices.count < Self.limit {
                state.devices[followed.device] = followed
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(followed) }
    }

    /// Removes a device that is no longer followed.
    func forget(_ device: DeviceID) { state.withLock { $0.devices[device] = nil } }

    /// All known devices, sorted by name.
    var all: [FollowedDevice] {
        state.withLock { $0.devices.values.sorted { $0.device.rawValue < $1.device.rawValue } }
    }

    /// The reports from now on.
    func reports() -> AsyncStream<FollowedDevice> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FollowedDevice.self, bufferingPolicy: .bufferingNewest(Self.bufferedReports))
        let reader = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = continuation
            return state.nextReader
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[reader] = nil } }
        return stream
    }
}
