import Hummingbird
import SenderFormats
import TrackEngine

/// What a request may see and change, by what it shows.
struct ShownRights: Sendable {
    let rights: AccessRights
    /// Whether a browser showed it by itself, in a cookie.
    let isCookie: Bool
}

extension Request {
    /// What the request may see and change; `nil` for one that shows neither a key nor a session.
    ///
    /// A key stands where a sender shows its token. A session stands in a cookie, and its page adds `?proof=`: a browser shows the
    /// cookie to programs on other ports of the host, too, and they do not have the rest.
    func rights(of access: AccessFile, path: String? = nil, _ query: FormParameters) -> ShownRights? {
        let key = secret(path: path, query).flatMap { access.readers.rights(ofKey: $0) }
        if let key, key.mayEdit { return ShownRights(rights: key, isCookie: false) }
        let session = query["proof"].flatMap { proof in
            cookies[cookieName].flatMap { access.rights(ofSession: $0.value, proof: proof) }
        }
        if let session, session.mayEdit || key == nil { return ShownRights(rights: session, isCookie: true) }
        return key.map { ShownRights(rights: $0, isCookie: false) }
    }

    /// Whether a browser has a session, which is enough for the page itself: it says nothing about anybody.
    func hasSession(of access: AccessFile) -> Bool {
        cookies[cookieName].flatMap { access.rights(ofSession: $0.value, proof: nil) } != nil
    }

    /// Whether the request may see something of a device, or of none.
    func mayRead(_ device: DeviceID?, of access: AccessFile, path: String? = nil, _ query: FormParameters) -> Bool {
        rights(of: access, path: path, query)?.rights.cover(device) ?? false
    }

    /// The name of the cookie that holds the session. Cookies know no ports, so each server of a host has a name of its own.
    var cookieName: String {
        let port = (head.authority ?? "").split(separator: ":").last.flatMap { UInt16($0) }
        return "track-engine-\(port.map(String.init) ?? "page")"
    }

    /// Whether the request shows a secret, right or wrong; a cookie that has ended is shown by every page that stays open.
    func showsSecret(_ query: FormParameters) -> Bool { secret(path: nil, query) != nil || query["once"] != nil }
}
