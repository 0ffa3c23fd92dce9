import Dispatch
package import TrackEngine

/// Reads long bodies on a thread of their own, one after the other: Swift itself has as many threads as the machine
/// has cores, and on a small one two bodies of one sender would hold up everybody.
///
/// Senders take turns. One turn lasts until the work suspends: a portion of a body, or the look at its form. Each other
/// sender with long bodies holds a sender up for one turn, however many bodies it has.
package final class BodyThread: Sendable {
    /// Bodies of at most so many bytes are read where they come: it takes some milliseconds.
    static let longestElsewhere = RequestSplitter.shortest

    /// A piece of work, and the executor that it belongs to.
    private typealias Piece = (job: UnownedJob, executor: SenderExecutor)

    private struct JobQueue: Sendable {
        var pieces: [DeviceID: [Piece]] = [:]
        /// The senders with pieces, the next one first.
        var turns: [DeviceID] = []

        mutating func append(_ piece: Piece) {
            let sender = piece.executor.sender
            if pieces[sender] == nil { turns.append(sender) }
            pieces[sender, default: []].append(piece)
        }

        mutating func next() -> Piece? {
            guard let sender = turns.first, var own = pieces[sender], !own.isEmpty else { return nil }
            turns.removeFirst()
            let piece = own.removeFirst()
            pieces[sender] = own.isEmpty ? nil : own
            if !own.isEmpty { turns.append(sender) }
            return piece
        }
    }

    private let queue = DispatchQueue(label: "TrackEngine.bodies", qos: .utility)
    private let waiting = SystemMutex(JobQueue())

    package init() {}

    /// The executor for the work of one sender.
    package func executor(of sender: DeviceID) -> some TaskExecutor { SenderExecutor(sender, self) }

    /// Runs an operation of a sender on the thread, except for its suspensions.
    package func run<Result: Sendable>(
        of sender: DeviceID, _ operation: @Sendable () async -> Result
    ) async -> Result {
        await withTaskExecutorPreference(executor(of: sender)) { await operation() }
    }

    private func enqueue(_ piece: Piece) {
        waiting.withLock { $0.append(piece) }
        // One block for each piece; it runs the one whose turn it is.
        queue.async { [self] in
            guard let next = waiting.withLock({ $0.next() }) else { return }
            next.job.runSynchronously(on: next.executor.asUnownedTaskExecutor())
        }
    }

    private final class SenderExecutor: TaskExecutor {
        let sender: DeviceID
        private let thread: BodyThread

        init(_ sender: DeviceID, _ thread: BodyThread) {
            self.sender = sender
            self.thread = thread
        }

        func enqueue(_ job: consuming ExecutorJob) { thread.enqueue((UnownedJob(job), self)) }
    }
}
