internal import CSodium

/// Derives keys for several purposes from one key, with libsodium's `crypto_kdf_derive_from_key` (BLAKE2b). A derived
/// key reveals no information about the others, nor about the key from which it was derived.
package enum DerivedKey {
    /// The length of the original key, in bytes.
    package static let keyLength = 32

    /// Derives a key of 32 bytes for one purpose.
    ///
    /// - Parameters:
    ///   - key: ``keyLength`` bytes.
    ///   - number: the number of the purpose.
    ///   - purposes: eight ASCII characters that name the user of the keys.
    package static func derive(
        from key: [UInt8], number: UInt64, purposes: StaticString
    ) throws(EncryptionError) -> [UInt8] {
        guard key.count == keyLength else { throw .keyLength(expected: keyLength) }
        precondition(purposes.utf8CodeUnitCount == 8, "the name of the purposes has eight bytes")
        try Sodium.require()
        let context = purposes.withUTF8Buffer { $0.map { CChar(bitPattern: $0) } }
        var derived = [UInt8](repeating: 0, count: keyLength)
        crypto_kdf_derive_from_key(&derived, derived.count, number, context, key)
        return derived
    }

    /// Whether two values are equal, in a time that does not depend on where they differ.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
