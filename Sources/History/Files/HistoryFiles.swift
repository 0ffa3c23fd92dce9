import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A history's directory, which one process has at a time, and which nobody but its owner reads.
final class HistoryFiles: Sendable {
    /// Where the database is.
    let database: String
    private let lock: Descriptor
    /// The database's place on its disk.
    private let identity: Identity

    /// Makes the directory and the files if need be, and locks it; the kernel lets go of the lock when the process ends.
    init(directory: String) throws(StoreError) {
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw Self.failure("create directory", directory) }
        database = directory + "/history.sqlite"
        lock = try Self.openPrivate(directory + "/history.lock")
        guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw Self.failure("lock", directory) }
            throw StoreError(.locked, "another process has the history in \(directory) open; stop it first")
        }
        // SQLite would make it readable for all, and its log like it.
        _ = try Self.openPrivate(database)
        guard let identity = Identity(database) else { throw Self.failure("look at", database) }
        self.identity = identity
    }

    /// Device and number of a file.
    private struct Identity: Sendable, Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// Sees to it that the database is still in its place.
    func requirePresence() throws(StoreError) {
        guard Identity(database) == identity else {
            throw StoreError(
                .removed, "\(database) has been removed or replaced; restart to begin a new history")
        }
    }

    deinit { _ = flock(lock.raw, LOCK_UN) }

    private static func openPrivate(_ path: String) throws(StoreError) -> Descriptor {
        let raw = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard raw >= 0 else { throw failure("open", path) }
        let descriptor = Descriptor(owning: raw)
        guard fchmod(raw, 0o600) == 0 else { throw failure("protect", path) }
        guard FileStatus.at(path)?.kind == .regular else {
            throw StoreError(.inputOutput, "\(path): expected a file of the history, found something else")
        }
        return descriptor
    }

    private static func failure(_ action: String, _ path: String) -> StoreError {
        let error = SystemError("could not \(action) \(path)")
        let isFull = error.code == ENOSPC || error.code == EDQUOT
        return StoreError(isFull ? .full : .inputOutput, error.description)
    }
}
