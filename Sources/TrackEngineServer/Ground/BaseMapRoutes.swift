import HTTPTypes
import Hummingbird
import NIOCore
import TrackEngine

/// The map under the tracks: `/api/ground` lists the available maps, `/tiles/{z}/{x}/{y}` has the pictures of the one
/// that is in a file.
struct BaseMapRoutes: Sendable {
    let access: AccessFile
    let tiles: TileServer?
    let map: TileFile?

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/api/ground") { request, _ in
            try await answer(request) { Response.json(json) }
        }
        router.get("/tiles/:zoom/:column/:row") { request, context in
            try await answer(request) {
                guard let map, let zoom = context.parameters.get("zoom", as: Int.self),
                    let column = context.parameters.get("column", as: Int.self),
                    let row = context.parameters.get("row", as: Int.self),
                    let tile = await map.tile(zoom: zoom, column: column, row: row)
                else { return .failure(.notFound, "there is no such tile") }
                return Response(
                    status: .ok, headers: [.contentType: map.facts.mediaType, .cacheControl: "private, max-age=86400"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: tile)))
            }
        }
    }

    /// Answers only readers with a key or a session: requests for tiles reveal the places that a person looks at.
    private func answer(_ request: Request, _ body: () async throws -> Response) async throws -> Response {
        guard request.rights(of: access, ParameterList(request.uri.query ?? "")) != nil else {
            return .failure(.unauthorized, "expected the key for reading: trackd device link")
        }
        return try await body()
    }

    private var json: JSONValue {
        .object([.init("tiles", tiles?.json ?? .null), .init("map", map?.facts.json ?? .null)])
    }
}

extension TileServer {
    fileprivate var json: JSONValue {
        .object([
            .init("template", .string(template)), .init("attribution", .string(attribution)),
            .init("host", .string(host)), .init("maximumZoom", .number(Double(maximumZoom))),
        ])
    }
}

extension TileFile.Description {
    fileprivate var json: JSONValue {
        .object([
            .init("name", .string(name)), .init("attribution", .string(attribution)),
            .init("minimumZoom", .number(Double(zooms.lowerBound))),
            .init("maximumZoom", .number(Double(zooms.upperBound))),
            .init("bounds", bounds.map { .array($0.map { .number($0) }) } ?? .null),
        ])
    }
}
