import Hummingbird
import SenderFormats

/// Writes into the audit log that somebody showed a key or token that is none, with the address and without what was shown.
struct AuditedFailures<Context: RequestContext>: RouterMiddleware {
    let audit: AuditLog
    let proxies: ProxyTrust

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let path = request.uri.path
        let isBehindToken = path.hasPrefix("/t/")
        guard response.status == .unauthorized,
            isBehindToken || request.showsSecret(FormParameters(request.uri.query ?? ""))
        else { return response }
        let shown = isBehindToken ? "/t/…" : path
        audit.noteFailure(
            "refused \(request.method.rawValue) \(shown.prefix(80))", by: proxies.client(of: request, context))
        return response
    }
}
