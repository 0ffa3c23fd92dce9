import Synchronization
import TrackEngine
import TrackEngineSettings

/// An agent of which only the pause is asked, whom it follows, and where it is, and that remembers what it is told.
final class PausableAgent: TrackerReader, FollowReporter, SharingReader {
    private let state = Mutex((isPaused: false, reports: [FollowedDevice]()))
    private let followed: [Secret]
    private let latest: Fix?

    init(followed: [Secret] = [], latest: Fix? = nil) { (self.followed, self.latest) = (followed, latest) }

    var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    func trackerStatus() async -> TrackerStatus {
        var source = SourceReport(id: "gps")
        source.latest = latest
        return TrackerStatus(state: .running, time: .now(), sources: [source], sinks: [], store: nil)
    }
    func decisions() -> AsyncStream<TrackerDecision> { AsyncStream { $0.finish() } }
    func report(_ followed: FollowedDevice) { state.withLock { $0.reports.append(followed) } }
    func followedDevices() -> [FollowedDevice] { state.withLock { $0.reports } }
    func forget(_ followed: DeviceID) {}
    func followedIDs() -> [Secret] { followed }
    func sharedLinks() async -> [(sink: SinkID, link: Secret)] { [] }
}
