import TrackEngine
import TrackEngineSettings

/// Requests about places and corrections.
extension AgentControl {
    /// Answers a request about places or corrections.
    func placeAnswer(_ request: ControlRequest, _ part: ControlServer.Parts) async throws -> JSONValue {
        do {
            switch request {
            case .places: try await tell(agent.keeper.places(), part)
            case .addPlace(let place):
                return .members(("wasThere", .boolean(try await agent.keeper.add(place))))
            case .removePlaces(let ids): try await agent.keeper.removePlaces(ids)
            case .corrections: try await tell(agent.keeper.corrections(), part)
            case .correct(let order):
                try await agent.keeper.correct(order.bytes)
            case _: throw ControlError(.malformed, "expected a request about places")
            }
            return .object([])
        } catch let refusal as PlaceRejection {
            throw ControlError(.failed, refusal.description)
        }
    }

    /// The longest part, in bytes. It fits a line even when it is escaped.
    private static let partLength = 256 << 10

    /// Sends a text in parts that fit a line; each part ends at the end of a line of the text.
    private func tell(_ text: [UInt8], _ part: ControlServer.Parts) async throws {
        var rest = text[...]
        while !rest.isEmpty {
            let window = rest.prefix(Self.partLength)
            let cut = window.lastIndex(of: UInt8(ascii: "\n")) ?? rest.index(before: rest.endIndex)
            try await part(.string(String(decoding: rest[...cut], as: UTF8.self)))
            rest = rest[(cut + 1)...]
        }
    }
}
