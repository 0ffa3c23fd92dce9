import Dispatch

/// Runs an actor on a thread outside the cooperative pool, one job at a time and in the order of arrival. A commit
/// may wait a tenth of a second for the disk, and on a machine with two cores the pool has two threads.
package final class DatabaseThread: SerialExecutor {
    private let queue: DispatchQueue

    /// A thread with a name that debuggers show.
    package init(_ label: String) { queue = DispatchQueue(label: label, qos: .utility) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
