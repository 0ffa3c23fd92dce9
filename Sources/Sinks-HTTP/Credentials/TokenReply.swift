package import TrackEngine

/// The successful reply of a token server (RFC 6749 section 5.1).
package struct TokenReply: Sendable, Hashable {
    package let accessToken: Secret
    /// The refresh token for the next exchange; `nil` if it is unchanged.
    package let refreshToken: Secret?
    /// The lifetime of the access token, in seconds.
    package let lifetime: Double

    /// The range of a token's lifetime, in seconds. The maximum is one day; the minimum prevents a token request for
    /// every request.
    static let lifetimes = 1.0...86_400.0
    /// The assumed lifetime, in seconds, if the server gives none or 0, which some servers send for a token without
    /// an end. The receiver rejects a token that expired earlier.
    private static let usualLifetime = 3_600.0

    /// Reads the document of a reply; `nil` for one without a usable bearer token.
    package init?(_ body: [UInt8]) {
        guard let document = JSONValue(ifReadable: body, maximumDepth: 4),
            let token = document["access_token"]?.string, Self.isToken(token),
            document["token_type"]?.string.map({ $0.lowercased() == "bearer" }) ?? true
        else { return nil }
        accessToken = Secret(token)
        refreshToken = document["refresh_token"]?.string.flatMap { Self.isToken($0) ? Secret($0) : nil }
        // Some servers write numbers as strings.
        let told = document["expires_in"]?.number ?? document["expires_in"]?.string.flatMap(Double.init)
        let stated = told.flatMap { $0 > 0 ? $0 : nil } ?? Self.usualLifetime
        lifetime = min(max(stated, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
    }

    /// Whether a text is valid as a token in a request.
    static func isToken(_ text: String) -> Bool {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// The error code of a rejection, if it is a standard one; `nil` for other texts, which might repeat a secret.
    package static func error(_ body: [UInt8]) -> String? {
        JSONValue(ifReadable: body, maximumDepth: 4)?["error"]?.string.flatMap { words.contains($0) ? $0 : nil }
    }

    /// The codes of RFC 6749 sections 4.1.2.1 and 5.2, RFC 8707 section 2, and those of OpenID Connect that token
    /// servers use.
    private static let words: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "server_error", "temporarily_unavailable", "invalid_target",
        "interaction_required", "login_required", "consent_required",
    ]
}
