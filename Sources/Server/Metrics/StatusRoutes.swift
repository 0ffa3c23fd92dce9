import HTTPTypes
import Hummingbird
import NIOCore
import SenderFormats
import TrackEngine

/// How the agent stands: `/healthz` for whoever watches over it, `/api/status` for the page, `/metrics` for Prometheus.
struct StatusRoutes: Sendable {
    let access: AccessFile
    let rejections: RejectionList
    let feed: Broadcast<LiveEvent>
    /// The agent's status as JSON; `nil` where the server runs without an agent.
    let status: (@Sendable () async throws -> [UInt8])?

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/healthz") { _, _ in Response.json(.object([.init("status", .string("ok"))])) }
        router.get("/api/status") { request, _ in
            try await answer(request) { Response.json(try await status?() ?? Array("{}".utf8)) }
        }
        router.get("/metrics") { request, _ in try await answer(request) { try await metrics() } }
    }

    private func answer(_ request: Request, _ body: () async throws -> Response) async throws -> Response {
        guard request.hasKey(of: access.readers, path: nil, FormParameters(request.uri.query ?? "")) else {
            return .failure(.unauthorized, "expected the key for reading")
        }
        return try await body()
    }

    private func metrics() async throws -> Response {
        var metrics = MetricsText()
        metrics.family("trackengine_viewers", .gauge, "Pages that are open.")
        metrics.add("trackengine_viewers", [], Double(feed.listenerCount))
        metrics.family("trackengine_unusable_points", .counter, "What senders sent and that is no point.")
        metrics.add("trackengine_unusable_points_total", [], Double(rejections.current.total))
        if let status, let value = JSONValue(ifReadable: try await status()) {
            AgentMetrics(value).add(to: &metrics)
        }
        return Response(
            status: .ok, headers: [.contentType: MetricsText.mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.finished)))
    }
}
