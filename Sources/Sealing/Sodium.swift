internal import CSodium

/// libsodium, made ready once for the process.
enum Sodium {
    /// What `sodium_init` returned. It chooses the fastest code for the machine and opens the system's random numbers; it fails
    /// only where there are none, and then nothing may be sealed.
    private static let isReady = sodium_init() >= 0

    /// - Throws: ``SealingError/noRandomness``.
    static func require() throws(SealingError) {
        guard isReady else { throw .noRandomness }
    }

    /// Random bytes for keys and nonces.
    static func randomBytes(_ count: Int) throws(SealingError) -> [UInt8] {
        try require()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}

/// Why bytes could not be sealed or opened. It holds nothing of them.
package enum SealingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key has another length.
    case keyLength(expected: Int)
    /// The bytes were sealed under another key, bound to something else, or changed since.
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
