import HTTPDelivery
package import TrackEngine
public import TrackEngineSettings

extension MiataruSink {
    /// `type: miataru`: a Miataru server, through which a place is shared.
    public static let plugin = SinkPlugin(MiataruSettings.self)
}

/// `{type: miataru, url: "https://service.miataru.com", deviceID: {file: …}}`: a place that is shared through a server.
package struct MiataruSettings: SinkSettings {
    package static let type = "miataru"
    package static let summary =
        "A Miataru server, through which the place is shared with those who know the device's id."

    /// The server's address; `https` unless it is this machine or ``allowInsecure`` is on. Required.
    package var url = ""
    /// The id under which the place is shared. Without one the agent makes and keeps it.
    package var deviceID: SecretReference?
    /// What the server demands of those who write under the id.
    package var deviceKey: SecretReference?
    /// Whether the server keeps a history. Default false.
    package var history = false
    /// How long the server keeps what it has, in minutes. Default 1440.
    package var retention = 1440
    /// Files for TLS.
    package var tls = TLSFiles()
    /// Allows `http` to other machines. Default false.
    package var allowInsecure = false
    /// How long one exchange may take, in milliseconds. Default 10 000.
    package var httpTimeout = 10_000

    package init() {}

    /// How long an exchange may take, in milliseconds.
    static let timeouts = HTTPExchange.timeouts

    package static let fields: [Field<Self>] = [
        .endpoint("url", \.url).required()
            .meaning("The server's address without /v1; https unless it is this machine or allowInsecure is on."),
        .secret("deviceID", \.deviceID)
            .meaning(
                "The id under which the place is shared; whoever knows it can ask for the place; null for one that is made and kept."
            ),
        .secret("deviceKey", \.deviceKey)
            .meaning("What the server demands of those who write under the id, once a key has been set there."),
        .flag("history", \.history)
            .meaning("Whether the server keeps a history; otherwise it has the newest place alone."),
        .integer("retention", \.retention, MiataruSink.Configuration.retentions, "minutes")
            .meaning("How long the server keeps what it has."),
        .table("tls", \.tls, TLSFiles.fields).meaning("Files for TLS."),
        .flag("allowInsecure", \.allowInsecure)
            .meaning("Allows http to other machines: everyone on the way can read place, id and key."),
        .integer("httpTimeout", \.httpTimeout, timeouts, "milliseconds")
            .meaning("How long one exchange may take."),
    ]

    /// A history is sent as it comes; of a batch without one only the newest place matters.
    package var cautionAboutSeveralSources: String? {
        "deviceID = one: places of several sources are shared as those of one device"
    }
}

extension MiataruSettings {
    package mutating func check(_ table: inout TableDecoder) {
        let identity = MiataruIdentity(deviceID: Secret("x"))
        let isReadable = Endpoint(ifReadable: url) != nil  // what is missing or malformed was reported when it was read
        for problem in configuration(identity).problems where isReadable || problem.key != "url" {
            table.reject(problem)
        }
    }

    package func makeSink(named name: SinkID, _ context: PluginContext) throws(ConfigurationError) -> any FixSink {
        let keeper = try Self.keeper(name.rawValue, deviceID, deviceKey, context)
        do throws(ConfigurationError) {
            return try MiataruSink(
                id: name, configuration: configuration(try identity(context)), keeper: keeper)
        } catch {
            throw ConfigurationError(
                problems: error.problems.map { problem in
                    let key = TLSFiles.key(ofOption: problem.key) ?? problem.key
                    return ConfigurationProblem(key: key, value: problem.value, expectation: problem.expectation)
                })
        }
    }

    package func sharingAccount(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> (any SharingAccount)? {
        let keeper = try Self.keeper(name.rawValue, deviceID, deviceKey, context)
        return MiataruAccount(
            try MiataruServer(configuration(MiataruIdentity(deviceID: Secret("x"))).address), keeper)
    }

    /// Who knows the identity of a source or sink: the configuration, if it names one.
    static func keeper(
        _ name: String, _ deviceID: SecretReference?, _ deviceKey: SecretReference?, _ context: PluginContext
    ) throws(ConfigurationError) -> IdentityKeeper {
        guard let deviceID else {
            guard deviceKey == nil else {
                throw ConfigurationError(problems: [
                    ConfigurationProblem(
                        key: "deviceKey", value: "***",
                        expectation: "a deviceID beside it; the key of an id that is made here is kept with it")
                ])
            }
            return .file(IdentityFile(of: name, in: context.stateDirectory ?? "."))
        }
        var identity = MiataruIdentity(deviceID: try context.secret("deviceID", deviceID))
        if let deviceKey { identity.deviceKey = try context.secret("deviceKey", deviceKey) }
        let first = identity
        return .configuration {
            var renewed = first
            renewed.deviceID = await context.currentSecret("deviceID") ?? first.deviceID
            if first.deviceKey != nil { renewed.deviceKey = await context.currentSecret("deviceKey") }
            return renewed
        }
    }

    /// The identity that the configuration names; where it names none, one that stands for what is kept.
    private func identity(_ context: PluginContext) throws(ConfigurationError) -> MiataruIdentity {
        guard let deviceID else { return MiataruIdentity(deviceID: Secret(Self.idInPlaceOfKept)) }
        var identity = MiataruIdentity(deviceID: try context.secret("deviceID", deviceID))
        if let deviceKey { identity.deviceKey = try context.secret("deviceKey", deviceKey) }
        return identity
    }

    /// The id in bodies that are shown and not sent.
    private static let idInPlaceOfKept = "00000000-0000-0000-0000-000000000000"

    /// The sink's configuration.
    private func configuration(_ identity: MiataruIdentity) -> MiataruSink.Configuration {
        var sink = MiataruSink.Configuration(url: url, identity: identity)
        sink.history = history
        sink.retention = retention
        sink.tls = tls
        sink.allowInsecure = allowInsecure
        sink.httpTimeout = .milliseconds(httpTimeout)
        return sink
    }
}
