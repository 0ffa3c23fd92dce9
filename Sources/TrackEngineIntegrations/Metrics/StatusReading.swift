import TrackEngine

/// One metric of a family, identified by its labels.
struct MetricSeries: Sendable, Hashable {
    /// A name and a value.
    struct Label: Sendable, Hashable {
        let name: String
        let value: String
    }

    let family: MetricFamily
    let labels: [Label]

    init(_ family: MetricFamily, _ labels: KeyValuePairs<String, String> = [:]) {
        self.family = family
        self.labels = labels.map { Label(name: $0, value: $1) }
    }
}

/// The metrics of a status.
struct StatusReading: Sendable {
    /// Values that only grow during the lifetime of a tracker.
    private(set) var counts: [MetricSeries: Int64] = [:]
    /// Values that go up and down. A value that is not known now is absent.
    private(set) var levels: [MetricSeries: Double] = [:]

    init(_ status: TrackerStatus) {
        for source in status.sources { read(source) }
        for sink in status.sinks { read(sink) }
        if let store = status.store { read(store) }
        levels[MetricSeries(.paused)] = status.pause == nil ? 0 : 1
    }

    private mutating func read(_ source: SourceReport) {
        let id = source.id.rawValue
        counts[MetricSeries(.fixes, ["source": id])] = Int64(source.fixes)
        counts[MetricSeries(.records, ["source": id])] = Int64(source.recorded)
        for (reason, count) in source.rejected {
            counts[MetricSeries(.rejections, ["source": id, "reason": reason.name])] = Int64(count)
        }
        for (kind, count) in source.problems {
            counts[MetricSeries(.inputProblems, ["source": id, "reason": kind.rawValue])] = Int64(count)
        }
        levels[MetricSeries(.odometer, ["source": id])] = source.odometer
    }

    private mutating func read(_ sink: TrackerStatus.SinkReport) {
        let id = sink.id.rawValue
        counts[MetricSeries(.delivered, ["sink": id])] = Int64(sink.sync.delivered)
        counts[MetricSeries(.refused, ["sink": id])] = Int64(sink.sync.refused)
        levels[MetricSeries(.queue, ["sink": id])] = Double(sink.sync.queued)
        levels[MetricSeries(.queueOldest, ["sink": id])] = sink.sync.oldest?.fractionalSeconds
        levels[MetricSeries(.failedAttempts, ["sink": id])] = Double(sink.sync.tried)
        levels[MetricSeries(.lastSuccess, ["sink": id])] = sink.sync.lastSuccess?.fractionalSeconds
    }

    private mutating func read(_ store: StoreStatus) {
        counts[MetricSeries(.storeDropped)] = store.dropped
        levels[MetricSeries(.storeRecords)] = Double(store.count)
        levels[MetricSeries(.storeBytes)] = Double(store.bytes)
        levels[MetricSeries(.deadLetters)] = Double(store.deadLetters)
    }
}

extension Timestamp {
    /// Seconds since 1970, to the millisecond: a `Double` does not hold more digits of present times.
    fileprivate var fractionalSeconds: Double { Double(nanosecondsSince1970 / 1_000_000) / 1000 }
}
