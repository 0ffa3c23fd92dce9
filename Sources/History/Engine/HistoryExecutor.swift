import Dispatch

/// Runs a history on a thread outside the cooperative pool, one call after the other in the order of arrival: commits wait for
/// the disk, and on a machine with two cores the pool has two threads.
final class HistoryExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "TrackEngine.history", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
