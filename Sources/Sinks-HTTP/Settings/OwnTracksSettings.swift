import OwnTracksFormat
package import TrackEngine
public import TrackEngineSettings

extension OwnTracksSink {
    /// `type: owntracks`: a receiver of OwnTracks' HTTP mode.
    public static let plugin = SinkPlugin(OwnTracksSettings.self)
}

/// `{type: owntracks, url: "https://…/pub", user: jane}`: a receiver of OwnTracks' HTTP mode.
package struct OwnTracksSettings: AuthenticationSettings, SyncSettings, ReceiverSettings {
    package static let type = "owntracks"
    package static let summary = "A receiver of OwnTracks' HTTP mode, such as its Recorder: one location a request."

    /// The sink's configuration, with the values that need neither a secret nor the agent's device.
    package var configuration = OwnTracksSink.Configuration(url: "", user: "", deviceID: "")
    /// The owner of the device; by default the user of ``basicAuth``, else `trackengine`.
    package var user: String?
    /// The device's name, instead of the agent's own device id.
    package var deviceID: String?
    package var token: SecretReference?
    package var basicAuth: BasicAuthenticationSettings?
    package var headers: [HeaderSettings] = []
    /// The source of a token that expires, instead of ``token``.
    package var auth = TokenSettings()
    /// The key that encrypts messages. Default none: messages are not encrypted.
    package var secret: SecretReference?

    package init() {}

    package static let fields: [Field<Self>] = [
        .url,
        .text("user", \.user, .device)
            .meaning("The owner of the device, X-Limit-U; null for the user of basicAuth, else trackengine."),
        .text("deviceID", \.deviceID, .device).meaning("The device's name, X-Limit-D, instead of device.id."),
        .text("trackerID", \.configuration.trackerID)
            .meaning(
                "The two characters on OwnTracks' map; null for the last two letters and digits of the device's id."),
        .basicAuth,
        .token,
        .headers,
        .auth,
        .secret("secret", \.secret)
            .meaning("The secret that messages are encrypted with: its first 32 bytes, as in OwnTracks' apps."),
        .integer("assumedAccuracy", \.configuration.assumedAccuracy, OwnTracksSink.Configuration.accuracies, "metres")
            .meaning("The accuracy that is sent where it is unknown; receivers drop a position without one."),
        .commands("commands", \.configuration.commands).meaning("Which commands in replies are carried out."),
        .tls,
        .flag("allowInsecure", \.configuration.allowInsecure)
            .meaning(
                "Allows http to other machines: everyone on the way can read credentials, and positions without a secret."
            ),
        .httpTimeout,
    ]

    package mutating func check(_ table: inout TableDecoder) {
        rejectTokens(in: &table)
        reject(configuration(device: "device", standIns, secret: secret.map { _ in Secret("x") }).problems, in: &table)
    }

    /// One record per request, because viewers of a map expect each record without delay.
    package var defaultSyncThreshold: Int? { 1 }

    package func makeSink(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any FixSink {
        let credentials = try credentials(context)
        let key = try secret.map { reference throws(ConfigurationError) in try context.secret("secret", reference) }
        let configuration = configuration(device: context.device, credentials, secret: key)
        do throws(ConfigurationError) {
            return try OwnTracksSink(
                id: name, configuration: configuration, credentials: { await renew(credentials, context) },
                tokens: accessTokens(of: name, context))
        } catch {
            throw ConfigurationError(problems: error.problems.map(inWordsOfSettings))
        }
    }

    /// The sink's configuration, on an agent with this device id.
    func configuration(
        device: DeviceID, _ credentials: RequestCredentials, secret: Secret?
    ) -> OwnTracksSink.Configuration {
        var sink = configuration
        (sink.user, sink.deviceID, sink.secret) = (effectiveUser, self.device(device), secret)
        sink.credentials = credentials
        return sink
    }

    private var effectiveUser: String {
        user ?? basicAuth.map(\.user).flatMap { TextRule.device.isSatisfied(by: $0) ? $0 : nil } ?? "trackengine"
    }

    package var receiverName: ReceiverName? {
        ReceiverName(user: effectiveUser, device: deviceID.map(DeviceID.init(rawValue:)), key: "deviceID") {
            RecorderName.folded(user: $0, device: $1)
        }
    }

    package var readers: String? { secret == nil ? Endpoint.readers(of: url) : "everyone with the secret" }
}
