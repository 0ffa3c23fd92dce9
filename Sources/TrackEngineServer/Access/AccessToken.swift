public import TrackEngine

/// A secret that a device or a reader shows: 256 random bits in 43 characters of base64url (RFC 4648 section 5).
public struct AccessToken: Sendable, Hashable {
    /// The token itself, which goes into links and the settings of apps.
    public let secret: Secret

    /// A new token.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// A new token from a source of chance.
    package init(using generator: inout some RandomNumberGenerator) {
        var text = ""
        for _ in 0..<43 {
            text.unicodeScalars.append(Self.alphabet[Int.random(in: 0..<64, using: &generator)])
        }
        secret = Secret(text)
    }

    /// Whether a text could be one.
    static func isToken(_ text: String) -> Bool {
        text.unicodeScalars.count == 43 && text.unicodeScalars.allSatisfy(alphabet.contains)
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
}
