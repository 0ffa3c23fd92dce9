/// The tracker's demand on a source, readable at any time and awaitable.
public final class DemandSignal: Sendable {
    private struct State {
        var demand: FixDemand
        var waiters: [UInt64: (known: FixDemand, continuation: CheckedContinuation<FixDemand, Never>)] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state: SystemMutex<State>

    /// Creates a signal with a demand.
    public init(_ demand: FixDemand = .continuous) {
        state = SystemMutex(State(demand: demand))
    }

    /// The present demand.
    public var current: FixDemand {
        state.withLock { $0.demand }
    }

    /// Sets the demand and resumes the callers that wait for a change.
    public func set(_ demand: FixDemand) {
        let woken: [CheckedContinuation<FixDemand, Never>] = state.withLock { state in
            guard state.demand != demand else { return [] }  // the waiters know this demand
            state.demand = demand
            let woken = state.waiters.filter { $0.value.known != demand }
            for key in woken.keys { state.waiters[key] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume(returning: demand) }
    }

    /// Waits for a demand other than `known` and returns it; returns `known` when the task is cancelled.
    public func value(otherThan known: FixDemand) async -> FixDemand {
        let ticket = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: FixDemand? = state.withLock { state in
                    if state.demand != known { return state.demand }
                    if Task.isCancelled { return known }
                    state.waiters[ticket] = (known, continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.continuation.resume(returning: known)
        }
    }
}
