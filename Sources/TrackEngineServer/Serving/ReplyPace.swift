import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Writes a reply no faster than its reader takes it.
///
/// SwiftNIO counts the bytes that wait for a peer on the connection's event loop. A writer on another thread can hand
/// over a whole reply, and those to further requests of the same peer, before the loop runs once. So each piece waits
/// until the loop has taken the one before.
struct ReplyPace<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard let loop = (context as? ServerContext)?.channel.eventLoop else { return response }
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(
                writer.map { piece in
                    try await loop.submit {}.get()
                    return piece
                })
        }
        return response
    }
}
