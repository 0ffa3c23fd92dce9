import Hummingbird

/// Writes an audit entry for each wrong key or token, with the address and without the key or token itself.
struct FailureAudit<Context: RequestContext>: RouterMiddleware {
    let audit: AuditLog
    let proxies: ProxyList

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        let path = request.uri.path
        let isBehindToken = path.split(separator: "/").first == "t"
        guard response.status == .unauthorized,
            isBehindToken || request.showsSecret(ParameterList(request.uri.query ?? ""))
        else { return response }
        let shown = isBehindToken ? "/t/…" : path
        audit.note(
            "refused \(request.method.rawValue) \(shown.prefix(80))", by: proxies.client(of: request, context),
            share: AuditLimiter.Owner(viewer: nil, kind: .failures))
        return response
    }
}
