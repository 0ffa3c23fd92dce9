import Glibc

/// A value that only the holder of a POSIX mutex reads or changes.
///
/// `Synchronization.Mutex` waits inside a library that the thread sanitizer does not instrument: a value passed between
/// threads through it looks like a race. The sanitizer supports this lock, so a report here is a real race.
///
/// Sendable by this invariant: the value is accessed only under the lock.
package final class SystemMutex<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Behind a pointer, because each access to a variable of a class is checked at run time for overlapping accesses,
    /// which the lock rules out.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// Creates a value protected by its own mutex.
    package init(_ value: Value) {
        self.value.initialize(to: value)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Reads or changes the value with exclusive access. `body` must not lock the same mutex.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
