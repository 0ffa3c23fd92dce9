import HTTPDelivery
package import TrackEngine

/// What a token server has given (RFC 6749 section 5.1).
package struct TokenReply: Sendable, Hashable {
    package let accessToken: Secret
    /// What is to be exchanged next time; `nil` for the same as before.
    package let refreshToken: Secret?
    /// For how long the access token is good, in seconds.
    package let lifetime: Double

    /// How long a token may be good. A day is the most that is believed; the least has not every request ask for a token.
    static let lifetimes = 1.0...86_400.0
    /// What a server means that does not say it, or that says none: some write 0 for a token without an end. The receiver tells
    /// when it was less.
    private static let usualLifetime = 3_600.0

    /// Reads the document of a reply; `nil` for one without a usable token of the type that we can send.
    package init?(_ body: [UInt8]) {
        guard let document = JSONValue(ifReadable: body, maximumDepth: 4),
            let token = document["access_token"]?.string, Self.isToken(token),
            document["token_type"]?.string.map({ $0.lowercased() == "bearer" }) ?? true
        else { return nil }
        accessToken = Secret(token)
        refreshToken = document["refresh_token"]?.string.flatMap { Self.isToken($0) ? Secret($0) : nil }
        // Some servers write numbers as texts.
        let told = document["expires_in"]?.number ?? document["expires_in"]?.string.flatMap(Double.init)
        let stated = told.flatMap { $0 > 0 ? $0 : nil } ?? Self.usualLifetime
        lifetime = min(max(stated, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
    }

    /// Whether a text can stand in a request as a token.
    static func isToken(_ text: String) -> Bool {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// What a refusal says: one of the standards' words; `nil` for anything else, which might be a secret that is repeated.
    package static func error(_ body: [UInt8]) -> String? {
        JSONValue(ifReadable: body, maximumDepth: 4)?["error"]?.string.flatMap { words.contains($0) ? $0 : nil }
    }

    /// RFC 6749 sections 4.1.2.1 and 5.2, RFC 8707 section 2, and OpenID Connect's that token servers use.
    private static let words: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "server_error", "temporarily_unavailable", "invalid_target",
        "interaction_required", "login_required", "consent_required",
    ]
}
