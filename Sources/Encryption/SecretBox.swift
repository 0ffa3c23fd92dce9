internal import CSodium

/// Secret-key authenticated encryption by XSalsa20 and Poly1305, like libsodium's `crypto_secretbox_easy` and NaCl.
/// The OwnTracks apps use it; ``ContentCipher`` is for data that no other program reads.
///
/// An encrypted message is a nonce of 24 bytes, an authenticator of 16 and as many bytes as the message has.
package struct SecretBox: Sendable {
    /// The length of a key, in bytes.
    package static let keyLength = 32
    /// The difference in length between an encrypted message and its plain form, in bytes.
    package static let overhead = nonceLength + authenticatorLength

    private static let nonceLength = 24
    private static let authenticatorLength = 16

    private let key: [UInt8]

    /// Creates a box with a key of ``keyLength`` bytes.
    package init(key: [UInt8]) throws(EncryptionError) {
        guard key.count == Self.keyLength else { throw .keyLength(expected: Self.keyLength) }
        try Sodium.require()
        self.key = key
    }

    /// Encrypts a message with a random nonce. Nonces of 24 bytes do not repeat in practice.
    package func seal(_ message: [UInt8]) throws(EncryptionError) -> [UInt8] {
        seal(message, nonce: try Sodium.randomBytes(Self.nonceLength))
    }

    /// Encrypts a message with a nonce from a test vector. A nonce must never be used twice with the same key.
    package func seal(_ message: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(nonce.count == Self.nonceLength, "a nonce has 24 bytes")
        var box = [UInt8](repeating: 0, count: message.count + Self.authenticatorLength)
        crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, key)
        return nonce + box
    }

    /// Decrypts a message.
    ///
    /// - Throws: ``EncryptionError/notAuthentic``, also for too few bytes.
    package func open(_ sealed: [UInt8]) throws(EncryptionError) -> [UInt8] {
        guard sealed.count >= Self.overhead else { throw .notAuthentic }
        let nonce = Array(sealed[..<Self.nonceLength])
        let box = Array(sealed[Self.nonceLength...])
        var message = [UInt8](repeating: 0, count: box.count - Self.authenticatorLength)
        guard crypto_secretbox_open_easy(&message, box, UInt64(box.count), nonce, key) == 0 else {
            throw .notAuthentic
        }
        return message
    }
}
