import CTrackEngine
import Synchronization
import TrackEngine

/// The deliveries that the program has not reported on, by their tokens.
package final class DeliveryTable: Sendable {
    package typealias Outcome = Result<Receipt, DeliveryError>

    private enum Delivery {
        /// The callback was called. Leads to `reported` and `awaited`.
        case called(count: Int)
        /// The program reported before the sink waited. Ends when the sink asks.
        case reported(Outcome)
        /// The sink waits. Ends with the report or the cancellation.
        case awaited(count: Int, CheckedContinuation<Outcome, Never>)
    }

    private struct State {
        var last: UInt64 = 0
        var open: [UInt64: Delivery] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Begins a delivery of some records and returns its token, which is never used twice.
    func begin(_ count: Int) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.open[state.last] = .called(count: count)
            return state.last
        }
    }

    /// Waits for the program's report.
    func outcome(of token: UInt64) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let known: Outcome? = state.withLock { state in
                    switch state.open[token] {
                    case .called(let count):
                        state.open[token] = .awaited(count: count, waiter)
                        return nil
                    case .reported(let outcome):
                        state.open[token] = nil
                        return outcome
                    case .awaited, nil: return Self.cancelled
                    }
                }
                if let known { waiter.resume(returning: known) }
            }
        } onCancel: {
            cancel(token)
        }
    }

    /// Reports on a delivery.
    package func report(_ token: UInt64, _ outcome: (_ count: Int) throws(CallError) -> Outcome) throws(CallError) {
        let resume = try state.withLock { (state) throws(CallError) -> (@Sendable () -> Void)? in
            switch state.open[token] {
            case .called(let count):
                state.open[token] = .reported(try outcome(count))
                return nil
            case .awaited(let count, let waiter):
                let outcome = try outcome(count)
                state.open[token] = nil
                return { waiter.resume(returning: outcome) }
            case .reported, nil:
                throw CallError(status: TE_ERROR_TOKEN, message: "token = \(token): expected that of an open delivery")
            }
        }
        resume?()
    }

    private func cancel(_ token: UInt64) {
        let ended = state.withLock { $0.open.removeValue(forKey: token) }
        if case .awaited(_, let waiter) = ended { waiter.resume(returning: Self.cancelled) }
    }

    private static let cancelled = Outcome.failure(DeliveryError(.retry(), "the delivery was cancelled"))
}
