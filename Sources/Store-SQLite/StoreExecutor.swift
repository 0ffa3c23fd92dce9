import Dispatch

/// Runs the store on a thread outside the cooperative pool, one piece of work at a time and in the order of arrival:
/// a commit may wait a tenth of a second for the disk, and on a machine with two cores the pool has two threads.
final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "TrackEngine.store", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
