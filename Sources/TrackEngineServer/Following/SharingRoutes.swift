import HTTPTypes
import Hummingbird
import NIOCore
import TrackEngine
import TrackEngineSettings

/// How others find the place that this agent shares: `/api/sharing` names the sinks, `/api/sharing/NAME.svg` is a QR code.
struct SharingRoutes: Sendable {
    let access: AccessFile
    let links: (@Sendable () async -> [(sink: SinkID, link: Secret)])?

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/api/sharing") { request, _ in
            guard mayRead(request) else { return Self.refusal }
            let names = await links?().map { JSONValue.string($0.sink.rawValue) } ?? []
            return Response.json(.array(names))
        }
        router.get("/api/sharing/:name") { request, context in
            guard mayRead(request) else { return Self.refusal }
            let file = context.parameters.get("name") ?? ""
            let link = await links?().first { "\($0.sink.rawValue).svg" == file }?.link
            guard let code = link.flatMap({ QRCode($0.revealed) }) else {
                return .failure(.notFound, "expected the name of a sink that shares the place, and .svg")
            }
            return Response(
                status: .ok, headers: [.contentType: "image/svg+xml", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: code.svg)))
        }
    }

    private func mayRead(_ request: Request) -> Bool {
        request.mayRead(nil, of: access, ParameterList(request.uri.query ?? ""))
    }

    private static var refusal: Response { .failure(.unauthorized, "expected the key for reading") }
}
