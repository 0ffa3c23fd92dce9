import Glibc
package import TrackEngine

/// Waits for descriptors with poll(2) on one thread, for tasks that must not block one of the cooperative pool.
///
/// While nobody waits, or nobody with a limit, the thread sleeps without waking. ``shutDown()`` ends it.
package final class DescriptorPoller: Sendable {
    /// What a task waits for.
    package enum Interest: Sendable {
        case readable
        case writable
        /// The other side is gone, of which poll(2) always tells.
        case closed

        fileprivate var events: Int16 {
            switch self {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            case .closed: 0
            }
        }
    }

    /// How a wait ended.
    package enum Outcome: Sendable {
        /// The descriptor is ready, or has failed, which the next read or write tells.
        case ready
        /// The limit has passed.
        case timedOut
        /// The task was cancelled, or the poller shut down.
        case cancelled
    }

    private struct Waiter {
        let entry: pollfd
        let deadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var nextTicket: UInt64 = 0
        var isShutDown = false
    }

    private let state = PthreadMutex(State())
    private let wakeup: WakeupPipe

    /// Starts the thread.
    package init() throws(SystemError) {
        wakeup = try WakeupPipe()
        try OSThread.start { [self] in runLoop() }
    }

    /// Ends the thread; whoever waits is cancelled.
    package func shutDown() {
        state.withLock { $0.isShutDown = true }
        wakeup.wake()
    }

    /// Waits until a descriptor, which must stay open meanwhile, is ready.
    package func wait(
        until interest: Interest, _ descriptor: Descriptor, within limit: Duration? = nil
    ) async -> Outcome {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        let entry = pollfd(fd: descriptor.raw, events: interest.events, revents: 0)
        let deadline = limit.map { ContinuousClock.now.advanced(by: $0) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    if state.isShutDown || Task.isCancelled { return false }
                    state.waiters[ticket] = Waiter(entry: entry, deadline: deadline, continuation: continuation)
                    return true
                }
                if isWaiting { wakeup.wake() } else { continuation.resume(returning: .cancelled) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.continuation.resume(returning: .cancelled)
            if waiter != nil { wakeup.wake() }
        }
    }

    // MARK: The thread

    private func runLoop() {
        while let round = beginRound() {
            var entries = round.entries
            poll(&entries, nfds_t(entries.count), round.timeout)
            if entries[0].revents != 0 { wakeup.clear() }
            finish(round.tickets, entries)
        }
        let abandoned = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for continuation in abandoned { continuation.resume(returning: .cancelled) }
    }

    /// What to poll, the pipe first; `nil` when it is over. The timeout is in milliseconds, -1 for none.
    private func beginRound() -> (entries: [pollfd], tickets: [UInt64], timeout: Int32)? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            var entries = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
            var tickets: [UInt64] = []
            for (ticket, waiter) in state.waiters {
                entries.append(waiter.entry)
                tickets.append(ticket)
            }
            let deadline = state.waiters.values.compactMap(\.deadline).min()
            return (entries, tickets, deadline.map { ContinuousClock.now.duration(to: $0).pollTimeout } ?? -1)
        }
    }

    private func finish(_ tickets: [UInt64], _ entries: [pollfd]) {
        let now = ContinuousClock.now
        let ended = state.withLock { state in
            var ended: [(CheckedContinuation<Outcome, Never>, Outcome)] = []
            for (ticket, entry) in zip(tickets, entries.dropFirst()) {
                guard let waiter = state.waiters[ticket] else { continue }
                let isDue = waiter.deadline.map { $0 <= now } ?? false
                guard entry.revents != 0 || isDue else { continue }
                state.waiters[ticket] = nil
                ended.append((waiter.continuation, entry.revents != 0 ? .ready : .timedOut))
            }
            return ended
        }
        for (continuation, outcome) in ended { continuation.resume(returning: outcome) }
    }
}
