import HTTPTypes
import Hummingbird
import TrackEngine
import TrackEngineSettings

/// The right to change the server's data: it needs the key for editing or a session with that right. From a browser,
/// only requests of the server's own page have it.
struct EditorAccess: Sendable {
    let access: AccessFile
    let pages: OwnPages

    /// The device that places, corrections and trips are of.
    let device: DeviceID?

    /// Returns whether a request may change data of a device, or data without one.
    func isOpen(to request: Request, _ query: ParameterList, _ device: DeviceID?) -> Bool {
        guard let shown = request.rights(of: access, query) else { return false }
        return shown.rights.mayEdit && shown.rights.cover(device)
    }

    /// The reply to a request that may not change data of a device; `nil` where it may.
    private func refusal(
        of request: Request, _ context: some RequestContext, _ query: ParameterList, _ device: DeviceID?
    ) -> Response? {
        guard let shown = request.rights(of: access, query) else {
            return .failure(.unauthorized, "expected the key for editing")
        }
        guard shown.rights.mayEdit, shown.rights.cover(device) else {
            return .failure(.forbidden, "expected the right to edit: trackd device link --edit")
        }
        // A browser adds a cookie by itself, so the request has to name its origin.
        guard shown.isCookie ? pages.isOwn(request, context) : !pages.isForeign(request, context) else {
            return .failure(.forbidden, "expected a request of the server's own page")
        }
        return nil
    }

    /// Runs a change if the request has the right to it; replies with the reason where it fails.
    ///
    /// - Parameter device: the device that the change is of, where it is not the agent's own.
    func change(
        _ request: Request, _ context: some RequestContext, of device: DeviceID? = nil,
        _ work: (ParameterList) async throws -> Response
    ) async -> Response {
        let query = ParameterList(request.uri.query ?? "")
        let device = device ?? self.device
        if let refusal = refusal(of: request, context, query, device) { return refusal }
        do {
            let reply = try await work(query)
            if reply.status == .ok { audit(request, context, query, device) }
            return reply
        } catch let problem as PlaceRejection {
            return .failure(.badRequest, problem.description)
        } catch let problem as RemoteRejection {
            return .failure(.conflict, problem.description)
        } catch let problem as ChangeBody.SizeError {
            return .failure(.contentTooLarge, problem.description)
        } catch let problem as BodyProblem {
            return .failure(HTTPResponse.Status(code: problem.status), problem.reason)
        } catch {
            return .failure(.serviceUnavailable, "\(error)")
        }
    }

    /// Writes an audit entry with the author and the subject of a change, without its contents.
    private func audit(
        _ request: Request, _ context: some RequestContext, _ query: ParameterList, _ device: DeviceID?
    ) {
        let client = pages.proxies.client(of: request, context)
        let viewer = request.rights(of: access, query)?.rights.viewer
        let span = query["from"].flatMap { from in query["to"].map { " from \(from) to \($0)" } } ?? ""
        access.audit.note(
            "\(request.method.rawValue) \(request.uri.path) of \(device?.rawValue ?? "no device")\(span)",
            by: viewer.map { "\($0) (\(client))" } ?? client, author: viewer ?? "the key")
    }
}
