import CoreMetrics
import HTTPTypes
import Hummingbird
import NIOCore
import TrackEngine
package import TrackEngineIntegrations

/// The agent's status: `/healthz` for monitoring, `/api/status` for the page, `/metrics` for Prometheus.
struct StatusRoutes: Sendable {
    let access: AccessFile
    let metrics: ServerMetrics
    /// The agent's status as JSON; `nil` where the server runs without an agent.
    let status: (@Sendable () async throws -> [UInt8])?
    /// The same as a value.
    let trackerStatus: (@Sendable () async -> TrackerStatus)?

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/healthz") { _, _ in Response.json(.object([.init("status", .string("ok"))])) }
        router.get("/api/status") { request, _ in
            try await answer(request) { Response.json(try await status?() ?? Array("{}".utf8)) }
        }
        router.get("/metrics") { request, _ in try await answer(request) { await page() } }
    }

    private func answer(_ request: Request, _ body: () async throws -> Response) async throws -> Response {
        guard request.mayRead(nil, of: access, ParameterList(request.uri.query ?? "")) else {
            return .failure(.unauthorized, "expected the key for reading")
        }
        return try await body()
    }

    /// The server's own metrics, and the present ones of agent and process. The latter go to a backend that lives as
    /// long as the reply: two readers then do not count twice, and Prometheus recognises a tracker that begins anew.
    private func page() async -> Response {
        let moment = OpenMetricsRegistry()
        let dropped = Counter(label: MetricFamily.droppedSeries.name, factory: moment)
        ProcessMetrics.current.report(to: moment)
        if let status = await trackerStatus?() {
            var reporter = StatusReporter(to: moment)
            reporter.report(status)
        }
        dropped.increment(by: metrics.registry.dropped + moment.dropped)
        let families = (metrics.registry.families + moment.families).sorted { $0.name < $1.name }
        let text = MetricsText(families, help: MetricFamily.help)
        return Response(
            status: .ok, headers: [.contentType: MetricsText.mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text.finished)))
    }
}

extension MetricFamily {
    fileprivate static let droppedSeries = MetricFamily(
        "trackengine_dropped_series", .counter, "Numbers that are not shown because there are too many.")

    /// Everything that `/metrics` shows.
    package static let ofPage: [MetricFamily] = ofTracker + ofServer + ofProcess + [.droppedSeries]

    fileprivate static let help = Dictionary(uniqueKeysWithValues: ofPage.map { ($0.name, $0.help) })
}
