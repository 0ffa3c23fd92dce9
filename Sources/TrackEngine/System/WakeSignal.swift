/// A coalescing signal to one waiting task: raised any number of times, it wakes the waiter once.
package final class WakeSignal: Sendable {
    private enum State {
        case quiet
        case raised
        case awaited(CheckedContinuation<Void, Never>)
    }

    private let state = SystemMutex(State.quiet)

    package init() {}

    /// Wakes the waiter, or lets the next wait return at once.
    package func raise() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            switch state {
            case .quiet, .raised:
                state = .raised
                return nil
            case .awaited(let continuation):
                state = .quiet
                return continuation
            }
        }
        waiter?.resume()
    }

    /// Waits until the signal is raised or the task is cancelled. Only one task may wait at a time.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    switch state {
                    case .quiet where !Task.isCancelled:
                        state = .awaited(continuation)
                        return false
                    case .quiet, .raised, .awaited:
                        state = .quiet
                        return true
                    }
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
    }

    /// Waits until the signal is raised, a time limit on a clock is over, or the task is cancelled.
    package func wait(for limit: Duration?, on clock: any Clock<Duration>) async {
        guard let limit else { return await wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: limit) }  // cancelled when the signal came first
            await group.next()
            group.cancelAll()
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Sleeps this long on a clock of unknown type.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: nil)
    }
}
