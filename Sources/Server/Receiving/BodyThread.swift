import Dispatch
import SenderFormats

/// Reads long bodies on a thread of their own, one after the other: Swift itself has as many threads as the machine
/// has cores, and on a small one two bodies of one sender would hold up everybody.
package final class BodyThread: TaskExecutor {
    /// Bodies of at most so many bytes are read where they come: it takes some milliseconds.
    static let longestElsewhere = RequestPortions.shortest

    private let queue = DispatchQueue(label: "TrackEngine.bodies", qos: .utility)

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Runs an operation on the thread, except for its suspensions.
    package func run<Result: Sendable>(_ operation: @Sendable () async -> Result) async -> Result {
        await withTaskExecutorPreference(self) { await operation() }
    }
}
