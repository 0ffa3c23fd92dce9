internal import CSodium

/// Hashes that can only be computed with the key, by libsodium's `crypto_generichash` (BLAKE2b, RFC 7693). Equal
/// values have equal hashes, but without the key it is impossible to find a value by trial.
package struct KeyHash: Sendable {
    /// The length of a key, in bytes.
    package static let keyLength = 32
    /// The length of a hash, in bytes.
    package static let length = 16

    private let key: [UInt8]

    /// Creates a hash function with a key of ``keyLength`` bytes.
    package init(key: [UInt8]) throws(EncryptionError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength) }
        try Sodium.require()
        self.key = key
    }

    package func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Self.length)
        let bytes = Array(bytes)
        hash.withUnsafeMutableBytes { hash in bytes.withUnsafeBytes { self.hash($0, into: hash) } }
        return hash
    }

    /// Writes the hash of some bytes to a buffer of ``length`` bytes.
    package func hash(_ bytes: UnsafeRawBufferPointer, into hash: UnsafeMutableRawBufferPointer) {
        precondition(hash.count == Self.length, "a hash has 16 bytes")
        guard let start = hash.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        crypto_generichash(
            start, hash.count,
            bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(bytes.count), key, key.count)
    }
}
