import SealedFiles
package import TrackEngine
package import TrackEngineSettings

/// Where the agent keeps an identity: a file that only its owner can read, in the directory of the agent's state. A source and a
/// sink of one name share it.
package struct IdentityFile: Sendable {
    private let directory: String
    private let file: SealedFile

    /// The largest file.
    private static let limit = 16_384

    /// The file of a source or sink.
    ///
    /// - Parameter key: what it is encrypted under; `nil` where the store is in plain.
    package init(of name: String, in stateDirectory: String, key: StoreKey? = nil) {
        directory = stateDirectory + "/miataru"
        file = SealedFile("\(directory)/\(name).json", limit: Self.limit, key: key)
    }

    /// What is kept; `nil` where nothing is.
    package func read() throws(PrivateFileError) -> KeptIdentity? {
        guard let (bytes, _) = try file.read() else { return nil }
        guard let kept = KeptIdentity(bytes) else {
            throw PrivateFileError("\(file.path): expected an object with 'id', and 'key' where there is one")
        }
        return kept
    }

    /// What is kept, made if need be.
    package func readOrMake() throws(PrivateFileError) -> KeptIdentity {
        if let kept = try read() { return kept }
        return try change { _ in }
    }

    /// Puts a file aside that nobody can read, before another identity takes its place: as `NAME.json.unreadable`.
    func replaceUnreadable() throws(PrivateFileError) {
        do throws(PrivateFileError) { _ = try read() } catch { try file.setAside() }
    }

    /// Changes what is kept, through to the disk; an identity is made first if there is none. Other processes wait.
    @discardableResult
    package func change(_ body: (inout KeptIdentity) -> Void) throws(PrivateFileError) -> KeptIdentity {
        try PrivateFile.makeDirectory(directory)
        let lock = try PrivateFile.lock(file.path)
        defer { withExtendedLifetime(lock) {} }
        var generator = SystemRandomNumberGenerator()
        let before = try read()
        var kept = before ?? KeptIdentity.make(using: &generator)
        body(&kept)
        if kept != before { try file.replace(with: kept.json) }
        return kept
    }
}
