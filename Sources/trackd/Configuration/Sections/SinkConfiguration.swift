package import TrackEngine

/// Where records are delivered, by whatever type of sink.
package struct SinkConfiguration: Sendable, Hashable {
    /// The sink's name, its type unless the file says otherwise. The store keeps the sink's cursor under it.
    package var name: SinkID
    /// When records are sent. `autoSync` is on unless the file says otherwise.
    package var sync = SyncConfiguration()
    /// What is particular to its type.
    package var kind: any SinkKind

    package init(name: SinkID, kind: any SinkKind) {
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

    /// Every type of sink; a new one is a file and a row here.
    static let kinds: [any SinkKind.Type] = [
        OverlandSinkConfiguration.self,
        MQTTSinkConfiguration.self,
    ]
}

/// The settings of a type of sink.
package protocol SinkKind: ConfigurationKind {
    /// Takes over what `tracking` says for all sinks, before the sink's own keys are read.
    mutating func adopt(httpTimeout: Int?, method: HTTPMethod?)
    /// What two sinks of the type must not have in common, with the key that tells them apart; `nil` if they may.
    var claim: SinkClaim? { get }
    /// The threshold where the file names none, if the type has one of its own.
    var defaultSyncThreshold: Int? { get }
    /// What a person should know about settings that are allowed, each as `key = value: …`.
    var cautions: [String] { get }
    /// The sink that the settings describe; nothing is sent yet. Its files and secrets are read here.
    ///
    /// - Throws: what only the sink itself can find wrong, under its own keys.
    func makeSink(named name: SinkID, _ context: CompositionContext) throws(ConfigurationError) -> any FixSink
}

/// Something that one sink has for itself.
package struct SinkClaim: Sendable {
    /// What it is; equal for those that would get in each other's way.
    let place: String
    /// The key to change.
    let key: String
    /// What is expected there.
    let expectation: String
}

extension SinkKind {
    package mutating func adopt(httpTimeout: Int?, method: HTTPMethod?) {}
    package var claim: SinkClaim? { nil }
    package var defaultSyncThreshold: Int? { nil }
    package var cautions: [String] { [] }
}

extension SyncConfiguration {
    /// The keys that every sink has.
    static let fields: [Field<Self>] = [
        .flag("autoSync", \.autoSync),
        .integer("syncThreshold", \.syncThreshold, 1...1_000_000, "records"),
        .integer("maxBatchSize", \.maxBatchSize, 1...10_000, "records"),
        .table(
            "backoff", \.backoff,
            [
                .seconds("maximum", \.maximum, 1...86_400),
                .flag("jitter", \.jitter),
            ]),
    ]
}

extension SinkConfiguration {
    /// Reads the sinks from the whole configuration.
    static func decode(_ root: inout TableDecoder, _ delivery: DeliveryDefaults) -> [SinkConfiguration] {
        var names = UniqueNames()
        var places: Set<String> = []
        return root.tables("sinks") { table in
            let type = table.type(of: kinds) { $0.type }
            let name = names.next(type?.type, &table)
            guard let type else { return nil }
            var kind = type.init()
            kind.adopt(httpTimeout: delivery.httpTimeout, method: delivery.method)
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
        return .kind(kind, name: name.rawValue, common)
    }
}

extension SyncConfiguration {
    fileprivate mutating func adopt(_ delivery: DeliveryDefaults) {
        autoSync = delivery.autoSync ?? autoSync
        syncThreshold = delivery.syncThreshold ?? syncThreshold
        maxBatchSize = delivery.maxBatchSize ?? maxBatchSize
    }
}
