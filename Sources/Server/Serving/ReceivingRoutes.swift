import Gzip
import HTTPTypes
import Hummingbird
import NIOCore
import SenderFormats
import TrackEngine

/// The routes to which devices send. Each is there twice: as itself, and behind `/t/TOKEN` for apps that can be given nothing
/// but an address.
struct ReceivingRoutes: Sendable {
    let configuration: ServerConfiguration
    let access: AccessFile
    let receiver: Receiver
    let admission = Admission()

    /// How long a request may take to arrive.
    static let patience = Duration.seconds(60)

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let overland = OverlandSender()
        for path in ["/dump", "/api/overland"] + configuration.overlandPaths {
            add(path, [.post], overland, to: router)
        }
        add("/pub", [.post], OwnTracksSender(), to: router)
        add("/calmgeo", [.post, .put], CalmGeoSender(), to: router)
        add("/osmand", [.get, .post], TraccarSender(), to: router)
        add("/log", [.get, .post], GPSLoggerSender(), to: router)
        for path in ["/v1/UpdateLocation", "/UpdateLocation"] { add(path, [.post], MiataruSender(), to: router) }
    }

    private func add<Context: RequestContext>(
        _ path: String, _ methods: [HTTPRequest.Method], _ format: any SenderFormat,
        to router: some RouterMethods<Context>
    ) {
        for method in methods {
            for path in [path, "/t/:secret" + path] {
                router.on(RouterPath(path), method: method) { request, context in
                    try await receive(request, in: format, secret: context.parameters.get("secret"))
                }
            }
        }
    }

    private func receive(_ request: Request, in format: any SenderFormat, secret: String?) async throws -> Response {
        let query = FormParameters(request.uri.query ?? "")
        // Traccar's clients show nothing but the name that a person gives the device: a token will do.
        let shown = request.secret(path: secret, query) ?? (format is TraccarSender ? query["id", "deviceid"] : nil)
        let list = access.list
        guard let shown, let sender = list.sender(with: shown) else {
            return await request.refused(format, 401, "expected the token of a device: trackd device add NAME")
        }
        guard let encoding = BodyEncoding(request.headers[.contentEncoding]) else {
            return await request.refused(format, 415, "expected a body that is not compressed, or with gzip")
        }
        guard admission.begin(sender.name) else {
            return await request.refused(format, 429, "expected one request at a time; try again in a moment")
        }
        defer { admission.end(sender.name) }
        let body: ByteBuffer
        do {
            body = try await request.collected(upTo: ServerConfiguration.largestBody, within: Self.patience)
        } catch let error as HTTPError where error.status == .requestTimeout {
            return Response(format.refusal(status: 408, reason: "expected the body within a minute"), closes: true)
        } catch is NIOTooManyBytesError {
            return Response(format.refusal(status: 413, reason: "expected a body of at most 10 MiB"), closes: true)
        }
        let bytes: [UInt8]
        do throws(InflationError) {
            bytes = try encoding.decode(Array(body.readableBytesView))
        } catch .tooLong {
            return Response(format.refusal(status: 413, reason: "expected a body of at most 40 MiB when inflated"))
        } catch .damaged(let reason) {
            return Response(format.refusal(status: 400, reason: "expected a body that is gzip: \(reason)"))
        }
        let sent = SenderRequest(
            query: query, body: bytes, mediaType: request.mediaType,
            headerUser: HTTPField.Name("X-Limit-U").flatMap { request.headers[$0] },
            headerDevice: HTTPField.Name("X-Limit-D").flatMap { request.headers[$0] }, time: receiver.clock.now())
        return Response(await receiver.receive(sent, in: format, from: sender, of: list))
    }
}

extension Request {
    /// The secret that the request shows.
    func secret(path: String?, _ query: FormParameters) -> String? {
        RequestCredentials.secret(
            path: path, authorization: headers[.authorization],
            apiToken: HTTPField.Name("X-API-Token").flatMap { headers[$0] }, query: { query[$0] })
    }

    /// The body's media type in lower case, without parameters.
    fileprivate var mediaType: String {
        (headers[.contentType] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The whole body, of which the size and the time are bounded.
    fileprivate func collected(upTo size: Int, within patience: Duration) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask { try await body.collect(upTo: size) }
            group.addTask {
                try await Task.sleep(for: patience)
                throw HTTPError(.requestTimeout)
            }
            defer { group.cancelAll() }
            guard let body = try await group.next() else { throw HTTPError(.requestTimeout) }
            return body
        }
    }

    /// The reply to a request that nobody wants. A body of a usual size is read, or the sender might see its connection
    /// break and not the reply; one that goes on is not.
    fileprivate func refused(_ format: any SenderFormat, _ status: Int, _ reason: String) async -> Response {
        let reply = format.refusal(status: status, reason: reason)
        do {
            _ = try await collected(upTo: 1 << 20, within: .seconds(5))
            return Response(reply)
        } catch {
            return Response(reply, closes: true)
        }
    }
}

extension Response {
    /// A reply that a format has written. A sender that waits for the disk should wait half a minute.
    ///
    /// - Parameter closes: ends the connection behind the reply: the rest of the request is not read.
    init(_ reply: SenderReply, closes: Bool = false) {
        var headers = HTTPFields()
        headers[.contentType] = reply.mediaType
        if reply.status == 503 { headers[.retryAfter] = "30" }
        if reply.status == 429 { headers[.retryAfter] = "1" }
        if reply.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        if closes { headers[.connection] = "close" }
        let buffer = ByteBuffer(bytes: reply.body)
        let body = ResponseBody(contentLength: buffer.readableBytes) { writer in
            try await writer.write(buffer)
            try await writer.finish(nil)
            if closes { throw ConnectionEnd() }
        }
        self.init(status: HTTPResponse.Status(code: reply.status), headers: headers, body: body)
    }
}

/// How a body is packed for the way.
private enum BodyEncoding {
    case plain
    case gzip

    /// Reads `Content-Encoding`; `nil` for what nobody here undoes.
    init?(_ field: String?) {
        switch field?.lowercased() {
        case nil, "", "identity": self = .plain
        case "gzip", "x-gzip": self = .gzip
        case _: return nil
        }
    }

    func decode(_ body: [UInt8]) throws(InflationError) -> [UInt8] {
        switch self {
        case .plain: body
        case .gzip: try Inflater.inflate(body, atMost: ServerConfiguration.largestInflatedBody)
        }
    }
}

/// Thrown behind a reply, so that the connection is closed.
private struct ConnectionEnd: Error {}
