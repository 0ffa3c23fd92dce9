import HTTPTypes
import Hummingbird
import NIOCore
import TrackEngine
import TrackEngineSettings

/// The routes by which the page shows and changes named places and corrections.
///
/// Reading needs the key for reading; a change needs the key for editing, and from a browser the server's own page.
struct EditorRoutes: Sendable {
    let gate: EditorAccess
    /// The keeper of places; `nil` where there is none.
    let keeping: (any PlaceEditor)?
    /// The device that the places and corrections are of.
    let device: DeviceID?
    let admission: RequestLimiter
    let feed: LivePublisher

    /// The largest body of a change, in bytes.
    static let largestBody = 1 << 20

    /// The subject of a change.
    private enum Subject: String {
        case places, corrections
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/api/places") { request, context in
            await read(.places, request, context) { try await $0.places() }
        }
        router.get("/api/corrections") { request, context in
            await read(.corrections, request, context) { try await $0.corrections() }
        }
        router.post("/api/places") { request, context in
            await change(.places, request, context) { try await $0.keepPlaces($1) }
        }
        router.delete("/api/places") { request, context in
            await change(.places, request, context) { keeping, _ in
                // None would be all of them.
                guard let id = ParameterList(request.uri.query ?? "")["id"], !id.isEmpty else {
                    throw PlaceRejection("id: expected the id of a place")
                }
                try await keeping.removePlaces([id])
            }
        }
        router.post("/api/corrections") { request, context in
            await change(.corrections, request, context) { try await $0.correct($1) }
        }
    }

    /// `{"device","mayEdit","mayDelete","places":{…}|null}`, or for corrections `"corrections":[…]` in place of the
    /// last.
    private func read(
        _ subject: Subject, _ request: Request, _ context: some RequestContext,
        _ question: (any PlaceEditor) async throws -> [UInt8]
    ) async -> Response {
        let query = ParameterList(request.uri.query ?? "")
        guard request.mayRead(device, of: gate.access, query) else {
            return .failure(.unauthorized, "expected the key for reading")
        }
        do {
            let known: [UInt8]? = if let keeping { try await question(keeping) } else { nil }
            var writer = JSONWriter()
            writer.raw(#"{"device":"#)
            if let device { writer.string(device.rawValue) } else { writer.raw("null") }
            writer.member(#","mayEdit":"#, keeping != nil && gate.isOpen(to: request, query, device))
            writer.member(#","mayDelete":"#, gate.isOpen(to: request, query, device))
            switch subject {
            case .places:
                writer.raw(#","places":"#)
                if let known { writer.raw(known) } else { writer.raw("null") }
            case .corrections:
                writer.raw(#","corrections":"#)
                let list = known.flatMap { JSONValue(ifReadable: $0) }?["corrections"] ?? JSONValue.array([])
                list.write(to: &writer)
            }
            writer.raw("}")
            return .json(writer.bytes)
        } catch {
            return .failure(.serviceUnavailable, "\(error)")
        }
    }

    /// These routes answer no questions, so HEAD has no meaning.
    private func change(
        _ subject: Subject, _ request: Request, _ context: some RequestContext,
        _ work: (any PlaceEditor, [UInt8]) async throws -> Void
    ) async -> Response {
        let body = request.method == .post ? ChangeBody(admission: admission, limit: Self.largestBody) : nil
        return await gate.change(request, context, reading: body) { bytes in
            guard let keeping else {
                return .failure(.notFound, "expected an agent that manages places")
            }
            try await work(keeping, bytes)
            feed.send(.changed(subject.rawValue))
            return .json(.object([.init("changed", .string(subject.rawValue))]))
        }
    }
}

extension LiveEvent {
    /// `event: changed`: places or corrections are others now.
    static func changed(_ subject: String) -> LiveEvent {
        LiveEvent("changed", json: JSONValue.object([.init("what", .string(subject))]).bytes)
    }
}
