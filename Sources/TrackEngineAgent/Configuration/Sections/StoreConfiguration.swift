package import TrackEngine
package import TrackEngineSettings

/// The section `store`: the store of waiting records, of any type, and its retention.
package struct StoreConfiguration: Sendable, Hashable {
    /// The directory of the store, of the device id and of the control socket; made with mode 0700 if it is missing.
    package var path: String
    /// The limits on the age and the amount of stored records.
    package var retention = RetentionConfiguration()
    /// The settings of its type.
    package var kind: any StoreSettings

    package static func == (left: StoreConfiguration, right: StoreConfiguration) -> Bool {
        left.path == right.path && left.retention == right.retention && left.kind.isEqual(to: right.kind)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(retention)
        hasher.combine(kind)
    }

    /// Whether there may be records in a store that no agent has open. Opening it would make a missing one, and its
    /// files would belong to the calling user.
    package var mayHoldRecords: Bool {
        switch kind.site(in: path).place {
        case .memory: false
        case .files(let files): files.contains { FileStatus.at($0) != nil }
        case .elsewhere: true
        }
    }

    static let pathField = Field<Self>.text("path", \.path, .path)
        .meaning("The directory of store, device id and control socket; made with mode 0700 if it is missing.")
}

extension RetentionConfiguration {
    /// The keys that every store has; all of them can be changed while the agent runs.
    static let fields: [Field<Self>] = settings.map { Field($0) }
}

extension StoreConfiguration {
    static func decode(
        _ root: inout TableDecoder, _ plugins: AgentPlugins, default path: String, _ delivery: DeliverySettings
    ) -> StoreConfiguration {
        root.table("store") { table in
            let isTyped = table.node("type") != nil
            let plugin = isTyped ? table.plugin(of: plugins.stores, \.type) : plugins.defaultStore
            var store = StoreConfiguration(path: path, kind: (plugin ?? plugins.defaultStore).settings.init())
            pathField.read(&table, &store)
            store.retention = delivery.retention.applied(to: store.retention, RetentionConfiguration.fields)
            let days = store.retention.maxDaysToPersist
            for field in RetentionConfiguration.fields { field.read(&table, &store.retention) }
            if delivery.retention["maxDaysToPersist"] != nil, store.retention.maxDaysToPersist != days {
                table.reject(
                    "maxDaysToPersist", nil, "the same as tracking.maxDaysToPersist (\(days)), or only one of them")
            }
            if plugin == nil { table.forgiveUnknownKeys() } else { store.kind.read(&table) }
            return store
        }
    }

    var shown: ConfigurationValue {
        let common =
            [ConfigurationValue.Member(key: "path", value: Self.pathField.show(self))]
            + RetentionConfiguration.fields.map { ConfigurationValue.Member(key: $0.name, value: $0.show(retention)) }
        return .section(kind, common)
    }
}
