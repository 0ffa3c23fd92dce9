internal import Synchronization

/// Brings what lanes have stored to the drains and to whoever listens.
///
/// No actor: each call costs a lock and wakes whom it concerns, so that a record waits for nobody on its way.
final class RecordHub: Sendable {
    private struct State {
        var drains: [SinkDrain] = []
        /// Why the last append failed, until one succeeds.
        var storeFailure: String?
    }

    let records = Broadcast<TrackRecord>()
    let decisions = Broadcast<TrackerDecision>()
    private let state = Mutex(State())

    /// Why the store cannot be written, if it cannot.
    var storeFailure: String? { state.withLock { $0.storeFailure } }

    /// A run begins: its drains are told of records from now on.
    func begin(_ drains: [SinkDrain]) {
        state.withLock { $0 = State(drains: drains) }
    }

    /// Records were stored, oldest first.
    func stored(_ stored: [TrackRecord]) {
        for drain in state.withLock({ $0.drains }) { drain.stored(stored) }
        if records.hasListeners { for record in stored { records.send(record) } }
    }

    /// The store cannot be written because of this, or it can again.
    func storeFailed(_ failure: String?) {
        state.withLock { $0.storeFailure = failure }
    }

    /// Ends the streams of all who listen.
    func finish() {
        records.finish()
        decisions.finish()
    }
}
