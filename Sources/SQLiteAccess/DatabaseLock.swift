import Glibc
package import TrackEngine

extension FileLock {
    /// Locks a database for this process, on a file next to it, which is created if it does not exist.
    ///
    /// - Parameter owner: the program to stop when the lock is taken, for the error:
    ///   `another process, or another store in this one,`.
    package static func database(_ path: String, takenBy owner: String) throws(StoreError) -> FileLock {
        let file = try DatabaseFile.openPrivate(path)
        if let lock = take(file) { return lock }
        guard errno == EWOULDBLOCK else { throw DatabaseFile.failure("lock", path) }
        throw StoreError(.locked, "\(owner) has \(path) locked; stop it first")
    }
}
