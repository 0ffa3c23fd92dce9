package import TrackEngine
public import TrackEngineSettings

extension OsmAndSink {
    /// `type: osmand`: a Traccar server, by its protocol OsmAnd.
    public static let plugin = SinkPlugin(OsmAndSettings.self)
}

/// `{type: osmand, url: "https://…:5055"}`: a Traccar server, by its protocol OsmAnd.
package struct OsmAndSettings: AuthenticationSettings, WarningSettings {
    package static let type = "osmand"
    package static let summary = "A Traccar server, by its protocol OsmAnd (port 5055): one position a request."

    /// The sink's configuration, with the values that need neither a secret nor the agent's device.
    package var configuration = OsmAndSink.Configuration(url: "", deviceID: "")
    /// The identifier of the device in Traccar, instead of the agent's own device id.
    package var deviceID: String?
    /// The bearer token, for a proxy in front of the server.
    package var token: SecretReference?
    package var basicAuth: BasicAuthenticationSettings?
    package var headers: [HeaderSettings] = []
    /// The source of a token that expires, instead of ``token``.
    package var auth = TokenSettings()

    package init() {}

    package static let fields: [Field<Self>] = [
        .url,
        .deviceID,
        .choice("format", \.configuration.format)
            .meaning(
                "How a position is written: as parameters of the address, or as the JSON of Traccar's newer client."),
        .flag("transitions", \.configuration.tellsTransitions)
            .meaning(
                "Sends that a place was entered or left, as a position with the attribute event: geofenceEnter, geofenceExit or geofenceDwell."
            ),
        .token,
        .basicAuth,
        .headers,
        .auth,
        .tls,
        .flag("allowInsecure", \.configuration.allowInsecure)
            .meaning(
                "Allows http to other machines, as Traccar's port 5055 speaks it without a proxy: everyone on the way can read the positions."
            ),
        .httpTimeout,
    ]

    package mutating func check(_ table: inout TableDecoder) {
        rejectTokens(in: &table)
        reject(configuration(device: "device", standIns).problems, in: &table)
    }

    /// A warning about `https` at port 5055, where a Traccar server has no TLS by default.
    package func cautions(beside tracking: RecordingConfiguration, sourceCount: Int) -> [String] {
        guard let origin = Endpoint(ifReadable: url)?.origin, origin.port == 5055, origin.scheme == .https else {
            return []
        }
        return [
            "url = \(origin): Traccar's own port 5055 speaks http, which wants allowInsecure: true; https needs a proxy with TLS before it"
        ]
    }

    func inWordsOfSettings(_ problem: ConfigurationProblem) -> ConfigurationProblem {
        let own = inWordsOfCredentials(problem)
        guard problem.key == "url", problem.expectation.hasPrefix("https") else { return own }
        return ConfigurationProblem(
            key: own.key, value: own.value,
            expectation: "\(own.expectation), as Traccar's own port 5055 speaks it without a proxy")
    }

    package func makeSink(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any FixSink {
        let credentials = try credentials(context)
        do throws(ConfigurationError) {
            return try OsmAndSink(
                id: name, configuration: configuration(device: context.device, credentials),
                credentials: { await renew(credentials, context) }, tokens: accessTokens(of: name, context))
        } catch {
            throw ConfigurationError(problems: error.problems.map(inWordsOfSettings))
        }
    }

    /// The sink's configuration, on an agent with this device id.
    package func configuration(
        device: DeviceID, _ credentials: RequestCredentials = RequestCredentials()
    ) -> OsmAndSink.Configuration {
        var sink = configuration
        (sink.deviceID, sink.credentials) = (self.device(device), credentials)
        return sink
    }
}
