import TestSupport
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineTestKit

/// What the tests of the OwnTracks sink have in common.
enum OwnTracksSamples {
    static func configuration(
        _ url: String, _ change: (inout OwnTracksSink.Configuration) -> Void = { _ in }
    ) -> OwnTracksSink.Configuration {
        var configuration = OwnTracksSink.Configuration(url: url, user: "jane", deviceID: "van_7")
        change(&configuration)
        return configuration
    }

    static let jane =
        #"{"_type":"location","tid":"JD","topic":"owntracks/jane/phone","tst":1772359200,"lat":53.5,"lon":10,"#
        + #""acc":5,"vel":36,"batt":50,"bs":2}"#
}

/// An agent that remembers what it is told.
final class RecordingAgent: AgentServices {
    private let state = SystemMutex(
        (
            devices: [FollowedDevice](), commands: [RemoteCommand](), configured: [[RemoteValue]](),
            trips: [TripMode](), waypoints: [[UInt8]]()
        ))

    var devices: [FollowedDevice] { state.withLock { $0.devices } }
    var commands: [RemoteCommand] { state.withLock { $0.commands } }
    var configured: [[RemoteValue]] { state.withLock { $0.configured } }
    var trips: [TripMode] { state.withLock { $0.trips } }
    var waypoints: [[UInt8]] { state.withLock { $0.waypoints } }

    /// How it refuses changes; `nil` where it takes them.
    let refusal: RemoteRejection?

    init(refusal: RemoteRejection? = nil) { self.refusal = refusal }

    func configure(_ values: [RemoteValue], through sink: SinkID) async throws -> [UInt8] {
        state.withLock { $0.configured.append(values) }
        if let refusal { throw refusal }
        return []
    }

    func perform(_ command: RemoteCommand) async throws -> [UInt8] {
        state.withLock { $0.commands.append(command) }
        return command == .report
            ? Array(#"{"time":"2026-03-01T10:00:00Z","latitude":53.5,"longitude":10,"speed":10}"#.utf8)
            : Array(#"{"queued":3}"#.utf8)
    }

    func startTrip(_ mode: TripMode, through sink: SinkID) async throws -> [UInt8] {
        state.withLock { $0.trips.append(mode) }
        return Array("{}".utf8)
    }

    func keepWaypoints(_ waypoints: [UInt8], through sink: SinkID) async throws -> [UInt8] {
        state.withLock { $0.waypoints.append(waypoints) }
        return Array("{}".utf8)
    }

    func report(_ followed: FollowedDevice) { state.withLock { $0.devices.append(followed) } }
    let isPaused = false
    func queued(for sink: SinkID) async -> Int? { nil }
    func trackerStatus() async -> TrackerStatus {
        TrackerStatus(state: .running, time: .now(), sources: [], sinks: [], store: nil)
    }
    func decisions() -> AsyncStream<TrackerDecision> { AsyncStream { $0.finish() } }
    func followedDevices() -> [FollowedDevice] { devices }
    func forget(_ followed: DeviceID) {}
    func followedIDs() -> [Secret] { [] }
    func sharedLinks() async -> [(sink: SinkID, link: Secret)] { [] }
    func followedReports() -> AsyncStream<FollowedDevice> { AsyncStream { $0.finish() } }
}
