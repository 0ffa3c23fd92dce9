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
        if let threshold = defaultSyncThreshold { sync.syncThreshold = threshold }
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

extension SinkConfiguration {
    /// Reads the sinks from the whole configuration.
    static func decode(
        _ root: inout TableDecoder, _ plugins: [SinkPlugin], _ delivery: DeliverySettings
    ) -> [SinkConfiguration] {
        var names = UniqueNameList()
        var places: Set<String> = []
        return root.tables("sinks") { table in
            let plugin = table.plugin(of: plugins, \.type)
            let name = names.next(plugin?.type, &table)
            guard let plugin else { return nil }
            var kind = plugin.settings.init()
            table.inherit(plugin.inheritedKeys, from: delivery.given)
            kind.read(&table)
            var sink = SinkConfiguration(name: SinkID(rawValue: name), kind: kind)
            if let claim = sink.conflict, claim.isRefused, !places.insert(claim.place).inserted {
                table.reject(claim.key, nil, claim.expectation)
            }
            sink.sync = delivery.sync.applied(to: sink.sync, SyncConfiguration.fields)
            for field in SyncConfiguration.fields { field.read(&table, &sink.sync) }
            table.reportUnknownKeys()
            return sink
        }
    }

    var shown: ConfigurationValue {
        let common = SyncConfiguration.fields.map { ConfigurationValue.Member(key: $0.name, value: $0.show(sync)) }
        return .element(kind, name: name.rawValue, common)
    }
}
