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

    /// A name with letters of two and of four bytes.
    static let name = "Zürich 🚚"

    /// What an agent tells of its places.
    static let waypoints =
        #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"\#(name)","lat":53.5,"lon":10,"rad":150}]}"#

    static let jane =
        #"{"_type":"location","tid":"JD","topic":"owntracks/jane/phone","tst":1772359200,"lat":53.5,"lon":10,"#
        + #""acc":5,"vel":36,"batt":50,"bs":2}"#
}

/// An agent that records the requests and reports that it gets.
final class RecordingAgent: RemoteCommandHandler, FollowReporter {
    private let state = SystemMutex((devices: [FollowedDevice](), requests: [RemoteRequest]()))

    var devices: [FollowedDevice] { state.withLock { $0.devices } }
    var requests: [RemoteRequest] { state.withLock { $0.requests } }

    /// The answer to changes; `nil` if they are accepted.
    let refusal: RemoteRejection?

    init(refusal: RemoteRejection? = nil) { self.refusal = refusal }

    func perform(_ request: RemoteRequest, through sink: SinkID) async throws -> [UInt8] {
        state.withLock { $0.requests.append(request) }
        if let refusal { throw refusal }
        switch request {
        case .report: return Array(#"{"time":"2026-03-01T10:00:00Z","latitude":53.5,"longitude":10,"speed":10}"#.utf8)
        case .waypoints: return Array(OwnTracksSamples.waypoints.utf8)
        default: return Array(#"{"queued":3}"#.utf8)
        }
    }

    func report(_ followed: FollowedDevice) { state.withLock { $0.devices.append(followed) } }
    func forget(_ followed: DeviceID) {}
}
