import Glibc
package import TrackEngine

/// An advisory lock of this process on a database, held on a file next to it. The kernel releases the lock when the
/// process ends in any way; otherwise it is released with the last reference.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Locks the file, which is created if it does not exist.
    ///
    /// - Parameter owner: the program to stop when the lock is taken, for the error:
    ///   `another process, or another store in this one,`.
    package init(path: String, takenBy owner: String) throws(StoreError) {
        descriptor = try DatabaseFile.openPrivate(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let failure = DatabaseFile.failure("lock", path)
            // `deinit` closes it: it runs although this throws, because all properties have their values.
            throw isTaken ? StoreError(.locked, "\(owner) has \(path) locked; stop it first") : failure
        }
    }

    deinit {
        // Closing alone would leave the lock to a program that this process is just starting: until it has begun, the
        // new process has a copy of the descriptor. Unlocking cannot fail on an open descriptor.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
