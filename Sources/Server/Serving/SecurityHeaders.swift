import HTTPTypes
import Hummingbird

/// Refuses requests that were meant for another name, and tells browsers what pages of this server may do.
///
/// Without inline scripts, foreign scripts and frames, a text that a device sends cannot act; nothing is allowed to other
/// sites (no CORS).
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
    let names: HostNames

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard names.contain(request.head.authority) else {
            throw HTTPError(.misdirectedRequest, message: "expected a name of this server; see the setting 'names'")
        }
        var response = try await next(request, context)
        for (name, value) in Self.fields where response.headers[name] == nil { response.headers[name] = value }
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        return response
    }

    private static var fields: [(HTTPField.Name, String)] {
        [
            (.contentSecurityPolicy, policy), (.xContentTypeOptions, "nosniff"), (.cacheControl, "no-store"),
            (.crossOriginResourcePolicy, "same-origin"),
        ]
    }

    private static var policy: String {
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; object-src 'none'; "
            + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    }
}
