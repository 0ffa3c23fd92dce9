import FoundationEssentials

/// The secret that a request shows, in any of the places that senders use.
///
/// | sender | where |
/// |---|---|
/// | Overland, colota, curl | `Authorization: Bearer TOKEN` |
/// | OwnTracks | `Authorization: Basic`, the token as the password |
/// | Reitti's clients | `X-API-Token: TOKEN` |
/// | GPSLogger, Trace, Compass' links | `?token=`, `?key=`, `?api_key=` |
/// | Miataru, CalmGeo, Traccar's clients | `/t/TOKEN` in front of the path |
enum RequestCredentials {
    /// The longest secret that is accepted, in bytes.
    static let longestSecret = 256

    /// Returns the secret, if there is one: that of the path first, because the path is explicit.
    static func secret(path: String?, authorization: String?, apiToken: String?, query: (String) -> String?) -> String?
    {
        let candidates = [
            path, authorization.flatMap(secret(ofAuthorization:)), apiToken, query("token"), query("key"),
            query("api_key"),
        ]
        return candidates.lazy.compactMap { $0 }.first { (1...longestSecret).contains($0.utf8.count) }
    }

    /// The token of a bearer (RFC 6750), or the password of a user (RFC 7617).
    private static func secret(ofAuthorization field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return String(parts[1])
        case "basic":
            guard let bytes = Data(base64Encoded: String(parts[1])),
                let text = String(validating: bytes, as: UTF8.self),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            return String(text[text.index(after: colon)...])
        case _: return nil
        }
    }
}
