import Glibc
package import TrackEngine

/// The few file operations that databases need in addition to SQLite, with errors that name the file.
package enum DatabaseFile {
    /// Size, owner and age of a file.
    package struct Status {
        package let size: Int64
        package let owner: UInt32
        package let mode: UInt32
        /// The time of the last change of its contents.
        package let modified: Timestamp

        fileprivate init(_ status: stat) {
            size = Int64(status.st_size)
            owner = status.st_uid
            mode = UInt32(status.st_mode)
            modified = Timestamp(secondsSince1970: Int64(status.st_mtim.tv_sec))
        }
    }

    package static func status(of path: String) -> Status? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Status(status)
    }

    /// Returns the status of the file that a path leads to, following links. The mode of a link itself has no
    /// meaning.
    package static func statusFollowingLinks(of path: String) -> Status? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Status(status)
    }

    /// Whether a path leads to a directory, following links.
    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package static func size(of path: String) -> Int64 { status(of: path)?.size ?? 0 }

    /// Returns an error for `errno`.
    package static func failure(_ action: String, _ path: String) -> StoreError {
        let code = errno
        let kind: StoreError.Code = code == ENOSPC || code == EDQUOT ? .full : .inputOutput
        return StoreError(kind, "could not \(action) \(path): \(String(cString: strerror(code)))")
    }

    /// Creates a directory and its missing parents, readable only by their owner regardless of the umask, and
    /// durable.
    package static func makePrivateDirectory(_ path: String) throws(StoreError) {
        if status(of: path) != nil { return }
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
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return status.st_uid != geteuid() || fchmod(descriptor, 0o700) == 0
    }

    package static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// Opens a file that only its owner may read, and makes it if it does not exist; refuses links, files of other
    /// users and all that is no regular file.
    package static func openPrivate(_ path: String, truncating: Bool = false) throws(StoreError) -> Int32 {
        let flags = O_RDWR | O_CREAT | (truncating ? O_TRUNC : 0)
        let descriptor = try openRegular(path, flags)
        guard fchmod(descriptor, 0o600) == 0 else {
            defer { close(descriptor) }
            throw failure("protect", path)
        }
        return descriptor
    }

    /// Opens a file for reading, under the same conditions; `nil` when it does not exist.
    package static func openForReading(_ path: String) throws(StoreError) -> Int32? {
        if status(of: path) == nil && errno == ENOENT { return nil }
        return try openRegular(path, O_RDONLY)
    }

    /// Opens a regular file of this user. Without `O_NONBLOCK` the call would block on a FIFO until its other end is
    /// opened.
    private static func openRegular(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
        let descriptor = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let failure = failure("open", path)
            try requireRegular(path)  // more precise than the system's error about a link or a socket
            throw failure
        }
        var status = stat()
        do throws(StoreError) {
            guard fstat(descriptor, &status) == 0 else { throw failure("examine", path) }
            try requireOwnRegular(Status(status), path)
            // Root works in a directory of another user, who may have linked another file of root's under this name.
            if geteuid() == 0, status.st_nlink > 1, statusFollowingLinks(of: parent(of: path))?.owner != 0 {
                throw StoreError(.inputOutput, "\(path) has another name; expected a file that has one")
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Refuses a file that is not regular or belongs to another user; a missing file is accepted.
    package static func requireRegular(_ path: String) throws(StoreError) {
        guard let status = status(of: path) else { return }
        try requireOwnRegular(status, path)
    }

    private static func requireOwnRegular(_ status: Status, _ path: String) throws(StoreError) {
        guard status.mode & UInt32(S_IFMT) == UInt32(S_IFREG) else {
            throw StoreError(.inputOutput, "\(path) is no regular file; expected one that this program has made")
        }
        guard status.owner == geteuid() else { throw StoreError(.inputOutput, "\(path) belongs to another user") }
    }

    /// Replaces a file's contents atomically: after a crash the file has either the old or the new contents.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let temporary = path + ".new"
        let descriptor = try openPrivate(temporary, truncating: true)
        let isWritten = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count
        guard isWritten, fsync(descriptor) == 0 else {
            defer { close(descriptor) }
            throw failure("write", temporary)
        }
        close(descriptor)
        try rename(temporary, to: path)
    }

    /// Moves a file and makes the move durable.
    package static func rename(_ path: String, to other: String) throws(StoreError) {
        guard Glibc.rename(path, other) == 0 else { throw failure("rename", path) }
        try syncDirectory(of: path)
    }

    private static func syncDirectory(of path: String) throws(StoreError) {
        let directory = parent(of: path)
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open directory", directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync directory", directory) }
    }

    /// Returns the directory that contains the entry of a path.
    private static func parent(of path: String) -> String {
        guard path.contains("/") else { return "." }
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return parent.isEmpty ? "/" : parent
    }

    /// Makes a file's contents durable.
    package static func sync(_ path: String) throws(StoreError) {
        let descriptor = try openPrivate(path)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync", path) }
    }

    /// Removes a file and makes the removal durable; has no effect when the file does not exist.
    package static func remove(_ path: String) throws(StoreError) {
        guard status(of: path) != nil else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
        try syncDirectory(of: path)
    }

    /// Returns the first bytes of a file; fewer when it is shorter, none when it cannot be read.
    package static func head(of path: String, count: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, count) }
        return Array(bytes.prefix(max(0, length)))
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
