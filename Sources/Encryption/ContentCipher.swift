internal import CSodium

/// Authenticated encryption with bound context by XChaCha20 and Poly1305, with libsodium's
/// `crypto_aead_xchacha20poly1305_ietf_encrypt` (draft-irtf-cfrg-xchacha).
///
/// An encrypted payload is a nonce of 24 bytes, as many bytes as the payload has, and an authenticator of 16 bytes. It
/// can be decrypted only with the context with which it was encrypted. The context is not a part of it, so a payload
/// that was moved to another place cannot be decrypted.
package struct ContentCipher: Sendable {
    /// The length of a key, in bytes.
    package static let keyLength = 32
    /// The difference in length between an encrypted payload and its plain form, in bytes.
    package static let overhead = nonceLength + authenticatorLength

    /// The length of a nonce, in bytes.
    package static let nonceLength = 24
    private static let authenticatorLength = 16

    private let key: [UInt8]

    /// Creates a cipher with a key of ``keyLength`` bytes.
    package init(key: [UInt8]) throws(EncryptionError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength) }
        try Sodium.require()
        self.key = key
    }

    /// Creates a random key.
    package static func makeKey() throws(EncryptionError) -> [UInt8] { try Sodium.randomBytes(keyLength) }

    /// Encrypts a payload, bound to a context, with a random nonce. Nonces of 24 bytes do not repeat in practice.
    package func seal(_ payload: [UInt8], boundTo context: [UInt8]) throws(EncryptionError) -> [UInt8] {
        seal(payload, boundTo: context, nonce: try Sodium.randomBytes(Self.nonceLength))
    }

    /// Encrypts a payload with a nonce from a test vector. A nonce must never be used twice with the same key.
    package func seal(_ payload: [UInt8], boundTo context: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(nonce.count == Self.nonceLength, "a nonce has 24 bytes")
        var sealed = [UInt8](repeating: 0, count: payload.count + Self.authenticatorLength)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, payload, UInt64(payload.count), context, UInt64(context.count), nil, nonce, key)
        return nonce + sealed
    }

    /// Decrypts a payload.
    ///
    /// - Throws: ``EncryptionError/notAuthentic``, also for another context and for too few bytes.
    package func open(_ sealed: [UInt8], boundTo context: [UInt8]) throws(EncryptionError) -> [UInt8] {
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

    /// Fills memory with random bytes, for the nonces of many payloads: each request to the system takes as long as
    /// the encryption of a small payload.
    package static func fillWithNonces(_ memory: UnsafeMutableRawBufferPointer) throws(EncryptionError) {
        try Sodium.require()
        guard let start = memory.baseAddress else { return }
        randombytes_buf(start, memory.count)
    }

    /// Encrypts a payload in place, between its nonce and the room for its authenticator.
    ///
    /// - Parameters:
    ///   - memory: ``nonceLength`` bytes of a random nonce, the payload, and 16 bytes that are overwritten.
    ///   - context: the context to which the payload is bound.
    package func sealInPlace(_ memory: UnsafeMutableRawBufferPointer, boundTo context: UnsafeRawBufferPointer) {
        precondition(memory.count >= Self.overhead, "no room for a nonce and an authenticator")
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        guard let nonce = bytes.baseAddress else { return }
        let payload = nonce + Self.nonceLength
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            payload, nil, payload, UInt64(memory.count - Self.overhead),
            context.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(context.count), nil, nonce, key)
    }

    /// Decrypts a payload in place; returns whether it was encrypted with this key and context. If not, the contents
    /// of the memory are undefined.
    ///
    /// - Parameters:
    ///   - memory: a nonce, an encrypted payload and its authenticator, as written by ``sealInPlace(_:boundTo:)``. The
    ///     plain payload is at the same offset, ``nonceLength``.
    ///   - context: the context to which the payload is bound.
    package func openInPlace(_ memory: UnsafeMutableRawBufferPointer, boundTo context: UnsafeRawBufferPointer) -> Bool {
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        guard memory.count >= Self.overhead, let nonce = bytes.baseAddress else { return false }
        let payload = nonce + Self.nonceLength
        return crypto_aead_xchacha20poly1305_ietf_decrypt(
            payload, nil, nil, payload, UInt64(memory.count - Self.nonceLength),
            context.assumingMemoryBound(to: UInt8.self).baseAddress, UInt64(context.count), nonce, key) == 0
    }
}
