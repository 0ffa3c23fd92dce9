import HTTPTypes
import Hummingbird
import NIOCore
import TrackEngine
import TrackEngineHistory

/// The routes for people and programs that read the history. All of them need the key for reading, except `/status`,
/// which needs no secret, and `/coordinates`, which accepts a device's token, too. Deletions need the key for
/// editing.
struct ReadingRoutes: Sendable {
    let access: AccessFile
    let reader: HistoryReader
    let events: EventReader
    let trace: TraceReader
    let rejections: RejectionList
    /// The check of the right to delete.
    let gate: EditorAccess
    /// Returns the status of followed devices.
    let followed: @Sendable () -> FollowedPage
    /// Bounds the questions in progress: many of them must not delay senders.
    let turns = QueryLimiter()

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for prefix in ["", "/t/:secret"] {
            router.get(RouterPath(prefix + "/status")) { _, _ in
                Response.json(.object([.init("status", .string("ok"))]))
            }
            router.get(RouterPath(prefix + "/coordinates")) { request, context in
                try await coordinates(request, secret: context.parameters.get("secret"))
            }
        }
        addHistory(to: router)
    }

    /// Trace's app knows one address, for sending and for reading: with a device's token it sees that device, with
    /// the key all.
    private func coordinates(_ request: Request, secret: String?) async throws -> Response {
        let query = ParameterList(request.uri.query ?? "")
        let own = secret.flatMap { access.list?.sender(with: $0)?.name }
        let rights = request.rights(of: access, path: secret, query)?.rights
        guard own != nil || rights?.cover(nil) == true else {
            return .json(
                status: .unauthorized, TraceReader.Failure(description: "expected the key, or a device's token").json)
        }
        do {
            let owner = own.map(QueryLimiter.Owner.sender) ?? .reader(rights)
            return try await turns.take(of: owner) { Response.json(try await trace.coordinates(query, of: own)) }
        } catch let error as TraceReader.Failure {
            return .json(status: .badRequest, error.json)
        } catch is QueryLimiter.Rejection {
            return .json(status: .serviceUnavailable, TraceReader.Failure(description: Self.crowd).json)
        } catch let error as StoreError {
            return .json(
                status: .serviceUnavailable,
                TraceReader.Failure(description: "Failed to fetch coordinates: \(error)").json)
        }
    }

    private static let crowd = "many questions wait for an answer; try again later"

    private func addHistory<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/api/devices") { request, context in
            try await answer(request, context, isOfDevices: true) { query in
                let rights = request.rights(of: access, query)?.rights
                // The distance of others reveals the position of the agent's own device.
                let followed = rights?.devices == nil ? followed() : FollowedPage([], here: nil)
                return Response.json(try await reader.devices(followed) { rights?.cover($0) ?? false })
            }
        }
        router.get("/api/path") { request, context in
            try await answer(request, context) { Response.json(try await reader.path($0)) }
        }
        router.get("/api/summaries") { request, context in
            try await answer(request, context) { Response.json(try await reader.summaries($0)) }
        }
        router.get("/api/events") { request, context in
            try await answer(request, context) { Response.json(try await events.events($0)) }
        }
        router.get("/api/day") { request, context in
            try await answer(request, context) { Response.json(try await events.day($0)) }
        }
        router.get("/api/modes") { request, context in
            try await answer(request, context) { Response.json(try await events.modes($0)) }
        }
        router.delete("/api/points") { request, context in
            let device = ParameterList(request.uri.query ?? "")["device"].map(DeviceID.init(rawValue:))
            return await gate.change(request, context, of: device) { _ in
                try await answer(request, context, evenWithoutReader: true) {
                    Response.json(try await reader.remove($0))
                }
            }
        }
        router.get("/api/export") { request, context in
            try await answer(request, context) { query in
                let rights = request.rights(of: access, query)?.rights
                let export = try HistoryExport(query, of: reader.history, turns, by: .reader(rights))
                return Response(export) { request.rights(of: access, query)?.rights == rights }
            }
        }
        router.get("/api/rejections") { request, context in
            try await answer(request, context) { Response.json(try reader.rejections($0)) }
        }
        router.get("/api/rejected") { request, context in
            try await answer(request, context, isOfDevices: true) { query in
                guard request.rights(of: access, query)?.rights.cover(nil) == true else {
                    return .failure(.forbidden, "expected the right to see all devices")
                }
                return Response.json(rejections.json)
            }
        }
    }

    /// Answers requests that have the key, or may see the device in question. The reply to an invalid question has
    /// the reason. A question ends when its reader has gone.
    ///
    /// - Parameters:
    ///   - isOfDevices: whether the answer is about all devices and itself leaves out those that may not be seen.
    ///   - isKept: whether it goes on when its reader has gone.
    private func answer(
        _ request: Request, _ context: some RequestContext, isOfDevices: Bool = false,
        evenWithoutReader isKept: Bool = false,
        _ body: @escaping @Sendable (ParameterList) async throws -> Response
    ) async throws -> Response {
        let query = ParameterList(request.uri.query ?? "")
        guard let shown = request.rights(of: access, path: context.parameters.get("secret"), query) else {
            return .failure(.unauthorized, "expected the key for reading: trackd device link")
        }
        guard isOfDevices || shown.rights.cover(query["device"].map(DeviceID.init(rawValue:))) else {
            return .failure(.forbidden, "expected a device that you may see")
        }
        do {
            let channel = isKept ? nil : (context as? ServerContext)?.channel
            return try await Self.answer(for: channel) { [turns] in
                try await turns.take(of: .reader(shown.rights)) { try await body(query) }
            }
        } catch let error as ReadingQuery.Malformed {
            return .failure(.badRequest, error.description)
        } catch is QueryLimiter.Rejection {
            return .failure(.serviceUnavailable, Self.crowd)
        } catch let error as StoreError where error.code == .tooMuch {
            return .failure(.badRequest, error.message)
        } catch let error as StoreError {
            return .failure(.serviceUnavailable, error.description)
        }
    }

    /// Runs an operation for a reader, and cancels it when the connection has ended.
    private static func answer(
        for channel: (any Channel)?, _ operation: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        guard let channel else { return try await operation() }
        return try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                while channel.isActive { try await Task.sleep(for: .milliseconds(500)) }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let reply = try await group.next() ?? nil else { throw CancellationError() }
            return reply
        }
    }
}

extension Response {
    /// A document that is written while it is read, and while its reader has the right to it.
    fileprivate init(_ export: HistoryExport, while mayGoOn: @escaping @Sendable () -> Bool) {
        self.init(
            status: .ok,
            headers: [
                .contentType: export.mediaType,
                .contentDisposition: "attachment; filename=\"\(export.fileName)\"",
            ],
            body: ResponseBody { writer in
                try await export.run(while: mayGoOn) { try await writer.write(ByteBuffer(bytes: $0)) }
                try await writer.finish(nil)
            })
    }

    /// A reply in JSON, for a temporary failure with the time of the next try.
    ///
    /// It is written in pieces, so that a reader that takes some of it all the time is seen to do so.
    static func json(status: HTTPResponse.Status = .ok, _ bytes: [UInt8]) -> Response {
        var reply = Response(status: status, headers: [.contentType: "application/json"], body: .inPieces(bytes))
        if status == .serviceUnavailable { reply.headers[.retryAfter] = "\(SenderRoutes.retryAfter)" }
        return reply
    }

    /// A reply in JSON.
    static func json(status: HTTPResponse.Status = .ok, _ value: JSONValue) -> Response {
        json(status: status, value.bytes)
    }

    /// `{"error":"…"}`.
    static func failure(_ status: HTTPResponse.Status, _ reason: String) -> Response {
        json(status: status, .object([.init("error", .string(reason))]))
    }
}

extension ResponseBody {
    /// The bytes of one write.
    private static let pieceLength = 16_384

    /// Returns a body that is written in pieces. A slow reader has a copy of only one piece.
    static func inPieces(_ bytes: [UInt8]) -> ResponseBody {
        ResponseBody(contentLength: bytes.count) { writer in
            for start in stride(from: 0, to: bytes.count, by: pieceLength) {
                try await writer.write(ByteBuffer(bytes: bytes[start...].prefix(pieceLength)))
            }
            try await writer.finish(nil)
        }
    }
}

extension RejectionList {
    /// `{"total":1,"newest":[{"time","sender","format","reason"}]}`.
    var json: JSONValue {
        let (entries, total) = current
        let newest = entries.map { entry in
            JSONValue.object([
                .init("time", .string(entry.time.rfc3339(.seconds))), .init("sender", .string(entry.sender.rawValue)),
                .init("format", .string(entry.format)), .init("reason", .string(entry.reason)),
            ])
        }
        return .object([.init("total", .number(Double(total))), .init("newest", .array(newest))])
    }
}
