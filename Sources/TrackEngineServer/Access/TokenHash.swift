import CServer
import TrackEngine

/// The stored form of a token: its SHA-256 (FIPS 180-4). The tokens are random, so no salt and no slow hash is
/// needed.
struct TokenHash: Sendable, Hashable {
    let bytes: [UInt8]

    /// The hash of a token.
    init(of token: String) {
        let text = Array(token.utf8)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(text, text.count, &digest)
        bytes = digest
    }

    /// A hash of 32 bytes.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads 64 hexadecimal digits.
    init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// 64 hexadecimal digits.
    var hexadecimal: String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Whether the hashes are the same, in a time that does not depend on where they differ.
    func isSame(as other: TokenHash) -> Bool {
        CRYPTO_memcmp(bytes, other.bytes, bytes.count) == 0
    }
}
