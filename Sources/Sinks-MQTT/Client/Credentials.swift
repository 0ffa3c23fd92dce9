import Glibc
import TrackEngine

/// The credentials for a connection, read from the files as they are now.
struct Credentials {
    let password: Secret?

    /// Reads the password, and checks the access rights of the key file.
    init(_ configuration: MQTTSink.Configuration) throws(MQTTFailure) {
        switch configuration.password {
        case nil: password = nil
        case .text(let secret): password = secret
        case .file(let path): password = Secret(try SecretFile.firstLine(of: path))
        case .credential(let path): password = Secret(try SecretFile.firstLine(of: path, isPrivate: false))
        }
        if let key = configuration.tls?.keyFile { try SecretFile.check(key) }
    }
}

/// Files that only their owner may use.
enum SecretFile {
    /// The longest password, in bytes.
    static let maximumLength = 4096

    /// - Throws: if the file does not exist or others may use it.
    static func check(_ path: String) throws(MQTTFailure) {
        _ = try open(path)
    }

    /// Opens the file and checks the descriptor, so the file that is read is the one that was checked, even if the
    /// path changes.
    private static func open(_ path: String, isPrivate: Bool = true) throws(MQTTFailure) -> Descriptor {
        guard let file = Descriptor.open(path, O_RDONLY | O_NONBLOCK) else {
            throw MQTTFailure(.credentialFile, "cannot read \(path)")
        }
        guard let status = file.status, !isPrivate || status.isPrivate else {
            throw MQTTFailure(.credentialFile, "others than its owner may use \(path): expected mode 0600")
        }
        return file
    }

    /// The first line, without its line ending.
    ///
    /// - Parameter isPrivate: whether only the owner may have access. systemd protects its credentials by other
    ///   means, and its access lists appear as rights of the group.
    static func firstLine(of path: String, isPrivate: Bool = true) throws(MQTTFailure) -> String {
        let bytes = try open(path, isPrivate: isPrivate).contents(atMost: maximumLength) ?? []
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard (1...maximumLength).contains(line.count), let text = String(validating: line, as: UTF8.self) else {
            throw MQTTFailure(.credentialFile, "expected a line of 1 to \(maximumLength) bytes of UTF-8 in \(path)")
        }
        return text
    }
}
