import Hummingbird
import TrackEngineSettings

/// Reads what a change is, in JSON.
struct ChangeBody: Sendable {
    let admission: Admission
    /// The longest body, in bytes.
    let limit: Int

    /// The body. No form of a foreign page can send its type without asking the server first.
    func collect(_ request: Request) async throws -> [UInt8] {
        let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/json" || type == "application/geo+json" else {
            throw PlaceRefusal("Content-Type: expected application/json or application/geo+json")
        }
        return try await ArrivingBody(admission).collect(
            request.body, atMost: limit, within: ReceivingRoutes.patience)
    }
}
