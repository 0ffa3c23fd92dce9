import Glibc

/// A moment that a thread of the caller waits for.
final class Moment: @unchecked Sendable {  // the semaphore is made for use by several threads
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)  // fails for values beyond the range only
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Ends the wait, also one that has not begun.
    func come() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) == -1 && errno == EINTR {} }
}

/// A result that a task leaves for a waiting thread.
private final class Left<Result: Sendable>: @unchecked Sendable {  // written before the moment, read after it
    var result: Result?
}

/// Runs asynchronous work and waits for its result, on a thread of the caller that may block.
func waiting<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result? {
    let (moment, left) = (Moment(), Left<Result>())
    // Not a child: the calling thread has no task.
    Task {
        left.result = await work()
        moment.come()
    }
    moment.wait()
    return left.result
}
