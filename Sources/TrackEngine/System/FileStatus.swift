package import Glibc

/// The status of a file: its kind, size, owner, rights and identity.
package struct FileStatus: Sendable, Hashable {
    /// The kinds of files.
    package enum Kind: Sendable, Hashable {
        case directory, regular, link, pipe, socket, other
    }

    /// Device and inode number, which identify a file as long as it exists.
    package struct Identity: Sendable, Hashable {
        package let device: dev_t
        package let number: ino_t
    }

    package let kind: Kind
    package let identity: Identity
    /// The size in bytes.
    package let size: Int64
    /// The number of names of the file.
    package let links: Int
    /// The permissions, with the set-id and sticky bits.
    package let mode: mode_t
    package let owner: uid_t
    package let group: gid_t
    /// The time of the last change of its contents.
    package let modified: Timestamp
    /// The time of the last change of its contents, permissions, owner or names.
    package let changed: Timestamp

    /// Returns the status of the file at a path, following symbolic links; `nil` and sets `errno` if there is none.
    package static func following(_ path: String) -> FileStatus? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Returns the status of the file at a path, that of the link itself for a symbolic link; `nil` and sets `errno` if
    /// there is none.
    package static func at(_ path: String) -> FileStatus? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileStatus(status) : nil
    }

    /// Returns the status of a name in an open directory, as ``at(_:)`` does.
    package static func at(_ name: String, in directory: Descriptor) -> FileStatus? {
        var status = stat()
        return fstatat(directory.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }

    /// Returns the status of an open file; `nil` and sets `errno` if it cannot be read.
    package static func of(_ descriptor: Int32) -> FileStatus? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
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
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case _: .other
            }
        identity = Identity(device: status.st_dev, number: status.st_ino)
        size = Int64(status.st_size)
        links = Int(status.st_nlink)
        mode = status.st_mode & 0o7777
        (owner, group) = (status.st_uid, status.st_gid)
        modified = Timestamp(
            secondsSince1970: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
        changed = Timestamp(
            secondsSince1970: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec))
    }

    /// Whether the file belongs to this user.
    package var isOwn: Bool { owner == geteuid() }

    /// Whether only the owner has access to the file.
    package var isPrivate: Bool { mode & 0o077 == 0 }

    /// Whether the file belongs to this user and no other user may read or write it.
    package var isPrivateToUser: Bool { isOwn && isPrivate }

    /// Whether users other than the owner may write to the file.
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// Whether it is a directory shared by users, such as `/tmp`: the sticky bit protects each user's files from the
    /// others.
    package var isSticky: Bool { mode & S_ISVTX != 0 }
}
