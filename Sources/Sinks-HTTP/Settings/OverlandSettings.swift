import SealedFiles
package import TrackEngine
public import TrackEngineSettings

extension OverlandSink {
    /// `type: overland`: a receiver of the Overland format over HTTP.
    public static let plugin = SinkPlugin(OverlandSettings.self, setupLink: OverlandSetupLink.format)
}

/// `{type: overland, url: "https://…", token: {file: …}}`: a receiver of the Overland format over HTTP.
package struct OverlandSettings: CredentialSettings {
    package static let type = "overland"
    package static let summary = "A receiver of the Overland format over HTTP."

    /// The receiver's address; `https` unless it is this machine or ``allowInsecure`` is on. Required.
    package var url = ""
    /// A receiver with known requirements; keys that are set explicitly override the preset.
    package var preset: OverlandPreset?
    /// The bearer token.
    package var token: SecretReference?
    /// HTTP basic authentication, instead of ``token``.
    package var basicAuth: BasicAuthenticationSettings?
    /// More header fields for each request; their values may be secrets.
    package var headers: [HeaderSettings] = []
    /// The source of a token that expires, instead of ``token``.
    package var auth = TokenSettings()
    /// The shape of requests. Default overland.
    package var profile = Profile.overland
    /// The name in each record, instead of the agent's own device id.
    package var deviceID: String?
    /// Files for TLS.
    package var tls = TLSFiles()
    /// Allows `http` to other machines, so that anyone on the path can read the positions and the token. Default
    /// false.
    package var allowInsecure = false
    /// The precision of the times of records. Default seconds, which every receiver accepts.
    package var timestamps = TimestampStyle.seconds
    /// Rounds speeds to whole metres per second, for Wayfinder. Default false.
    package var integerSpeed = false
    /// The form of an unknown battery. Default asOverland.
    package var battery = BatteryStyle.asOverland
    /// The events that are sent in addition to positions. Default none.
    package var events: [EventKind] = []
    /// The accuracy in metres for a fix of unknown accuracy. Default none: -1, as in Overland.
    package var assumedAccuracy: Int?
    /// Whether only the newest of the queued positions is sent. Default false.
    package var latestOnly = false
    /// Whether Overland's tracking stats are sent. Default false.
    package var trackingStatistics = false
    /// The desired accuracy in the tracking stats.
    package var desiredAccuracy = DesiredAccuracy.best
    /// Whether a UUID of the device is sent. Default false.
    package var uniqueID = false
    /// Whether settings in replies are applied. Default false.
    package var takesSettings = false
    /// The longest body that is sent, in bytes. Default none.
    package var maximumBodyLength: Int?
    /// The parameter of the address that carries the token. Default none: the token is in a header field.
    package var tokenParameter: String?
    /// The replies that acknowledge a batch; by default the rule of the profile.
    package var success: SuccessRule?
    /// The request's method. Default POST.
    package var method = HTTPMethod.post
    /// The longest duration of one exchange, in milliseconds, 100 to 600 000. Default 10 000.
    package var httpTimeout = 10_000

    package init() {}

    /// The keys that CalmGeo has in its single table.
    package static let inheritedKeys = ["httpTimeout", "method", "desiredAccuracy"]

    package static let fields: [Field<Self>] = [
        .url,
        .preset.meaning(
            "A receiver with known requirements: sets the address's path and the keys below it; keys that are set take precedence."
        ),
        .token,
        .basicAuth,
        .headers,
        .auth,
        .choice("profile", \.profile)
            .meaning("The format of requests: Overland's, that of the Trace server, or CalmGeo's."),
        .deviceID,
        .tls,
        .flag("allowInsecure", \.allowInsecure)
            .meaning("Allows http to other machines: everyone on the way can read the positions and the token."),
        .choice("timestamps", \.timestamps)
            .meaning("How exact the times of records are; every receiver takes seconds."),
        .flag("integerSpeed", \.integerSpeed).meaning("Rounds speeds to whole metres per second, for Wayfinder."),
        .choice("battery", \.battery)
            .meaning("How an unknown battery is sent: as Overland sends it, not at all, or as a full one."),
        .choices("events", \.events)
            .meaning(
                "Which events are sent in addition to positions, for receivers that know Overland's features of them."),
        .integer("assumedAccuracy", \.assumedAccuracy, OverlandSink.Configuration.accuracies, "metres")
            .meaning("The accuracy that is sent for a fix without one, for receivers that drop it; null sends -1."),
        .flag("latestOnly", \.latestOnly)
            .meaning("Sends of the positions that wait only the newest, and settles the others; events are sent all."),
        .flag("trackingStatistics", \.trackingStatistics)
            .meaning("Adds Overland's tracking stats to each location."),
        .desiredAccuracy("desiredAccuracy", \.desiredAccuracy)
            .meaning("With trackingStatistics: the accuracy that is sent, in place of that of the section tracking."),
        .flag("uniqueID", \.uniqueID).meaning("Adds unique_id, a UUID that is made of the device's name."),
        .flag("takesSettings", \.takesSettings)
            .meaning("Takes settings that replies want (set), as far as control.remoteKeys allows them."),
        .integer("maximumBodyLength", \.maximumBodyLength, OverlandSink.Configuration.bodyLengths, "bytes")
            .meaning("The longest body that is sent; null leaves it to the receiver."),
        .text("tokenParameter", \.tokenParameter)
            .meaning("The parameter of the address in which token is sent; null for the Authorization header."),
        .choice("success", \.success)
            .meaning("Which replies acknowledge a batch: 2xx with result ok, or any 2xx; null goes by the profile."),
        .choice("method", \.method).meaning("The request's method."),
        .httpTimeout,
    ]
}

// MARK: Values

extension OverlandSettings {
    /// The shapes of requests.
    package enum Profile: String, Sendable, Hashable, CaseIterable {
        /// The format that every Overland receiver accepts.
        case overland
        /// The Trace server's `/dump`.
        case trace
        /// CalmGeo's own array of records.
        case calmgeo
    }

    /// The precision of times.
    package enum TimestampStyle: String, Sendable, Hashable, CaseIterable {
        case seconds, milliseconds
    }

    /// The form of an unknown battery.
    package enum BatteryStyle: String, Sendable, Hashable, CaseIterable {
        /// State `unknown` and level -1, as Overland does.
        case asOverland
        /// No battery.
        case omit
        /// Full, for a machine on mains power and receivers that drop records without a battery.
        case mains
    }

    /// Events that have a feature of their own.
    package enum EventKind: String, Sendable, Hashable, CaseIterable {
        /// Arrivals and departures.
        case visit
        /// Trips, when they have ended.
        case trip
        /// Pauses and similar actions.
        case action
        /// Heartbeats at rest, as positions.
        case heartbeat
    }

    /// The replies that acknowledge a batch.
    package enum SuccessRule: String, Sendable, Hashable, CaseIterable {
        /// 2xx with a JSON object that has `ok` as `result`.
        case ok
        /// Any 2xx.
        case any2xx
    }
}

extension OverlandSettings {
    /// The files of the tokens of all sinks over HTTP, of any type.
    package static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedPlace] {
        [SealedFiles(in: TokenFile.directory(in: stateDirectory))]
    }
}
