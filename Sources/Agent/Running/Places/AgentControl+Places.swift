import TrackEngine
import TrackEngineSettings

/// Places and corrections, for commands.
extension AgentControl {
    /// Answers a request that is about places or corrections.
    func placeAnswer(_ request: ControlRequest) async throws -> JSONValue {
        do {
            switch request {
            case .places: return .string(String(decoding: try await agent.keeper.places(), as: UTF8.self))
            case .addPlace(let place):
                return .members(("wasThere", .boolean(try await agent.keeper.add(place))))
            case .removePlaces(let ids): try await agent.keeper.removePlaces(ids)
            case .corrections: return .string(String(decoding: try await agent.keeper.corrections(), as: UTF8.self))
            case .correct(let order):
                var writer = JSONWriter()
                order.write(to: &writer)
                try await agent.keeper.correct(writer.bytes)
            case _: throw ControlError(.malformed, "expected a request about places")
            }
            return .object([])
        } catch let refusal as PlaceRefusal {
            throw ControlError(.failed, refusal.description)
        }
    }
}
