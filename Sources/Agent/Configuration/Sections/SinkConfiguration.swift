package import TrackEngine
package import TrackEngineSettings

/// A destination of records: a sink of any type.
package struct SinkConfiguration: Sendable, Hashable {
    /// The sink's name; its type unless configured. The store saves the sink's cursor under it.
    package var name: SinkID
    /// The sync schedule. `autoSync` is on unless configured otherwise.
    package var sync = SyncConfiguration()
    /// The settings of its type.
    package var kind: any SinkSettings

    package init(name: SinkID, kind: any SinkSettings) {
        self.name = name
        self.kind = kind
    }

    package static func == (left: SinkConfiguration, right: SinkConfiguration) -> Bool {
        left.name == right.name && left.sync == right.sync && left.kind.isEqual(to: right.kind)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(sync)
        hasher.combine(kind)
    }
}

extension SyncConfiguration {
    /// The keys that every sink has.
    static let fields: [Field<Self>] = [
        .flag("autoSync", \.autoSync).meaning("Sends by itself; without it records wait for the command sync."),
        .integer("syncThreshold", \.syncThreshold, Bounds.syncThreshold, "records")
            .meaning("How many waiting records trigger a delivery."),
        .seconds("interval", \.interval, Bounds.interval)
            .meaning("How long a record waits for syncThreshold at the most; null for any time."),
        .integer("maxBatchSize", \.maxBatchSize, Bounds.maxBatchSize, "records")
            .meaning("The most records in one delivery."),
        .table(
            "backoff", \.backoff,
            [
                .seconds("maximum", \.maximum, 1...86_400).meaning("The longest wait between two attempts."),
                .flag("jitter", \.jitter).meaning("Varies the waits by chance, so that a fleet spreads its attempts."),
            ]
        ).meaning("The waits after failed deliveries."),
    ]
}

extension SinkConfiguration {
    /// Reads the sinks from the whole configuration.
    static func decode(
        _ root: inout TableDecoder, _ plugins: [SinkPlugin], _ delivery: DeliveryDefaults
    ) -> [SinkConfiguration] {
        var names = UniqueNames()
        var places: Set<String> = []
        return root.tables("sinks") { table in
            let plugin = table.plugin(of: plugins, \.type)
            let name = names.next(plugin?.type, &table)
            guard let plugin else { return nil }
            var kind = plugin.settings.init()
            table.inherit(plugin.settings.inheritedKeys, from: delivery.given)
            kind.read(&table)
            if let claim = kind.claim, !places.insert(claim.place).inserted {
                table.reject(claim.key, nil, claim.expectation)
            }
            var sink = SinkConfiguration(name: SinkID(rawValue: name), kind: kind)
            if let threshold = kind.defaultSyncThreshold { sink.sync.syncThreshold = threshold }
            sink.sync.adopt(delivery)
            for field in SyncConfiguration.fields { field.read(&table, &sink.sync) }
            table.reportUnknownKeys()
            return sink
        }
    }

    var shown: Shown {
        let common = SyncConfiguration.fields.map { Shown.Member(key: $0.name, value: $0.show(sync)) }
        return .element(kind, name: name.rawValue, common)
    }
}

extension SyncConfiguration {
    fileprivate mutating func adopt(_ delivery: DeliveryDefaults) {
        autoSync = delivery.autoSync ?? autoSync
        syncThreshold = delivery.syncThreshold ?? syncThreshold
        maxBatchSize = delivery.maxBatchSize ?? maxBatchSize
    }
}
