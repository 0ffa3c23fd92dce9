import Glibc

/// What stands at a path, found without opening it.
struct FileStatus: Sendable, Hashable {
    /// The kinds that matter to a place of the agent's state.
    enum Kind: Sendable, Hashable {
        case directory, regular, socket, other
    }

    let kind: Kind
    /// The permissions, with the set-id and sticky bits.
    let mode: mode_t
    let owner: uid_t

    /// What stands there, also at the end of a symbolic link; `nil` where nothing does.
    static func following(_ path: String) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// What stands there, the link itself where it is one; `nil` where nothing does.
    static func at(_ path: String) -> FileStatus? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Whether this process may make files in a directory.
    static func isWritable(_ directory: String) -> Bool {
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

    /// Whether users beside the owner may write there.
    var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// Whether it is a directory that users share, as `/tmp`: the sticky bit keeps them from each other's files.
    var isSticky: Bool { mode & S_ISVTX != 0 }
}
