import TrackEngine
import TrackEngineSettings

/// How other devices stand that an agent's plugins tell of, and who wants to hear of it.
final class FollowedDevices: Sendable {
    /// How many devices are known at the most; of the others only their reports are passed on.
    static let limit = 1000
    /// How many reports wait for a reader.
    static let bufferedReports = 1024

    private struct State: Sendable {
        var devices: [DeviceID: FollowedDevice] = [:]
        var readers: [Int: AsyncStream<FollowedDevice>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = PthreadMutex(State())

    /// Takes a report and passes it on.
    func report(_ followed: FollowedDevice) {
        let readers = state.withLock { state in
            if state.devices[followed.device] != nil || state.devices.count < Self.limit {
                state.devices[followed.device] = followed
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(followed) }
    }

    /// Forgets a device that is followed no more.
    func forget(_ device: DeviceID) { state.withLock { $0.devices[device] = nil } }

    /// All devices that are known, by name.
    var all: [FollowedDevice] {
        state.withLock { $0.devices.values.sorted { $0.device.rawValue < $1.device.rawValue } }
    }

    /// What is reported from now on.
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
