import HTTPTypes
import Hummingbird
package import TrackEngine
import TrackEngineSettings

/// A request of the page's server to its agent about trips.
package enum TripCommand: Sendable, Hashable {
    case start(TripMode)
    case stop
}

/// The routes by which a trip is begun and ended by hand. They need the key for editing.
struct TripRoutes: Sendable {
    let gate: EditorAccess
    let admission: RequestLimiter
    /// Carries a command out and returns JSON; `nil` where the server belongs to no agent.
    let command: (@Sendable (TripCommand) async throws -> [UInt8])?

    /// A mode is short.
    private static let longestBody = 4_096

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("/api/trip") { request, context in
            await gate.change(request, context) { _ in
                let body = try await ChangeBody(admission: admission, limit: Self.longestBody).collect(request)
                guard let order = JSONValue(ifReadable: body), order.members != nil,
                    let mode = RemoteParameter.mode(order["mode"])
                else { throw PlaceRejection(RemoteParameter.modeExpectation) }
                return try await answer(.start(mode))
            }
        }
        router.delete("/api/trip") { request, context in
            await gate.change(request, context) { _ in try await answer(.stop) }
        }
    }

    private func answer(_ wanted: TripCommand) async throws -> Response {
        guard let command else { return .failure(.notFound, "expected an agent that makes trips") }
        return .json(try await command(wanted))
    }
}
