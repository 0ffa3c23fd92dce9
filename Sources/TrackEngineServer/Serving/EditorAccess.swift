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
    /// - Parameters:
    ///   - device: the device that the change is of, where it is not the agent's own.
    ///   - body: reads the request's body; `nil` for a change without one.
    func change(
        _ request: Request, _ context: some RequestContext, of device: DeviceID? = nil, reading body: ChangeBody? = nil,
        _ work: ([UInt8]) async throws -> Response
    ) async -> Response {
        let query = ParameterList(request.uri.query ?? "")
        let device = device ?? self.device
        if let refusal = refusal(of: request, context, query, device) { return refusal }
        do {
            let bytes = try await body?.collect(request) ?? []
            // The right may have ended while the body came.
            if body != nil, let refusal = refusal(of: request, context, query, device) { return refusal }
            let viewer = request.rights(of: access, query)?.rights.viewer
            let reply = try await work(bytes)
            if reply.status == .ok {
                audit(request, by: viewer, at: pages.proxies.client(of: request, context), query, device)
            }
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

    /// Writes an audit entry with the author and the subject of a change, without its contents. Each part has a bound,
    /// so the line has room for all.
    private func audit(
        _ request: Request, by viewer: String?, at client: String, _ query: ParameterList, _ device: DeviceID?
    ) {
        let subject = device?.rawValue.prefix(64) ?? "no device"
        let ends = [query["from"], query["to"]].compactMap { $0?.prefix(40) }
        let span = request.method == .delete && ends.count == 2 ? " from \(ends[0]) to \(ends[1])" : ""
        access.audit.note(
            "\(request.method.rawValue) \(request.uri.path.prefix(80)) of \(subject)\(span)",
            by: viewer.map { "\($0) (\(client))" } ?? client,
            share: AuditLimiter.Owner(viewer: viewer, kind: request.method == .delete ? .deletions : .changes))
    }
}
