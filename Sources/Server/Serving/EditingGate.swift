import HTTPTypes
import Hummingbird
import SenderFormats
import TrackEngine
import TrackEngineSettings

/// Who may change what the server keeps: whoever shows the key for editing or a session with that right, and from a browser only the server's own page.
struct EditingGate: Sendable {
    let access: AccessFile
    let pages: OwnPages

    /// The device that places, corrections and trips are of.
    let device: DeviceID?

    /// Whether a request may change something of a device, or of none.
    func isOpen(to request: Request, _ query: FormParameters, _ device: DeviceID?) -> Bool {
        guard let shown = request.rights(of: access, query) else { return false }
        return shown.rights.mayEdit && shown.rights.cover(device)
    }

    /// The reply to a request that may change nothing of a device; `nil` where it may.
    private func refusal(
        of request: Request, _ context: some RequestContext, _ query: FormParameters, _ device: DeviceID?
    ) -> Response? {
        guard let shown = request.rights(of: access, query) else {
            return .failure(.unauthorized, "expected the key for editing")
        }
        guard shown.rights.mayEdit, shown.rights.cover(device) else {
            return .failure(.forbidden, "expected the right to edit: trackd device link --edit")
        }
        // A cookie goes along by itself, so its request has to say where it comes from.
        guard shown.isCookie ? pages.isOwn(request, context) : !pages.isForeign(request, context) else {
            return .failure(.forbidden, "expected a request of the server's own page")
        }
        return nil
    }

    /// Does what a request asks for if it may, and says why where that fails.
    ///
    /// - Parameter device: the device that the change is of, where it is not the agent's own.
    func change(
        _ request: Request, _ context: some RequestContext, of device: DeviceID? = nil,
        _ work: (FormParameters) async throws -> Response
    ) async -> Response {
        let query = FormParameters(request.uri.query ?? "")
        let device = device ?? self.device
        if let refusal = refusal(of: request, context, query, device) { return refusal }
        do {
            let reply = try await work(query)
            if reply.status == .ok { audit(request, context, query, device) }
            return reply
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

    /// Tells who changed what, without what it says.
    private func audit(
        _ request: Request, _ context: some RequestContext, _ query: FormParameters, _ device: DeviceID?
    ) {
        let client = pages.proxies.client(of: request, context)
        let viewer = request.rights(of: access, query)?.rights.viewer.map { "\($0) (\(client))" }
        let span = query["from"].flatMap { from in query["to"].map { " from \(from) to \($0)" } } ?? ""
        access.audit.note(
            "\(request.method.rawValue) \(request.uri.path) of \(device?.rawValue ?? "no device")\(span)",
            by: viewer ?? client)
    }
}
