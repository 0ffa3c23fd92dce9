package import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Holds a database for this process: an advisory lock on a file beside it, which the kernel releases when the process ends
/// in whatever way. Released when the last reference goes.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Makes the file if need be, and locks it.
    ///
    /// - Parameter owner: what a person should stop when it is taken: `another process, or another store in this one,`.
    package init(path: String, takenBy owner: String) throws(StoreError) {
        descriptor = try PosixFile.openPrivate(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let failure = PosixFile.failure("lock", path)
            // `deinit` closes it: it runs though this throws, because all properties have their values.
            throw isTaken ? StoreError(.locked, "\(owner) has \(path) locked; stop it first") : failure
        }
    }

    deinit {
        // Closing alone would leave it to a program that this one is just starting: until that has begun, the new process
        // has a copy of the descriptor. It cannot fail on a descriptor that is open.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
