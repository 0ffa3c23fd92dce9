import Hummingbird
import TrackEngine

/// The rights of a request, by the key or session that it shows.
struct RequestRights: Sendable {
    let rights: AccessRights
    /// Whether a browser sent it by itself, in a cookie.
    let isCookie: Bool
}

extension Request {
    /// The rights of the request; `nil` for one that shows neither a key nor a session.
    ///
    /// A key is in the same place as a sender's token. A session is in a cookie, and its page adds `?proof=`: a
    /// browser also shows the cookie to programs on other ports of the host, and they do not have the proof.
    func rights(of access: AccessFile, path: String? = nil, _ query: ParameterList) -> RequestRights? {
        let key = secret(path: path, query).flatMap { access.readers.rights(ofKey: $0) }
        if let key, key.mayEdit { return RequestRights(rights: key, isCookie: false) }
        let session = query["proof"].flatMap { proof in
            cookies[cookieName].flatMap { access.rights(ofSession: $0.value, proof: proof) }
        }
        if let session, session.mayEdit || key == nil { return RequestRights(rights: session, isCookie: true) }
        return key.map { RequestRights(rights: $0, isCookie: false) }
    }

    /// True when a browser has a session. This is enough for the page itself, which holds no data.
    func hasSession(of access: AccessFile) -> Bool {
        cookies[cookieName].flatMap { access.rights(ofSession: $0.value, proof: nil) } != nil
    }

    /// Returns whether the request may see data of a device, or data without one.
    func mayRead(_ device: DeviceID?, of access: AccessFile, _ query: ParameterList) -> Bool {
        rights(of: access, query)?.rights.cover(device) ?? false
    }

    /// The name of the cookie that holds the session. Cookies know no ports, so each server of a host has a name of
    /// its own.
    var cookieName: String {
        let port = (head.authority ?? "").split(separator: ":").last.flatMap { UInt16($0) }
        return "track-engine-\(port.map(String.init) ?? "page")"
    }

    /// Whether the request shows a secret, right or wrong; a cookie that has ended is shown by every page that stays
    /// open.
    func showsSecret(_ query: ParameterList) -> Bool { secret(path: nil, query) != nil || query["once"] != nil }
}
