import TrackEngine

/// The newest delivered position, and the request that sends it again. A delivery cancels that request and waits for
/// its end, so no older position arrives after a newer one.
final class PositionUpdate: Sendable {
    private struct State: Sendable {
        var deliveries = 0
        var newest: TrackRecord?
        var isDelivering = false
        var request: Task<Bool, Never>?
    }

    private let state = SystemMutex(State())

    /// The number of deliveries that the server has confirmed.
    var deliveries: Int { state.withLock { $0.deliveries } }

    /// Called before a delivery.
    func beginDelivery() async {
        let request = state.withLock { state in
            state.isDelivering = true
            return state.request
        }
        request?.cancel()
        _ = await request?.value
    }

    /// Called after a delivery that the server has confirmed.
    func delivered(_ record: TrackRecord) {
        state.withLock { state in
            state.deliveries += 1
            if let newest = state.newest, newest.sequence > record.sequence { return }
            state.newest = record
        }
    }

    /// Uses a position as the newest delivered one, if none is known.
    func adopt(_ record: TrackRecord) {
        state.withLock { if $0.newest == nil { $0.newest = record } }
    }

    /// The newest delivered position.
    var newest: TrackRecord? { state.withLock { $0.newest } }

    /// Called after every delivery.
    func endDelivery() { state.withLock { $0.isDelivering = false } }

    /// Sends the newest delivered position, unless a delivery is in progress; returns the result of `send`, or
    /// `true` if there is no position to send.
    func renew(_ send: @escaping @Sendable (TrackRecord) async -> Bool) async -> Bool {
        let request: Task<Bool, Never>? = state.withLock { state in
            guard !state.isDelivering, let record = state.newest else { return nil }
            let request = Task { await send(record) }
            state.request = request
            return request
        }
        guard let request else { return true }
        let isDone = await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            request.cancel()
        }
        state.withLock { $0.request = nil }
        return isDone
    }
}
