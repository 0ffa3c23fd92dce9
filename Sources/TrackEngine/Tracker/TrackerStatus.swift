/// The states of a tracker.
public enum TrackerState: Sendable, Hashable {
    /// Not started, or stopped.
    case stopped
    /// Tracking and delivering.
    case running
    /// Sources have ended; the last sync is under way.
    case stopping
}

/// All values of a status page at one moment.
public struct TrackerStatus: Sendable, Hashable {
    /// A sink's name and the status of its deliveries.
    public struct SinkReport: Sendable, Hashable {
        /// The sink.
        public let id: SinkID
        /// The status of its deliveries.
        public let sync: SyncState

        package init(id: SinkID, sync: SyncState) {
            self.id = id
            self.sync = sync
        }
    }

    /// The state of the tracker.
    public let state: TrackerState
    /// The time of the status.
    public let time: Timestamp
    /// Every source, in the order given.
    public let sources: [SourceReport]
    /// Every sink, in the order given.
    public let sinks: [SinkReport]
    /// The status of the store; absent when it could not be read, with the reason in ``storeFailure``.
    public let store: StoreStatus?
    /// The reason why the store cannot be read or written at the moment.
    public let storeFailure: String?
    /// The pause under way; absent if there is none.
    public let pause: Pause?

    package init(
        state: TrackerState, time: Timestamp, sources: [SourceReport], sinks: [SinkReport], store: StoreStatus?,
        storeFailure: String? = nil, pause: Pause? = nil
    ) {
        self.state = state
        self.time = time
        self.sources = sources
        self.sinks = sinks
        self.store = store
        self.storeFailure = storeFailure
        self.pause = pause
    }
}

/// An event in a tracker, for observers.
public enum TrackerDecision: Sendable, Hashable {
    /// A record was stored.
    case recorded(TrackRecord)
    /// A fix of a source was rejected.
    case rejected(fix: Fix, source: SourceID, reason: RejectionReason)
    /// A source went into standby.
    case standby(SourceID)
}
