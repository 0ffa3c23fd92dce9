internal import CSodium

/// Keys for several purposes from one, as libsodium's `crypto_kdf_derive_from_key` makes them (BLAKE2b). Whoever learns a derived
/// key learns nothing of the others, nor of the one that it was derived from.
package enum DerivedKey {
    /// The length of the key that others are derived from, in bytes.
    package static let keyLength = 32

    /// A key of 32 bytes for one purpose.
    ///
    /// - Parameters:
    ///   - key: ``keyLength`` bytes.
    ///   - number: which of the purposes it is for.
    ///   - purposes: eight ASCII characters that name who uses the keys.
    package static func derive(
        from key: [UInt8], number: UInt64, purposes: StaticString
    ) throws(SealingError) -> [UInt8] {
        guard key.count == keyLength else { throw .keyLength(expected: keyLength) }
        precondition(purposes.utf8CodeUnitCount == 8, "the name of the purposes has eight bytes")
        try Sodium.require()
        let context = purposes.withUTF8Buffer { $0.map { CChar(bitPattern: $0) } }
        var derived = [UInt8](repeating: 0, count: keyLength)
        crypto_kdf_derive_from_key(&derived, derived.count, number, context, key)
        return derived
    }

    /// Whether two values are the same, in a time that does not tell where they differ.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
