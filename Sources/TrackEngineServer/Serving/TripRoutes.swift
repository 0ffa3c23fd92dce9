import HTTPTypes
import Hummingbird
import TrackEngine
import TrackEngineSettings

/// The routes by which a trip is begun and ended by hand. They need the key for editing.
struct TripRoutes: Sendable {
    let gate: EditorAccess
    let admission: RequestLimiter
    /// Carries a command out and returns JSON; `nil` where the server belongs to no agent.
    let command: (@Sendable (RemoteRequest) async throws -> [UInt8])?

    /// A mode is short.
    private static let longestBody = 4_096

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/api/trip") { request, context in
            let body = ChangeBody(admission: admission, limit: Self.longestBody)
            return await gate.change(request, context, reading: body) { body in
                guard let order = JSONValue(ifReadable: body), order.members != nil,
                    let mode = RemoteRequest.mode(order["mode"])
                else { throw PlaceRejection(RemoteRequest.modeExpectation) }
                return try await answer(.startTrip(mode))
            }
        }
        router.delete("/api/trip") { request, context in
            await gate.change(request, context) { _ in try await answer(.stopTrip) }
        }
    }

    private func answer(_ wanted: RemoteRequest) async throws -> Response {
        guard let command else { return .failure(.notFound, "expected an agent that makes trips") }
        return .json(try await command(wanted))
    }
}
