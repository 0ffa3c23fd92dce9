import Synchronization
import TrackEngine

/// A source whose fixes a program pushes.
///
/// A push waits until the run of the source has passed its fixes on, so there is no queue but the waiting callers.
package final class PushedSource: FixSource {
    /// The fixes of a call, and the end of its wait.
    struct Push: Sendable {
        let fixes: [Fix]
        let done: CheckedContinuation<Bool, Never>
    }

    private typealias Resume = @Sendable () -> Void

    private enum State {
        /// There is no run; pushes wait. Leads to `waiting`, `busy` and `ended`.
        case pending([Push])
        /// The run waits for a push. Leads to all others.
        case waiting(CheckedContinuation<Push?, Never>)
        /// The run passes on fixes; the next pushes wait. Leads to all others.
        case busy([Push])
        /// There will be no run. Final.
        case ended
    }

    package let id: SourceID
    package let timeBase: TimeBase
    private let state = Mutex(State.pending([]))
    private let begun: @Sendable () -> Void

    /// - Parameter begun: called when the run begins.
    package init(id: SourceID, timeBase: TimeBase, begun: @escaping @Sendable () -> Void) {
        (self.id, self.timeBase, self.begun) = (id, timeBase, begun)
    }

    /// Passes fixes on, and waits until those that become records are stored. Returns whether they were accepted.
    package func push(_ fixes: [Fix]) async -> Bool {
        await withCheckedContinuation { done in
            let push = Push(fixes: fixes, done: done)
            let next: Resume? = state.withLock { state in
                switch state {
                case .pending(let pushes): state = .pending(pushes + [push])
                case .busy(let pushes): state = .busy(pushes + [push])
                case .waiting(let run):
                    state = .busy([])
                    return { run.resume(returning: push) }
                case .ended: return { done.resume(returning: false) }
                }
                return nil
            }
            next?()
        }
    }

    package func run(_ output: FixOutput) async throws {
        begun()
        output.status(.waiting(reason: "no fix has been pushed"))
        var isReceiving = false
        while let push = await next() {
            if !isReceiving { output.status(.receiving) }
            isReceiving = true
            do throws(CancellationError) { try await output.emit(contentsOf: push.fixes) } catch {
                push.done.resume(returning: false)
                leave(for: .pending([]))
                throw error
            }
            push.done.resume(returning: true)
        }
    }

    /// Returns the next push; `nil` at the end, and after a cancellation.
    private func next() async -> Push? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { run in
                let next: Resume? = state.withLock { state in
                    // The handler below may have run before the lock was taken.
                    guard !Task.isCancelled else { return { run.resume(returning: nil) } }
                    switch state {
                    case .pending(let pushes), .busy(let pushes):
                        if let first = pushes.first {
                            state = .busy(Array(pushes.dropFirst()))
                            return { run.resume(returning: first) }
                        }
                        state = .waiting(run)
                        return nil
                    case .waiting, .ended: return { run.resume(returning: nil) }
                    }
                }
                next?()
            }
        } onCancel: {
            leave(for: .pending([]))
        }
    }

    /// Ends all waits, and rejects each later push.
    func end() { leave(for: .ended) }

    /// Ends all waits, in another state.
    private func leave(for next: State) {
        let resume: Resume = state.withLock { state in
            let last = state
            if case .ended = last { return {} }
            state = next
            switch last {
            case .pending(let pushes), .busy(let pushes):
                return { for push in pushes { push.done.resume(returning: false) } }
            case .waiting(let run): return { run.resume(returning: nil) }
            case .ended: return {}
            }
        }
        resume()
    }
}
