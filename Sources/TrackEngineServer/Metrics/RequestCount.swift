import Hummingbird

/// Counts requests by the status of their replies.
struct RequestCount<Context: RequestContext>: RouterMiddleware {
    let metrics: ServerMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            metrics.countRequest(status: response.status.code)
            return response
        } catch {
            metrics.countRequest(status: (error as? any HTTPResponseError)?.status.code ?? 500)
            throw error
        }
    }
}
