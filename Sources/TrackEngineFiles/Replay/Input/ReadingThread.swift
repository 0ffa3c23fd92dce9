internal import TrackEngine

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A serial executor with a thread of its own: an actor that runs on it may block without holding up anyone else.
///
/// The actor that owns it calls ``stop()`` when it goes away. A job keeps its actor alive, so no job can be enqueued
/// after that. The thread waits in `read(2)` on a pipe, into which every job puts a byte, and keeps the executor
/// alive until it ends.
final class ReadingThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStopped = false
    }

    private let state = SystemMutex(State())
    private let wakeInput: Int32
    private let wakeOutput: Int32

    /// Starts the thread; `nil` where the system has no descriptors or threads left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (wakeInput, wakeOutput) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard start() else {
            close(wakeInput)
            close(wakeOutput)
            return nil
        }
    }

    private func start() -> Bool {
        let context = Unmanaged.passRetained(self)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<ReadingThread>.fromOpaque(context).takeRetainedValue().loop() }
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            return false
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }

    /// Takes a job of the actor.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        wake()
    }

    /// Ends the thread once its jobs are done.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }

    private func wake() {
        var byte: UInt8 = 0
        while write(wakeOutput, &byte, 1) < 0, errno == EINTR {}
    }

    private func loop() {
        var byte: UInt8 = 0
        while true {
            let (jobs, isStopped) = state.withLock { state in
                defer { state.jobs.removeAll(keepingCapacity: true) }
                return (state.jobs, state.isStopped)
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if jobs.isEmpty {
                if isStopped { break }
                _ = read(wakeInput, &byte, 1)
            }
        }
        close(wakeInput)
        close(wakeOutput)
    }
}
