public import TrackEngine

extension TrackerStatus: Codable {
    private enum Key: String, CodingKey { case state, time, sources, sinks, store, storeFailure, pause }

    /// Reads a status.
    ///
    /// - Throws: `DecodingError` without `state`, `time`, `sources` or `sinks`, or if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            state: try members.decode(TrackerState.self, forKey: .state),
            time: try members.decode(Timestamp.self, forKey: .time),
            sources: try members.decode([SourceReport].self, forKey: .sources),
            sinks: try members.decode([SinkReport].self, forKey: .sinks),
            store: try members.decodeIfPresent(StoreStatus.self, forKey: .store),
            storeFailure: try members.decodeIfPresent(String.self, forKey: .storeFailure),
            pause: try members.decodeIfPresent(Pause.self, forKey: .pause))
    }

    /// Writes `state`, `time`, `sources`, `sinks`, `store`, `storeFailure` and `pause`. A source's `latest` is a
    /// position.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(state, forKey: .state)
        try members.encode(time, forKey: .time)
        try members.encode(sources, forKey: .sources)
        try members.encode(sinks, forKey: .sinks)
        try members.encodeIfPresent(store, forKey: .store)
        try members.encodeIfPresent(storeFailure, forKey: .storeFailure)
        try members.encodeIfPresent(pause, forKey: .pause)
    }
}

extension Pause: Codable {
    private enum Key: String, CodingKey { case since, end }

    /// Reads a pause.
    ///
    /// - Throws: `DecodingError` without `since`, or if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            since: try members.decode(Timestamp.self, forKey: .since),
            end: try members.decodeIfPresent(Timestamp.self, forKey: .end))
    }

    /// Writes `since` and, if the pause ends by itself, `end`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(since, forKey: .since)
        try members.encodeIfPresent(end, forKey: .end)
    }
}

extension TrackerStatus.SinkReport: Codable {
    private enum Key: String, CodingKey { case id }

    /// Reads `id` and the members of ``SyncState`` next to it.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(id: try members.decode(SinkID.self, forKey: .id), sync: try SyncState(from: decoder))
    }

    /// Writes `id` and the members of ``SyncState`` next to it.
    public func encode(to encoder: any Encoder) throws {
        try sync.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(id, forKey: .id)
    }
}

extension SyncState: Codable {
    private enum Key: String, CodingKey {
        case activity, tried, queued, oldest, lastAttempt, lastSuccess, lastFailure, nextDue, failure, delivered,
            passedOver
        case refused, lastRefusal
    }

    /// Reads a state.
    ///
    /// - Throws: `DecodingError` without `activity` or a count, or if a value has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init()
        activity = try members.decode(Activity.self, forKey: .activity)
        tried = try members.decode(Int.self, forKey: .tried)
        queued = try members.decode(Int.self, forKey: .queued)
        oldest = try members.decodeIfPresent(Timestamp.self, forKey: .oldest)
        lastAttempt = try members.decodeIfPresent(Timestamp.self, forKey: .lastAttempt)
        lastSuccess = try members.decodeIfPresent(Timestamp.self, forKey: .lastSuccess)
        lastFailure = try members.decodeIfPresent(Timestamp.self, forKey: .lastFailure)
        nextDue = try members.decodeIfPresent(Timestamp.self, forKey: .nextDue)
        failure = try members.decodeIfPresent(String.self, forKey: .failure)
        delivered = try members.decode(Int.self, forKey: .delivered)
        passedOver = try members.decodeIfPresent(Int.self, forKey: .passedOver) ?? 0
        refused = try members.decode(Int.self, forKey: .refused)
        lastRefusal = try members.decodeIfPresent(String.self, forKey: .lastRefusal)
    }

    /// Writes each property under its name; absent values are omitted.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(activity, forKey: .activity)
        try members.encode(tried, forKey: .tried)
        try members.encode(queued, forKey: .queued)
        try members.encodeIfPresent(oldest, forKey: .oldest)
        try members.encodeIfPresent(lastAttempt, forKey: .lastAttempt)
        try members.encodeIfPresent(lastSuccess, forKey: .lastSuccess)
        try members.encodeIfPresent(lastFailure, forKey: .lastFailure)
        try members.encodeIfPresent(nextDue, forKey: .nextDue)
        try members.encodeIfPresent(failure, forKey: .failure)
        try members.encode(delivered, forKey: .delivered)
        try members.encode(passedOver, forKey: .passedOver)
        try members.encode(refused, forKey: .refused)
        try members.encodeIfPresent(lastRefusal, forKey: .lastRefusal)
    }
}

extension StoreStatus: Codable {
    private enum Key: String, CodingKey { case records, lastSequence, bytes, dropped, deadLetters, warning }

    /// Reads the figures.
    ///
    /// - Throws: `DecodingError` if one is missing or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            count: try members.decode(Int.self, forKey: .records),
            lastSequence: try members.decode(RecordSequence.self, forKey: .lastSequence),
            bytes: try members.decode(Int64.self, forKey: .bytes),
            dropped: try members.decode(Int64.self, forKey: .dropped),
            deadLetters: try members.decode(Int.self, forKey: .deadLetters),
            warning: try members.decodeIfPresent(String.self, forKey: .warning))
    }

    /// Writes `records`, `lastSequence`, `bytes`, `dropped`, `deadLetters` and `warning`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(count, forKey: .records)
        try members.encode(lastSequence, forKey: .lastSequence)
        try members.encode(bytes, forKey: .bytes)
        try members.encode(dropped, forKey: .dropped)
        try members.encode(deadLetters, forKey: .deadLetters)
        try members.encodeIfPresent(warning, forKey: .warning)
    }
}
