import HTTPTypes
import Hummingbird
import HummingbirdCore
import SenderFormats
import TrackEngine

/// The page and its files.
///
/// The link that is shown to people has the key; the page's address after that has not, because a cookie keeps it. The files
/// tell nothing about anybody, so they want no key.
struct PageRoutes: Sendable {
    let access: AccessFile
    let hasTLS: Bool
    let proxies: ProxyTrust

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/") { request, context in page(request, isSecure: hasTLS || proxies.isSecure(request, context)) }
        router.get("/page/:file") { _, context in try file(PageFiles.own, context.parameters.require("file")) }
        router.get("/leaflet/:file") { _, context in try file(PageFiles.leaflet, context.parameters.require("file")) }
        router.get("/leaflet/images/:file") { _, context in
            try file(PageFiles.leafletImages, context.parameters.require("file"))
        }
    }

    private func page(_ request: Request, isSecure: Bool) -> Response {
        let query = FormParameters(request.uri.query ?? "")
        if let key = query["key"] {
            guard access.readers.isReadingKey(key) else { return locked }
            // Without the key in the address, it does not stay in the browser's history.
            return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie(key, isSecure: isSecure)])
        }
        guard request.hasKey(of: access.readers, path: nil, query), let page = PageFiles.own["index.html"] else {
            var reply = locked
            // A browser that comes from another site shows no cookie, which is strict; from our own page it does.
            if HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) == "cross-site",
                let refresh = HTTPField.Name("Refresh")
            {
                reply.headers[refresh] = "0;url=/"
            }
            return reply
        }
        return Response(page)
    }

    private var locked: Response {
        guard let page = PageFiles.own["locked.html"] else { return Response(status: .unauthorized) }
        var response = Response(page)
        response.status = .unauthorized
        return response
    }

    private func cookie(_ key: String, isSecure: Bool) -> String {
        "\(access.readers.cookieName)=\(key); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
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
