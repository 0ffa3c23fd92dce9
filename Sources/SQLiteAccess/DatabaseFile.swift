import Glibc
package import TrackEngine

/// The few file operations that databases need in addition to SQLite, with errors that name the file.
package enum DatabaseFile {
    package static func size(of path: String) -> Int64 { FileStatus.at(path)?.size ?? 0 }

    /// Returns an error for `errno`.
    package static func failure(_ action: String, _ path: String) -> StoreError {
        let code = errno
        let kind: StoreError.Code = code == ENOSPC || code == EDQUOT ? .full : .inputOutput
        return StoreError(kind, "could not \(action) \(path): \(SystemError.reason(code))")
    }

    /// Creates a directory and its missing parents, readable only by their owner regardless of the umask, and
    /// durable.
    package static func makePrivateDirectory(_ path: String) throws(StoreError) {
        if FileStatus.at(path) != nil { return }
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        if !parent.isEmpty { try makePrivateDirectory(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("create directory", path) }
        guard setPrivate(path, O_NOFOLLOW) else { throw failure("protect directory", path) }
        try syncDirectory(of: path)  // or a power cut removes it, with all that was synchronised in it
    }

    /// Restricts a directory to its owner. A directory of another user stays unchanged.
    package static func makePrivate(_ directory: String) {
        _ = setPrivate(directory)  // on failure, the store reports that other users may read it
    }

    /// Changes the mode of a directory of this user through its descriptor, because its name may lead elsewhere a
    /// moment later.
    private static func setPrivate(_ directory: String, _ flags: Int32 = 0) -> Bool {
        guard let file = Descriptor.open(directory, O_RDONLY | O_DIRECTORY | flags), let status = file.status else {
            return false
        }
        return !status.isOwn || fchmod(file.raw, 0o700) == 0
    }

    /// Opens a file that only its owner may read, and makes it if it does not exist; refuses links, files of other
    /// users and all that is no regular file.
    @discardableResult
    package static func openPrivate(_ path: String, truncating: Bool = false) throws(StoreError) -> Descriptor {
        let file = try openRegular(path, O_RDWR | O_CREAT | (truncating ? O_TRUNC : 0))
        guard fchmod(file.raw, 0o600) == 0 else { throw failure("protect", path) }
        return file
    }

    /// Opens a file for reading, under the same conditions; `nil` when it does not exist.
    static func openForReading(_ path: String) throws(StoreError) -> Descriptor? {
        if FileStatus.at(path) == nil && errno == ENOENT { return nil }
        return try openRegular(path, O_RDONLY)
    }

    /// Opens a regular file of this user. Without `O_NONBLOCK` the call would block on a FIFO until its other end is
    /// opened.
    private static func openRegular(_ path: String, _ flags: Int32) throws(StoreError) -> Descriptor {
        guard let file = Descriptor.open(path, flags | O_NOFOLLOW | O_NONBLOCK) else {
            let failure = failure("open", path)
            try requireRegular(path)  // more precise than the system's error about a link or a socket
            throw failure
        }
        guard let status = file.status else { throw failure("examine", path) }
        try requireOwnRegular(status, path)
        // Root works in a directory of another user, who may have linked another file of root's under this name.
        if geteuid() == 0, status.links > 1, FileStatus.following(parent(of: path))?.owner != 0 {
            throw StoreError(.inputOutput, "\(path) has another name; expected a file that has one")
        }
        return file
    }

    /// Refuses a file that is not regular or belongs to another user; a missing file is accepted.
    package static func requireRegular(_ path: String) throws(StoreError) {
        guard let status = FileStatus.at(path) else { return }
        try requireOwnRegular(status, path)
    }

    private static func requireOwnRegular(_ status: FileStatus, _ path: String) throws(StoreError) {
        guard status.kind == .regular else {
            throw StoreError(.inputOutput, "\(path) is no regular file; expected one that this program has made")
        }
        guard status.isOwn else { throw StoreError(.inputOutput, "\(path) belongs to another user") }
    }

    /// Replaces a file's contents atomically: after a crash the file has either the old or the new contents.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = path + ".new"
        let file = try openPrivate(temporary, truncating: true)
        guard file.write(bytes), file.sync() else { throw failure("write", temporary) }
        try rename(temporary, to: path)
    }

    /// Moves a file and makes the move durable.
    package static func rename(_ path: String, to other: String) throws(StoreError) {
        guard Glibc.rename(path, other) == 0 else { throw failure("rename", path) }
        try syncDirectory(of: path)
    }

    private static func syncDirectory(of path: String) throws(StoreError) {
        let directory = parent(of: path)
        guard let opened = Descriptor.open(directory, O_RDONLY | O_DIRECTORY) else {
            throw failure("open directory", directory)
        }
        guard opened.sync() else { throw failure("sync directory", directory) }
    }

    /// Returns the directory that contains the entry of a path.
    private static func parent(of path: String) -> String {
        guard path.contains("/") else { return "." }
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return parent.isEmpty ? "/" : parent
    }

    /// Makes a file's contents durable.
    package static func sync(_ path: String) throws(StoreError) {
        guard try openPrivate(path).sync() else { throw failure("sync", path) }
    }

    /// Removes a file and makes the removal durable; has no effect when the file does not exist.
    package static func remove(_ path: String) throws(StoreError) {
        guard FileStatus.at(path) != nil else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
        try syncDirectory(of: path)
    }

    /// Returns the first bytes of a file; fewer when it is shorter, none when it cannot be read.
    package static func head(of path: String, count: Int) -> [UInt8] {
        let file = Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return Array((file?.contents(atMost: count) ?? []).prefix(count))
    }

    /// Returns the names in a directory, sorted; none when it cannot be read.
    package static func names(in directory: String) -> [String] {
        (try? DirectoryReader.names(in: directory, atMost: 100_000)) ?? []  // opening a file there reports the error
    }

    /// Blocks the calling thread.
    package static func wait(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var rest = timespec()
        while nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
    }
}
