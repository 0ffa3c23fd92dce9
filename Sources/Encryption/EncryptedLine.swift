package import TrackEngine
import TrackEngineSettings

/// The lines of a text file, each encrypted by itself: a line can be added without reading the others.
///
/// A line is sealed text in base64. A person with access to the file can remove or repeat lines, but neither make nor
/// change one.
package struct EncryptedLine: Sendable {
    private let seal: ContentCipher
    private let context: [UInt8]

    /// The lines of a file of a name, to which they are bound.
    package init(key: StoreKey, of name: String) throws(PrivateFileError) {
        do throws(EncryptionError) { seal = try ContentCipher(key: key.bytes) } catch { throw Self.failure(error) }
        context = Array("track-engine line \(name)".utf8)
    }

    /// Returns the line for a text.
    package func sealed(_ text: String) throws(PrivateFileError) -> String {
        do throws(EncryptionError) { return Base64.encoded(try seal.seal(Array(text.utf8), boundTo: context)) } catch {
            throw Self.failure(error)
        }
    }

    /// The text of a line; `nil` for one of another key or file, and for a changed one.
    package func opened(_ line: String) -> String? {
        // The reason why a line does not open is unknown.
        guard let bytes = Base64.decoded(line), let text = try? seal.open(bytes, boundTo: context) else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    private static func failure(_ error: EncryptionError) -> PrivateFileError {
        PrivateFileError("a line cannot be encrypted: \(error)")
    }
}
