import HTTPTypes
import Hummingbird

/// Distinguishes requests of the server's own page from those that a page of another site makes in a reader's browser
/// (CSRF).
///
/// The cookie is strict (`SameSite=Strict`), so a foreign page's request has none; this holds where a browser does
/// not know that, and between servers on ports of one host, which are the same site.
struct OwnPages: Sendable {
    let proxies: ProxyList
    let hasTLS: Bool

    /// Returns whether a browser reports a page of another origin as the author (Fetch Metadata; RFC 6454 section 7).
    func isForeign(_ request: Request, _ context: some RequestContext) -> Bool {
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }), site != "same-origin" {
            return site != "none"
        }
        guard let origin = request.headers[.origin] else { return false }
        return !isOwn(origin, request, context)
    }

    /// Returns whether a browser reports the server's own page as the author.
    func isOwn(_ request: Request, _ context: some RequestContext) -> Bool {
        guard !isForeign(request, context) else { return false }
        return request.headers[.origin] != nil
            || HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) == "same-origin"
    }

    private func isOwn(_ origin: String, _ request: Request, _ context: some RequestContext) -> Bool {
        guard let host = proxies.host(of: request, context)?.lowercased(), !host.isEmpty else { return false }
        let isSecure = hasTLS || proxies.isSecure(request, context)
        return origin.lowercased() == "https://\(host)" || !isSecure && origin.lowercased() == "http://\(host)"
    }
}
