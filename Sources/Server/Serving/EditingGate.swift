import HTTPTypes
import Hummingbird
import SenderFormats
import TrackEngineSettings

/// Who may change what the server keeps: whoever shows the key for editing, and from a browser only the server's own page.
struct EditingGate: Sendable {
    let access: AccessFile
    let pages: OwnPages

    /// Where a request shows the key for editing.
    private enum Showing {
        case cookie
        case elsewhere
    }

    /// Whether a request shows the key for editing.
    func isOpen(to request: Request, _ query: FormParameters) -> Bool { key(in: request, query) != nil }

    /// The reply to a request that may change nothing; `nil` where it may.
    private func refusal(of request: Request, _ context: some RequestContext, _ query: FormParameters) -> Response? {
        guard request.hasKey(of: access.readers, path: nil, query) else {
            return .failure(.unauthorized, "expected the key for editing")
        }
        guard let key = key(in: request, query) else {
            return .failure(.forbidden, "expected the key for editing: trackd device link --edit")
        }
        // A cookie goes along by itself, so its request has to say where it comes from.
        guard key == .cookie ? pages.isOwn(request, context) : !pages.isForeign(request, context) else {
            return .failure(.forbidden, "expected a request of the server's own page")
        }
        return nil
    }

    /// Does what a request asks for if it may, and says why where that fails.
    func change(
        _ request: Request, _ context: some RequestContext, _ work: (FormParameters) async throws -> Response
    ) async -> Response {
        let query = FormParameters(request.uri.query ?? "")
        if let refusal = refusal(of: request, context, query) { return refusal }
        do {
            return try await work(query)
        } catch let problem as PlaceRefusal {
            return .failure(.badRequest, problem.description)
        } catch let problem as RemoteRefusal {
            return .failure(.conflict, problem.description)
        } catch let problem as ChangeBody.TooLong {
            return .failure(.contentTooLarge, problem.description)
        } catch let problem as BodyProblem {
            return .failure(HTTPResponse.Status(code: problem.status), problem.reason)
        } catch {
            return .failure(.serviceUnavailable, "\(error)")
        }
    }

    private func key(in request: Request, _ query: FormParameters) -> Showing? {
        let list = access.readers
        if let secret = request.secret(path: nil, query), list.isEditingKey(secret) { return .elsewhere }
        return request.cookies[list.cookieName].flatMap { list.isEditingKey($0.value) ? .cookie : nil }
    }
}
