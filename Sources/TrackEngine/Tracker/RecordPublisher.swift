internal import Synchronization

/// Passes stored records to the deliveries and to all listeners.
///
/// Not an actor: each call costs a lock and wakes only the tasks concerned, so no record waits for another task.
final class RecordPublisher: Sendable {
    private struct State {
        var deliveries: [SinkDelivery] = []
        /// The error of the last append, until one succeeds.
        var storeFailure: String?
    }

    let records = ValuePublisher<TrackRecord>()
    let decisions = ValuePublisher<TrackerDecision>()
    private let state = Mutex(State())

    /// The error of the last append if it failed.
    var storeFailure: String? { state.withLock { $0.storeFailure } }

    /// Begins a run: its deliveries get records from now on.
    func begin(_ deliveries: [SinkDelivery]) {
        state.withLock { $0 = State(deliveries: deliveries) }
    }

    /// Passes on records that were stored, oldest first.
    func stored(_ stored: [TrackRecord]) {
        for delivery in state.withLock({ $0.deliveries }) { delivery.stored(stored) }
        if records.hasListeners { for record in stored { records.send(record) } }
    }

    /// Sets the reason why the store cannot be written, or clears it.
    func storeFailed(_ failure: String?) {
        state.withLock { $0.storeFailure = failure }
    }

    /// Ends the streams of all listeners.
    func finish() {
        records.finish()
        decisions.finish()
    }
}
