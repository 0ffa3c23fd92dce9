internal import TrackEngine

/// A serial executor with a thread of its own: an actor that runs on it may block without holding up anyone else.
///
/// The actor that owns it calls ``stop()`` when it goes away. A job keeps its actor alive, so no job can be enqueued
/// after that. The thread keeps the executor alive until it ends.
final class ReadingThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopped = false
    }

    private let state = SystemMutex(State())
    private let wakeup: WakePipe

    /// Starts the thread; `nil` where the system has no descriptors or threads left.
    init?() {
        do throws(SystemError) {
            wakeup = try WakePipe()
            try SystemThread.start { [self] in loop() }
        } catch {
            return nil
        }
    }

    /// Takes a job of the actor.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        wakeup.wake()
    }

    /// Ends the thread once its jobs are done.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeup.wake()
    }

    private func loop() {
        while true {
            let (jobs, isStopped) = state.withLock { state in
                defer { state.jobs.removeAll(keepingCapacity: true) }
                return (state.jobs, state.isStopped)
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if jobs.isEmpty {
                if isStopped { break }
                wakeup.wait()
            }
        }
    }
}
