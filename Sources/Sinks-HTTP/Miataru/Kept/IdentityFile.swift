import Encryption
package import TrackEngine
import TrackEngineSettings

/// The file of an identity, readable only by its owner, in the agent's state directory. A source and a sink of the
/// same name share it.
package struct IdentityFile: Sendable {
    private let directory: String
    private let file: EncryptedFile

    /// The largest file, in bytes.
    private static let limit = 16_384

    /// The file of a source or sink.
    ///
    /// - Parameter key: the key that encrypts the file; `nil` where the store is not encrypted.
    package init(of name: String, in stateDirectory: String, key: StoreKey? = nil) {
        directory = stateDirectory + "/miataru"
        file = EncryptedFile("\(directory)/\(name).json", limit: Self.limit, key: key)
    }

    /// The saved identity; `nil` if there is none.
    package func read() throws(PrivateFileError) -> SavedIdentity? {
        guard let (bytes, _) = try file.read() else { return nil }
        guard let kept = SavedIdentity(bytes) else {
            throw PrivateFileError("\(file.path): expected an object with 'id', and 'key' where there is one")
        }
        return kept
    }

    /// The saved identity; it is created if there is none.
    package func readOrMake() throws(PrivateFileError) -> SavedIdentity {
        if let kept = try read() { return kept }
        return try change { _ in }
    }

    /// Moves an unreadable file to `NAME.json.unreadable`, before another identity replaces it.
    func replaceUnreadable() throws(PrivateFileError) {
        do throws(PrivateFileError) { _ = try read() } catch { try file.setAside() }
    }

    /// Changes the saved identity, through to the disk; it is created first if there is none. Other processes wait.
    @discardableResult
    package func change(_ body: (inout SavedIdentity) -> Void) throws(PrivateFileError) -> SavedIdentity {
        try PrivateFile.makeDirectory(directory)
        let lock = try PrivateFile.lock(file.path)
        defer { withExtendedLifetime(lock) {} }
        var generator = SystemRandomNumberGenerator()
        let before = try read()
        var kept = before ?? SavedIdentity.make(using: &generator)
        body(&kept)
        if kept != before { try file.replace(with: kept.json) }
        return kept
    }
}
