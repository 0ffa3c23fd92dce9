/// Whether a tracker runs.
public enum TrackerState: Sendable, Hashable {
    /// Not started, or stopped.
    case stopped
    /// Taking and delivering.
    case running
    /// Sources have ended; the last sync is under way.
    case stopping
}

/// Everything that a status page shows, at one moment.
public struct TrackerStatus: Sendable, Hashable {
    /// A sink's name and how its deliveries stand.
    public struct SinkReport: Sendable, Hashable {
        /// The sink.
        public let id: SinkID
        /// How its deliveries stand.
        public let sync: SyncState

        package init(id: SinkID, sync: SyncState) {
            self.id = id
            self.sync = sync
        }
    }

    /// Whether the tracker runs.
    public let state: TrackerState
    /// The moment the status was made.
    public let time: Timestamp
    /// Every source, in the order given.
    public let sources: [SourceReport]
    /// Every sink, in the order given.
    public let sinks: [SinkReport]
    /// The store; absent when it could not be read, as ``storeFailure`` then says.
    public let store: StoreStatus?
    /// Why the store cannot be read or written at the moment.
    public let storeFailure: String?
    /// The pause under way; absent where there is none.
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

/// Something that happened in a tracker, for those who watch it.
public enum TrackerDecision: Sendable, Hashable {
    /// A record was stored.
    case recorded(TrackRecord)
    /// A fix of a source was rejected.
    case rejected(fix: Fix, source: SourceID, reason: RejectionReason)
    /// A source went into standby.
    case standby(SourceID)
}
