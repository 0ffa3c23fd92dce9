package import Glibc

/// The status of a file at a path, read without opening it.
package struct FileStatus: Sendable, Hashable {
    /// The kinds of files.
    package enum Kind: Sendable, Hashable {
        case directory, regular, socket, other
    }

    package let kind: Kind
    /// The permissions, with the set-id and sticky bits.
    package let mode: mode_t
    package let owner: uid_t

    /// Returns the status of the file at a path, following symbolic links; `nil` if there is none.
    package static func following(_ path: String) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Returns the status of the file at a path, that of the link itself for a symbolic link; `nil` if there is none.
    package static func at(_ path: String) -> FileStatus? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Whether this process may create files in a directory.
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

    /// Whether only the owner has access to the file.
    package var isPrivate: Bool { mode & 0o077 == 0 }

    /// Whether users other than the owner may write to the file.
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// Whether it is a directory shared by users, such as `/tmp`: the sticky bit protects each user's files from the
    /// others.
    package var isSticky: Bool { mode & S_ISVTX != 0 }
}
