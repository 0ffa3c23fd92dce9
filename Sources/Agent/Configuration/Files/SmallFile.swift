#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file as it was read, in one piece and bounded, with what the same descriptor said about it.
struct SmallFile: Sendable {
    let bytes: [UInt8]
    let owner: uid_t
    let mode: mode_t

    /// Whether nobody but its owner (and the superuser) can read it.
    var isPrivate: Bool { mode & 0o077 == 0 }

    /// Why a file could not be read.
    enum Failure: Error, Hashable {
        /// There is no such file.
        case missing
        /// It is no regular file, or a symbolic link where none is followed.
        case notRegular
        /// It has more bytes than that.
        case tooLarge(limit: Int)
        /// The system says so, with its error number.
        case system(Int32)

        /// What a message says about it.
        var expectation: String {
            switch self {
            case .missing: "a file that exists"
            case .notRegular: "a regular file"
            case .tooLarge(let limit): "at most \(limit) bytes"
            case .system(let code): "a readable file (\(String(cString: strerror(code))))"
            }
        }
    }

    /// How a file is opened.
    struct Access: OptionSet {
        let rawValue: Int
        /// Takes what a symbolic link leads to.
        static let followsLinks = Access(rawValue: 1)
        /// Takes pipes too, as in `--config <(generate)`.
        static let takesPipes = Access(rawValue: 2)
    }

    /// Reads a whole file of at most `limit` bytes.
    static func read(_ path: String, limit: Int, _ access: Access = []) throws(Failure) -> SmallFile {
        let link = access.contains(.followsLinks) ? 0 : O_NOFOLLOW
        // Without O_NONBLOCK a pipe that nobody writes to would hold us here for ever.
        let wait = access.contains(.takesPipes) ? 0 : O_NONBLOCK
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | link | wait)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || (access.contains(.takesPipes) && kind == S_IFIFO) else { throw .notRegular }
        let bytes = try bytes(of: descriptor, limit: limit)
        return SmallFile(bytes: bytes, owner: status.st_uid, mode: status.st_mode)
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

/// `read(2)`, which ``SmallFile/read(_:limit:_:)`` would hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
