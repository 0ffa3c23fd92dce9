import Glibc

/// An advisory lock on an open file (flock(2)). The kernel releases it when the process ends in any way; otherwise it
/// is released with the last reference.
package final class FileLock: Sendable {
    /// The locked file.
    package let file: Descriptor

    private init(_ file: Descriptor) { self.file = file }

    /// Locks a file; `nil` and sets `errno` if that fails, to `EWOULDBLOCK` if the lock is taken.
    ///
    /// - Parameter waits: whether to wait for the holder of the lock.
    package static func take(_ file: Descriptor, waits: Bool = false) -> FileLock? {
        while flock(file.raw, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else { return nil }
        }
        return FileLock(file)
    }

    deinit {
        // Closing alone would leave the lock to a program that this process is just starting: until it has begun, the
        // new process has a copy of the descriptor. Unlocking cannot fail on an open descriptor.
        _ = flock(file.raw, LOCK_UN)
    }
}
