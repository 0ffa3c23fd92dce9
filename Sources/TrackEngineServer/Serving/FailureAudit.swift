import Hummingbird

/// Writes an audit entry for each wrong key or token, with the address and without the key or token itself.
///
/// Traccar's clients show their device's name in `id` or in the body, and get the reply of Traccar's server: 400.
struct FailureAudit<Context: RequestContext>: RouterMiddleware {
    let audit: AuditLog
    let proxies: ProxyList
    /// Whether all paths are those of Traccar's clients.
    var isForTraccar = false

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let path = request.uri.path
        let isBehindToken = path.split(separator: "/").first == "t"
        let isTraccars = isForTraccar || path.hasSuffix("/osmand")
        guard response.status == .unauthorized,
            isBehindToken || isTraccars || request.showsSecret(ParameterList(request.uri.query ?? ""))
        else { return response }
        if isTraccars { response.status = .badRequest }
        let shown = isBehindToken ? "/t/…" : path
        audit.note(
            "refused \(request.method.rawValue) \(shown.prefix(80))", by: proxies.client(of: request, context),
            share: AuditLimiter.Owner(viewer: nil, kind: .failures))
        return response
    }
}
