import HTTPDelivery
package import TrackEngine

/// What a token server has given (RFC 6749 section 5.1).
package struct TokenReply: Sendable, Hashable {
    package let accessToken: Secret
    /// What is to be exchanged next time; `nil` for the same as before.
    package let refreshToken: Secret?
    /// For how long the access token is good, in seconds.
    package let lifetime: Double

    /// A server that does not say how long is taken to mean an hour; a day is the most that is believed.
    private static let lifetimes = (usual: 3_600.0, longest: 86_400.0)

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
        lifetime = told.map { $0 > 0 ? min($0, Self.lifetimes.longest) : 0 } ?? Self.lifetimes.usual
    }

    private static func isToken(_ text: String) -> Bool {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    /// What a refusal says (section 5.2): one of the standard's words; `nil` for anything else.
    package static func error(_ body: [UInt8]) -> String? {
        guard let word = JSONValue(ifReadable: body, maximumDepth: 4)?["error"]?.string, word.utf8.count <= 64,
            word.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isASCIILetter })
        else { return nil }
        return word
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }
}
