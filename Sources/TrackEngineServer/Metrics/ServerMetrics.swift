import CoreMetrics
import TrackEngineIntegrations

/// A server's own metrics: for its page `/metrics`, and for the metrics backend of the program, if it has one.
struct ServerMetrics: Sendable {
    /// The metrics of the page.
    let registry = OpenMetricsRegistry()
    /// Connections that are open.
    let connections: Meter
    /// Pages that are open.
    let viewers: Meter
    /// Points that a sender sent and that the history did not have.
    let newPoints: Counter
    /// Points that it had.
    let repeatedPoints: Counter
    /// Elements of senders that are no points.
    let unusablePoints: Counter
    /// How long the history took for points of senders.
    let commits: Timer
    /// Requests by the first digit of their status, 2 to 5.
    private let requests: [Counter]

    /// Counts from 0.
    ///
    /// - Parameter backend: a further receiver of the metrics. Default: the backend of the program, or of the task.
    init(besides backend: any MetricsFactory = MetricsSystem.factory) {
        let factory = MultiplexMetricsHandler(factories: [registry, backend])
        func counter(_ family: MetricFamily, _ labels: [(String, String)] = []) -> Counter {
            Counter(label: family.name, dimensions: labels, factory: factory)
        }
        connections = Meter(label: MetricFamily.connections.name, factory: factory)
        viewers = Meter(label: MetricFamily.viewers.name, factory: factory)
        newPoints = counter(.receivedPoints, [("result", "new")])
        repeatedPoints = counter(.receivedPoints, [("result", "repeated")])
        unusablePoints = counter(.unusablePoints)
        commits = Timer(label: MetricFamily.commits.name, factory: factory)
        requests = (2...5).map { counter(.requests, [("status", "\($0)xx")]) }
    }

    /// Counts a request by the status of its reply.
    func countRequest(status: Int) {
        guard requests.indices.contains(status / 100 - 2) else { return }
        requests[status / 100 - 2].increment()
    }
}

extension MetricFamily {
    fileprivate static let connections = MetricFamily(
        "trackengine_server_connections", .gauge, "Connections that are open.")
    fileprivate static let viewers = MetricFamily("trackengine_viewers", .gauge, "Pages that are open.")
    fileprivate static let requests = MetricFamily(
        "trackengine_server_requests", .counter, "Requests, by the class of their reply's status.")
    fileprivate static let receivedPoints = MetricFamily(
        "trackengine_received_points", .counter, "Points that senders sent, new ones and those that were there.")
    fileprivate static let unusablePoints = MetricFamily(
        "trackengine_unusable_points", .counter, "Elements that senders sent and that are no points.")
    fileprivate static let commits = MetricFamily(
        "trackengine_history_commit_seconds", .timer, "How long senders waited for the history's disk.")

    /// A server's metrics.
    static let ofServer: [MetricFamily] = [
        .connections, .viewers, .requests, .receivedPoints, .unusablePoints, .commits,
    ]
}
