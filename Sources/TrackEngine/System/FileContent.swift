import Glibc

/// The content of a small file, with the status that the same descriptor reported.
package struct FileContent: Sendable {
    package let bytes: [UInt8]
    package let status: FileStatus

    /// The bytes as text; invalid UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The reason why a file could not be read.
    package enum Failure: Error, Hashable {
        /// The file does not exist.
        case missing
        /// It is not a regular file, or a symbolic link that is not followed.
        case notRegular
        /// It has more bytes than the limit.
        case tooLarge(limit: Int)
        /// The system returned this error number.
        case system(Int32)

        /// The expectation for a message.
        package var expectation: String {
            switch self {
            case .missing: "a file that exists"
            case .notRegular: "a regular file"
            case .tooLarge(let limit): "at most \(limit) bytes"
            case .system(let code): "a readable file (\(SystemError.reason(code)))"
            }
        }

        fileprivate init(code: Int32) {
            switch code {
            case ENOENT, ENOTDIR: self = .missing
            case ELOOP: self = .notRegular
            default: self = .system(code)
            }
        }
    }

    /// Options for opening a file.
    package struct Access: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Follows a symbolic link.
        package static let followsLinks = Access(rawValue: 1)
        /// Accepts pipes, too, as in `--config <(generate)`.
        package static let takesPipes = Access(rawValue: 2)
    }

    /// Reads a whole file of at most `limit` bytes.
    package static func read(_ path: String, limit: Int, _ access: Access = []) throws(Failure) -> FileContent {
        let link = access.contains(.followsLinks) ? 0 : O_NOFOLLOW
        // Without O_NONBLOCK, a pipe without a writer would block this call for ever.
        let wait = access.contains(.takesPipes) ? 0 : O_NONBLOCK
        guard let file = Descriptor.open(path, O_RDONLY | link | wait) else { throw Failure(code: errno) }
        guard let status = file.status else { throw .system(errno) }
        guard status.kind == .regular || (access.contains(.takesPipes) && status.kind == .pipe) else {
            throw .notRegular
        }
        guard let bytes = file.contents(atMost: limit) else { throw .system(errno) }
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return FileContent(bytes: bytes, status: status)
    }
}
