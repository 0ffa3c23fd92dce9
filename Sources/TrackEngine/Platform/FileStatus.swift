#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// What stands at a path, found without opening it.
package struct FileStatus: Sendable, Hashable {
    /// The kinds that somebody asks for.
    package enum Kind: Sendable, Hashable {
        case directory, regular, socket, other
    }

    package let kind: Kind
    /// The permissions, with the set-id and sticky bits.
    package let mode: mode_t
    package let owner: uid_t

    /// What stands there, also at the end of a symbolic link; `nil` where nothing does.
    package static func following(_ path: String) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// What stands there, the link itself where it is one; `nil` where nothing does.
    package static func at(_ path: String) -> FileStatus? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Whether this process may make files in a directory.
    package static func isWritable(_ directory: String) -> Bool {
        faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFREG: .regular
            case S_IFSOCK: .socket
            case _: .other
            }
        mode = status.st_mode & 0o7777
        owner = status.st_uid
    }

    /// Whether the file is the owner's alone.
    package var isPrivate: Bool { mode & 0o077 == 0 }

    /// Whether users beside the owner may write there.
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// Whether it is a directory that users share, as `/tmp`: the sticky bit keeps them from each other's files.
    package var isSticky: Bool { mode & S_ISVTX != 0 }
}
