package import Encryption
package import TrackEngine

/// Encrypts and decrypts messages like OwnTracks' apps: `{"_type":"encrypted","data":"…"}` around a whole message.
///
/// `data` is the base64 of a nonce of 24 bytes and a secretbox. The key is the secret's bytes, cut after 32 or
/// padded with zeros. No key derivation makes a short secret harder to guess, so it should have 32 random
/// characters.
package struct OwnTracksSecret: Sendable {
    /// The longest message that is decrypted, in bytes.
    package static let longestMessage = 1 << 20

    private let box: SecretBox

    /// Creates the cipher for a secret.
    ///
    /// - Throws: ``/Encryption/EncryptionError/noRandomness``.
    package init(_ secret: Secret) throws(EncryptionError) {
        let bytes = Array(secret.revealed.utf8.prefix(SecretBox.keyLength))
        box = try SecretBox(key: bytes + [UInt8](repeating: 0, count: SecretBox.keyLength - bytes.count))
    }

    /// Encrypts a message under a random nonce: the same message gives other bytes each time.
    package func sealed(_ message: [UInt8]) -> [UInt8] {
        let sealed: [UInt8]
        do { sealed = try box.seal(message) } catch {
            preconditionFailure("\(error): a box is made only where there is one")
        }
        var writer = JSONWriter(capacity: 32 + sealed.count / 3 * 4 + 4)
        writer.raw(#"{"_type":"encrypted","data":""#)
        writer.raw(Base64.encoded(sealed).utf8)
        writer.raw(#""}"#)
        return writer.bytes
    }

    /// Decrypts a message.
    ///
    /// - Parameter message: a message with the `_type` `encrypted`.
    /// - Throws: the reason why it cannot be read.
    package func open(_ message: JSONValue) throws(Unreadable) -> JSONValue {
        guard let data = message["data"]?.string, data.utf8.count <= Self.longestMessage,
            let sealed = Base64.decoded(data)
        else { throw Unreadable(description: "an encrypted message, expected base64 in its 'data'") }
        let bytes: [UInt8]
        do throws(EncryptionError) { bytes = try box.open(sealed) } catch {
            throw Unreadable(description: "an encrypted message that the secret does not open")
        }
        guard let inner = JSONValue(readingNumberWords: bytes), inner["_type"]?.string != "encrypted" else {
            throw Unreadable(description: "an encrypted message, expected a JSON object in it")
        }
        return inner
    }

    /// The reason why an encrypted message cannot be read, without any of its contents.
    package struct Unreadable: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }

        /// There is no secret.
        package static let noSecret = Unreadable(description: "an encrypted message, for which there is no secret")
    }
}

extension JSONValue {
    /// Whether this is an encrypted message of OwnTracks.
    package var isOwnTracksEncrypted: Bool { self["_type"]?.string == "encrypted" }
}
