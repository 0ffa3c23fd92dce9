import HTTPTypes
import Hummingbird
import NIOCore
import OwnTracksFormat
import TrackEngine

/// The routes to which devices send. Each has two paths: its own, and one behind `/t/TOKEN`, for apps with no other
/// setting than an address.
struct SenderRoutes: Sendable {
    let configuration: ServerConfiguration
    let access: AccessFile
    var receiver: Receiver
    /// Answers Miataru's apps; without it their places are kept as everybody's.
    var miataru: MiataruService?
    /// The OwnTracks secrets of senders that encrypt, by the senders' names.
    var secrets: [DeviceID: OwnTracksSecret] = [:]
    let admission = RequestLimiter()
    private let bodies = BodyThread()

    /// How long a request may take to arrive.
    static let patience = Duration.seconds(60)
    /// The wait that a sender or reader is asked for after a temporary failure, in seconds.
    static let retryAfter = 30
    /// The bytes that are read of a request before its sender is known, because the token is in the body.
    private static let longestBodyOfAnybody = 65_536
    private static let patienceWithAnybody = Duration.seconds(5)
    private static let unknownSender = "expected the token of a device: trackd device add NAME"

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let overland = OverlandSender()
        for path in ["/dump", "/api/overland"] + configuration.overlandPaths {
            add(path, [.post], overland, to: router)
        }
        add("/pub", [.post], OwnTracksSender(), to: router)
        add("/calmgeo", [.post, .put], CalmGeoSender(), to: router)
        add("/osmand", [.get, .post], TraccarSender(), to: router)
        add("/log", [.get, .post], GPSLoggerSender(), to: router)
        add("/api/v1/points", [.post], OverlandSender.dawarich, to: router)
        // Dawarich's clients check this before they send.
        for prefix in ["", "/t/:secret"] {
            router.get(RouterPath(prefix + "/api/v1/health")) { _, _ in
                Response.json(.object([.init("status", .string("ok"))]))
            }
        }
        add("/client/index.php", [.post], MicroLoggerSender(), to: router)
        if let miataru {
            addMiataru(miataru, to: router)
        } else {
            for path in ["/v1/UpdateLocation", "/UpdateLocation"] { add(path, [.post], MiataruSender(), to: router) }
        }
    }

    /// All that Miataru's apps ask of a server, each under both of its paths.
    private func addMiataru<Context: RequestContext>(
        _ service: MiataruService, to router: some RouterMethods<Context>
    ) {
        for path in MiataruRequest.allCases.flatMap({ call in ["/v1/", "/"].map { ($0 + call.rawValue, call) } }) {
            add(path.0, [.post], MiataruSender(), to: router) { request, sender, _ in
                await service.answer(path.1, request, from: sender.name, listing: receiver.rejections)
            }
        }
        for prefix in ["/v1", "", "/t/:secret/v1", "/t/:secret"] {
            router.get(RouterPath(prefix + "/GetLocationGeoJSON/:id")) { request, context in
                let query = ParameterList(request.uri.query ?? "")
                guard let secret = request.secret(path: context.parameters.get("secret"), query),
                    let sender = access.list?.sender(with: secret), let id = context.parameters.get("id")
                else { return Response.failure(.unauthorized, Self.unknownSender) }
                return Response(await service.geoJSON(of: id, from: sender.name, at: receiver.clock.now()))
            }
        }
    }

    /// Adds the route for Traccar's clients on a port of their own.
    func addOsmAnd<Context: RequestContext>(to router: some RouterMethods<Context>) {
        add("/", [.get, .post], TraccarSender(), to: router)
    }

    private func add<Context: RequestContext>(
        _ path: String, _ methods: [HTTPRequest.Method], _ format: any SenderFormat,
        to router: some RouterMethods<Context>, answeredBy answer: Answer? = nil
    ) {
        let answer = answer ?? { await receiver.receive($0, in: format, from: $1, of: $2) }
        for method in methods {
            for path in [path, "/t/:secret" + path] {
                router.on(RouterPath(path), method: method) { request, context in
                    // These routes answer no questions, so HEAD has no meaning.
                    guard request.method != .head else { return Response(status: .methodNotAllowed) }
                    return try await receive(
                        request, in: format, secret: context.parameters.get("secret"), answeredBy: answer)
                }
            }
        }
    }

    /// Handles a request of a sender that may send.
    private typealias Answer =
        @Sendable (SenderRequest, AccessList.Sender, AccessList) async -> SenderReply

    private func receive(
        _ request: Request, in format: any SenderFormat, secret: String?, answeredBy answer: @escaping Answer
    ) async throws -> Response {
        let query = ParameterList(request.uri.query ?? "")
        guard let list = access.list else {
            return await request.refused(format, 503, "the list of devices cannot be read now; try again later")
        }
        let shown: RequestSecret
        do throws(BodyProblem) { shown = try await self.shown(by: request, query, in: format, path: secret) } catch {
            let reason = error == .tooLong ? "expected at most 64 KiB, or the token in the address" : error.reason
            return Response(format.refusal(status: error.status, reason: reason), closes: error.closes)
        }
        func refused(_ status: Int, _ reason: String) async -> Response {
            // A body comes once.
            guard shown.body == nil else { return Response(format.refusal(status: status, reason: reason)) }
            return await request.refused(format, status, reason)
        }
        guard let secret = shown.secret, let sender = list.sender(with: secret) else {
            return await refused(401, Self.unknownSender)
        }
        guard let encoding = BodyEncoding(request.headers[.contentEncoding]) else {
            return await refused(415, "expected a body that is not compressed, or with gzip")
        }
        guard admission.begin(sender.name) else {
            return await refused(429, "expected two requests at a time; try again in a moment")
        }
        defer { admission.end(sender.name) }
        let arriving = ReceivedBody(admission, of: .sender(sender.name))
        defer { withExtendedLifetime(arriving) {} }  // the body is counted until all of it is kept
        let body: [UInt8]
        do throws(BodyProblem) {
            let arrived: [UInt8]
            if let body = shown.body {
                arrived = body
            } else {
                arrived = try await arriving.collect(request.body, within: Self.patience)
            }
            body = try arriving.decode(arrived, encoding)
        } catch {
            return Response(format.refusal(status: error.status, reason: error.reason), closes: error.closes)
        }
        // The right may have been taken away while the body came.
        guard let list = access.list, list.sender(with: secret) == sender else {
            return Response(format.refusal(status: 401, reason: "expected the token of a device"))
        }
        var request = sent(request, query, body)
        request.secret = secrets[sender.name]
        let sent = request
        guard body.count > BodyThread.longestElsewhere else { return Response(await answer(sent, sender, list)) }
        return Response(await bodies.run(of: sender.name) { await answer(sent, sender, list) })
    }

    /// The secret that a request shows, and its body where that was read to find it.
    private struct RequestSecret {
        var secret: String?
        var body: [UInt8]?
    }

    /// Returns the shown secret. Traccar's clients show only the name that a person gives the device, newer ones in
    /// the body; a token works as a name.
    private func shown(
        by request: Request, _ query: ParameterList, in format: any SenderFormat, path: String?
    ) async throws(BodyProblem) -> RequestSecret {
        if let secret = request.secret(path: path, query) { return RequestSecret(secret: secret) }
        guard let format = format as? TraccarSender else { return RequestSecret() }
        if let name = query["id", "deviceid"] { return RequestSecret(secret: name) }
        let body = try await ReceivedBody(admission, of: .anybody).collect(
            request.body, atMost: Self.longestBodyOfAnybody, within: Self.patienceWithAnybody)
        return RequestSecret(secret: format.device(in: sent(request, query, body)), body: body)
    }

    private func sent(_ request: Request, _ query: ParameterList, _ body: [UInt8]) -> SenderRequest {
        SenderRequest(
            query: query, body: body, mediaType: request.mediaType,
            headerUser: HTTPField.Name("X-Limit-U").flatMap { request.headers[$0] },
            headerDevice: HTTPField.Name("X-Limit-D").flatMap { request.headers[$0] }, time: receiver.clock.now())
    }
}

extension Request {
    /// The secret that the request shows.
    func secret(path: String?, _ query: ParameterList) -> String? {
        RequestCredentials.secret(
            path: path, authorization: headers[.authorization],
            apiToken: HTTPField.Name("X-API-Token").flatMap { headers[$0] }, query: { query[$0] })
    }

    /// The body's media type in lower case, without parameters.
    fileprivate var mediaType: String {
        (headers[.contentType] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The reply to a refused request. A body of a usual size is read, because otherwise the sender might see a
    /// broken connection in place of the reply; a longer one is not.
    fileprivate func refused(_ format: any SenderFormat, _ status: Int, _ reason: String) async -> Response {
        let reply = format.refusal(status: status, reason: reason)
        return Response(reply, closes: await !ReceivedBody.skip(body, upTo: 1 << 20, within: .seconds(5)))
    }
}

extension Response {
    /// A reply that a format has written. A sender that waits for the disk should wait half a minute.
    ///
    /// - Parameter closes: ends the connection behind the reply: the rest of the request is not read.
    init(_ reply: SenderReply, closes: Bool = false) {
        var headers = HTTPFields()
        headers[.contentType] = reply.mediaType
        if reply.status == 503 { headers[.retryAfter] = "\(SenderRoutes.retryAfter)" }
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

/// Thrown behind a reply, so that the connection is closed.
private struct ConnectionEnd: Error {}
