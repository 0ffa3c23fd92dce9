internal import CSodium

/// Authenticated encryption with bound context by XChaCha20 and Poly1305, as libsodium's
/// `crypto_aead_xchacha20poly1305_ietf_encrypt` does it (draft-irtf-cfrg-xchacha).
///
/// A sealed payload is a nonce of 24 bytes, as many bytes as the payload has, and an authenticator of 16. It opens only with the
/// context that it was sealed with, which is not in it: a payload that is put in another's place does not open.
package struct PayloadSeal: Sendable {
    /// The length of a key, in bytes.
    package static let keyLength = 32
    /// How much longer than its payload a sealed one is, in bytes.
    package static let overhead = nonceLength + authenticatorLength

    /// The length of a nonce, in bytes.
    package static let nonceLength = 24
    private static let authenticatorLength = 16

    private let key: [UInt8]

    /// A seal with a key of ``keyLength`` bytes.
    package init(key: [UInt8]) throws(SealingError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength) }
        try Sodium.require()
        self.key = key
    }

    /// A key of chance.
    package static func makeKey() throws(SealingError) -> [UInt8] { try Sodium.randomBytes(keyLength) }

    /// The payload, bound to a context, under a nonce of chance. At 24 bytes no nonce comes twice.
    package func seal(_ payload: [UInt8], boundTo context: [UInt8]) throws(SealingError) -> [UInt8] {
        seal(payload, boundTo: context, nonce: try Sodium.randomBytes(Self.nonceLength))
    }

    /// The payload under a nonce that a test vector gives. A nonce must never be used twice with the same key.
    package func seal(_ payload: [UInt8], boundTo context: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(nonce.count == Self.nonceLength, "a nonce has 24 bytes")
        var sealed = [UInt8](repeating: 0, count: payload.count + Self.authenticatorLength)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, payload, UInt64(payload.count), context, UInt64(context.count), nil, nonce, key)
        return nonce + sealed
    }

    /// The payload of sealed bytes.
    ///
    /// - Throws: ``SealingError/notAuthentic``, also for another context and for bytes that are too short to be sealed ones.
    package func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(SealingError) -> [UInt8] {
        guard sealed.count >= Self.overhead else { throw .notAuthentic }
        let nonce = Array(sealed[..<Self.nonceLength])
        let box = Array(sealed[Self.nonceLength...])
        var payload = [UInt8](repeating: 0, count: box.count - Self.authenticatorLength)
        guard
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                &payload, nil, nil, box, UInt64(box.count), context, UInt64(context.count), nonce, key) == 0
        else { throw .notAuthentic }
        return payload
    }

    // MARK: - In place

    /// Fills memory with bytes of chance, for the nonces of many payloads: each request to the system takes as long as sealing
    /// a small payload.
    package static func fillWithNonces(_ memory: UnsafeMutableRawBufferPointer) throws(SealingError) {
        try Sodium.require()
        guard let start = memory.baseAddress else { return }
        randombytes_buf(start, memory.count)
    }

    /// Seals a payload where it lies, between its nonce and the room for its authenticator.
    ///
    /// - Parameters:
    ///   - memory: ``nonceLength`` bytes of a nonce of chance, the payload, and 16 bytes that are overwritten.
    ///   - context: what the payload is bound to.
    package func sealInPlace(_ memory: UnsafeMutableRawBufferPointer, boundTo context: UnsafeRawBufferPointer) {
        precondition(memory.count >= Self.overhead, "no room for a nonce and an authenticator")
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        guard let nonce = bytes.baseAddress else { return }
        let payload = nonce + Self.nonceLength
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            payload, nil, payload, UInt64(memory.count - Self.overhead),
            context.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(context.count), nil, nonce, key)
    }

    /// Opens a payload where it lies; returns whether it was sealed with this key and context. If not, nothing in the memory means
    /// anything.
    ///
    /// - Parameters:
    ///   - memory: a nonce, a sealed payload and its authenticator, which ``sealInPlace(_:boundTo:)`` wrote. The payload lies in the
    ///     same place, from ``nonceLength`` on.
    ///   - context: what the payload was bound to.
    package func openInPlace(_ memory: UnsafeMutableRawBufferPointer, boundTo context: UnsafeRawBufferPointer) -> Bool {
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        guard memory.count >= Self.overhead, let nonce = bytes.baseAddress else { return false }
        let payload = nonce + Self.nonceLength
        return crypto_aead_xchacha20poly1305_ietf_decrypt(
            payload, nil, nil, payload, UInt64(memory.count - Self.nonceLength),
            context.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(context.count), nonce, key) == 0
    }
}
