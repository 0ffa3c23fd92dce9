package import TrackEngine

/// Reads secrets from their locations.
///
/// A file is refused if users other than its owner can read it, if its owner is neither the agent's user nor root, if
/// it is a symbolic link, and if it is empty or over 64 KiB. systemd protects its credentials itself: for them only
/// the kind and the size count. One line break at the end is not part of a secret.
package struct SecretReader: Sendable {
    package static let maximumBytes = 65_536

    private let environment: [String: String]

    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// Reads a secret. Reads files: not for the cooperative pool while the agent runs.
    package func read(_ reference: SecretReference) throws(SecretFailure) -> Secret {
        switch reference {
        case .literal(let secret): return secret
        case .environment(let name):
            guard let text = environment[name] else {
                throw SecretFailure(expectation: "the environment variable \(name) to be set")
            }
            return try secret(text, "the environment variable \(name)")
        case .file(let path): return try secret(privateText(path), path)
        case .credential(let name):
            let path = try path(ofCredential: name)
            return try secret(text(file(path), path), path)
        }
    }

    /// The file of a systemd credential.
    func path(ofCredential name: String) throws(SecretFailure) -> String {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else {
            throw SecretFailure(expectation: "systemd to pass the credential (LoadCredential=\(name):PATH in the unit)")
        }
        return "\(directory)/\(name)"
    }

    private func privateText(_ path: String) throws(SecretFailure) -> String {
        let file = try file(path)
        let status = file.status
        guard status.isPrivate else {
            throw SecretFailure(
                expectation: "\(path) to be readable by its owner alone (chmod 600), mode is \(status.permissions)")
        }
        guard status.isOwn || status.owner == 0 else {
            throw SecretFailure(expectation: "\(path) to belong to this user or to root, not to user \(status.owner)")
        }
        return try text(file, path)
    }

    private func file(_ path: String) throws(SecretFailure) -> FileContent {
        do throws(FileContent.Failure) {
            return try FileContent.read(path, limit: Self.maximumBytes)
        } catch {
            throw SecretFailure(expectation: "\(path) to be \(error.expectation)")
        }
    }

    private func text(_ file: FileContent, _ path: String) throws(SecretFailure) -> String {
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw SecretFailure(expectation: "\(path) to hold UTF-8 text")
        }
        return text
    }

    private func secret(_ text: String, _ place: String) throws(SecretFailure) -> Secret {
        var bytes = text.utf8[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw SecretFailure(expectation: "\(place) not to be empty") }
        let content = String(Substring(bytes))
        guard !content.hasControlCharacter else {
            throw SecretFailure(expectation: "\(place) to hold one line of text")
        }
        return Secret(content)
    }
}

extension FileStatus {
    /// The permission bits as `chmod` writes them.
    fileprivate var permissions: String { "0" + String(mode, radix: 8) }
}
