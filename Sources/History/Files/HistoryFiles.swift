import SQLiteAccess
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
    private let lock: FileLock
    /// The database's place on its disk.
    private let identity: Identity

    /// Makes the directory and the files if need be, and locks it; the kernel lets go of the lock when the process ends.
    init(directory: String) throws(StoreError) {
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw PosixFile.failure("create directory", directory) }
        database = directory + "/history.sqlite"
        lock = try FileLock(
            path: directory + "/history.lock", takenBy: "another process, or another history in this one,")
        // SQLite would make it readable for all, and its log like it.
        PosixFile.close(try PosixFile.openPrivate(database))
        guard let identity = Identity(database) else { throw PosixFile.failure("look at", database) }
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
}
