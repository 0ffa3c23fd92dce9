import HTTPTypes
import Hummingbird

/// Refuses requests that were meant for another name, and limits by header fields the rights of this server's pages.
///
/// Without inline scripts, foreign scripts and frames, a text that a device sends cannot act. Other sites have no
/// rights at all (no CORS).
struct HeaderGuard<Context: RequestContext>: RouterMiddleware {
    let names: HostNameList
    let proxies: ProxyList
    /// The origin from which the page may load pictures of a map, in addition to the server itself.
    let pictures: String?
    /// Whether browsers come with TLS to the server itself.
    let hasTLS: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do { response = try await answer(request, context, next) } catch {
            // Made here, so that it has the fields, too.
            let known = error as? any HTTPResponseError
            response = try (known ?? HTTPError(.internalServerError)).response(from: request, context: context)
        }
        for (name, value) in fields where response.headers[name] == nil { response.headers[name] = value }
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        // RFC 6797; without TLS it has no effect.
        if hasTLS || proxies.isSecure(request, context), let name = HTTPField.Name("Strict-Transport-Security") {
            response.headers[name] = "max-age=31536000"
        }
        return response
    }

    private func answer(
        _ request: Request, _ context: Context, _ next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard proxies.admits(context) else {
            throw HTTPError(.forbidden, message: "expected the connection of a proxy; see the setting 'trustedProxies'")
        }
        guard request.namesOneHost else {
            throw HTTPError(.badRequest, message: "expected one Host, which an absolute address repeats")
        }
        guard names.contain(proxies.host(of: request, context)) else {
            throw HTTPError(.misdirectedRequest, message: "expected a name of this server; see the setting 'names'")
        }
        return try await next(request, context)
    }

    private var fields: [(HTTPField.Name, String)] {
        [
            (.contentSecurityPolicy, policy), (.xContentTypeOptions, "nosniff"), (.cacheControl, "no-store"),
            (.crossOriginResourcePolicy, "same-origin"),
        ]
    }

    private var policy: String {
        "default-src 'self'; img-src 'self' data:\(pictures.map { " \($0)" } ?? ""); style-src 'self'; script-src 'self'; object-src 'none'; "
            + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    }
}

extension Request {
    /// Whether the request names one host (RFC 9112, section 3.2). The first field is the authority; ``HTTP10Handler``
    /// adds one where the path is the address of another host.
    fileprivate var namesOneHost: Bool { HTTPField.Name("Host").map { !headers.contains($0) } ?? true }
}
