import Glibc

/// The content of a small file, with the owner and mode that the same descriptor reported.
struct FileContent: Sendable {
    let bytes: [UInt8]
    let owner: uid_t
    let mode: mode_t

    /// Whether only its owner (and the superuser) can read it.
    var isPrivate: Bool { mode & 0o077 == 0 }

    /// The reason why a file could not be read.
    enum Failure: Error, Hashable {
        /// The file does not exist.
        case missing
        /// It is not a regular file, or a symbolic link that is not followed.
        case notRegular
        /// It has more bytes than the limit.
        case tooLarge(limit: Int)
        /// The system returned this error number.
        case system(Int32)

        /// The expectation for a message.
        var expectation: String {
            switch self {
            case .missing: "a file that exists"
            case .notRegular: "a regular file"
            case .tooLarge(let limit): "at most \(limit) bytes"
            case .system(let code): "a readable file (\(String(cString: strerror(code))))"
            }
        }
    }

    /// Options for opening a file.
    struct Access: OptionSet {
        let rawValue: Int
        /// Follows a symbolic link.
        static let followsLinks = Access(rawValue: 1)
        /// Accepts pipes, too, as in `--config <(generate)`.
        static let takesPipes = Access(rawValue: 2)
    }

    /// Reads a whole file of at most `limit` bytes.
    static func read(_ path: String, limit: Int, _ access: Access = []) throws(Failure) -> FileContent {
        let link = access.contains(.followsLinks) ? 0 : O_NOFOLLOW
        // Without O_NONBLOCK, a pipe without a writer would block this call for ever.
        let wait = access.contains(.takesPipes) ? 0 : O_NONBLOCK
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | link | wait)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || (access.contains(.takesPipes) && kind == S_IFIFO) else { throw .notRegular }
        let bytes = try bytes(of: descriptor, limit: limit)
        return FileContent(bytes: bytes, owner: status.st_uid, mode: status.st_mode)
    }

    private static func failure(_ code: Int32) -> Failure {
        switch code {
        case ENOENT, ENOTDIR: .missing
        case ELOOP: .notRegular
        default: .system(code)
        }
    }

    private static func bytes(of descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let size = chunk.count
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, size) }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(errno)
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }
}

/// `read(2)`, which ``FileContent/read(_:limit:_:)`` would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
