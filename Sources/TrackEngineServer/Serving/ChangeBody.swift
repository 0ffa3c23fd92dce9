import Hummingbird
import TrackEngineSettings

/// Reads the body of a change, in JSON.
struct ChangeBody: Sendable {
    let admission: RequestLimiter
    /// The longest body, in bytes.
    let limit: Int

    /// The body has more bytes than it may have.
    struct SizeError: Error, CustomStringConvertible {
        let limit: Int
        var description: String { "expected a body of at most \(limit) bytes" }
    }

    /// The body. No form of a foreign page can send its type without asking the server first.
    func collect(_ request: Request) async throws -> [UInt8] {
        let type = request.headers[.contentType]?.split(separator: ";").first.map { $0.lowercased() }
        guard type == "application/json" || type == "application/geo+json" else {
            throw PlaceRejection("Content-Type: expected application/json or application/geo+json")
        }
        do throws(BodyProblem) {
            return try await ReceivedBody(admission, of: .editor).collect(
                request.body, atMost: limit, within: SenderRoutes.patience)
        } catch {
            guard error == .tooLong else { throw error }
            throw SizeError(limit: limit)
        }
    }
}
