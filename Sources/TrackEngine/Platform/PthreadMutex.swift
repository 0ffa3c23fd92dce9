#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that only the holder of a POSIX mutex reads or changes.
///
/// `Synchronization.Mutex` waits inside a library that the thread sanitizer does not see into: what one thread gets from
/// another through it looks like a race. This lock it knows, so that here a report is one.
///
/// Sendable by this invariant: the value is touched under the lock alone.
package final class PthreadMutex<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Behind a pointer, because each access to a variable of a class is looked up at run time for overlapping ones,
    /// which the lock rules out.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    /// Protects a value with a mutex of its own.
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

    /// Reads or changes the value while no other thread can. `body` must not lock the same mutex.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
