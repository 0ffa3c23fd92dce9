import HTTPTypes
import Hummingbird
import HummingbirdCore
import TrackEngine

/// The page and its files.
///
/// The link that is shown to people can be opened once, and becomes a session: a cookie keeps one secret of it, and
/// the page, which finds it in its first address, another one. A link with a key becomes one, too. The files hold no
/// data, so they need no key.
struct PageRoutes: Sendable {
    let access: AccessFile
    let hasTLS: Bool
    let proxies: ProxyList

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/") { request, context in try await page(request, context) }
        router.get("/page/:file") { _, context in try file(PageFiles.own, context.parameters.require("file")) }
        router.get("/leaflet/:file") { _, context in try file(PageFiles.leaflet, context.parameters.require("file")) }
        router.get("/leaflet/images/:file") { _, context in
            try file(PageFiles.leafletImages, context.parameters.require("file"))
        }
    }

    private func page(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let query = ParameterList(request.uri.query ?? "")
        if query["once"] != nil || query["key"] != nil {
            return try await session(request, context, once: query["once"], key: query["key"])
        }
        let mayLook = request.hasSession(of: access) || request.rights(of: access, query) != nil
        guard mayLook, let page = PageFiles.own["index.html"] else {
            var reply = locked
            // A request from another site has no cookie, because the cookie is strict. The refresh from our own page
            // has it.
            if HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) == "cross-site",
                let refresh = HTTPField.Name("Refresh")
            {
                let proof = query["proof"].flatMap { AccessToken.isToken($0) ? "?proof=\($0)" : nil }
                reply.headers[refresh] = "0;url=/\(proof ?? "")"
            }
            return reply
        }
        return Response(page)
    }

    /// Makes a session from the secret of a link. It redirects to an address without the secret, which thus does not
    /// stay in the browser's history; the page itself removes its own secret from the address.
    private func session(
        _ request: Request, _ context: some RequestContext, once: String?, key: String?
    ) async throws -> Response {
        guard request.method != .head else { return locked }  // a check for the page's existence opens no link
        // It waits for the disk.
        let begun = try? await SystemThread.run { [access] in try access.beginSession(once: once, key: key) }
        guard let session = begun ?? nil else { return locked }
        let client = proxies.client(of: request, context)
        let viewer = session.rights.viewer
        access.audit.note(
            "a session of \(viewer ?? "the key") began", by: client,
            share: AuditLimiter.Owner(viewer: viewer, kind: .sessions))
        let isSecure = hasTLS || proxies.isSecure(request, context)
        let cookie = "\(request.cookieName)=\(session.cookie.secret.revealed); Path=/; "
        return Response(
            status: .seeOther,
            headers: [
                .location: "/?proof=\(session.proof.secret.revealed)",
                .setCookie: cookie + "Max-Age=\(AccessList.lifeOfSession.components.seconds); HttpOnly; SameSite=Strict"
                    + (isSecure ? "; Secure" : ""),
            ])
    }

    private var locked: Response {
        guard let page = PageFiles.own["locked.html"] else { return Response(status: .unauthorized) }
        var response = Response(page)
        response.status = .unauthorized
        return response
    }

    private func file(_ files: PageFiles, _ name: String) throws -> Response {
        guard let file = files[name] else { throw HTTPError(.notFound) }
        return Response(file)
    }
}

extension Response {
    /// A file of the page, which the browser asks for again with each visit.
    fileprivate init(_ file: PageFiles.File) {
        self.init(
            status: .ok, headers: [.contentType: file.mediaType, .cacheControl: "no-cache"],
            body: .inPieces(file.bytes))
    }
}
