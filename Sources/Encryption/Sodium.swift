internal import CSodium

/// The initialisation of libsodium, once for the process.
enum Sodium {
    /// Whether `sodium_init` succeeded. It chooses the fastest code for the machine and opens the system's source of
    /// random numbers. It fails only if there is none; encryption is not allowed then.
    private static let isReady = sodium_init() >= 0

    /// - Throws: ``EncryptionError/noRandomness``.
    static func require() throws(EncryptionError) {
        guard isReady else { throw .noRandomness }
    }

    /// Random bytes for keys and nonces.
    static func randomBytes(_ count: Int) throws(EncryptionError) -> [UInt8] {
        try require()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}

/// The reason why bytes could not be encrypted or decrypted. It contains none of the bytes.
package enum EncryptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key has another length.
    case keyLength(expected: Int)
    /// The bytes were encrypted under another key or bound to another context, or have been changed.
    case notAuthentic
    /// The system has no source of random numbers.
    case noRandomness

    package var description: String {
        switch self {
        case .keyLength(let expected): "expected a key of \(expected) bytes"
        case .notAuthentic: "expected bytes that were sealed under this key and not changed since"
        case .noRandomness: "expected a system with a source of random numbers"
        }
    }
}
