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
    /// A receiver of which it is known what it needs; what is said beside it holds.
    package var preset: OverlandPreset?
    /// The bearer token.
    package var token: SecretReference?
    /// HTTP basic authentication, instead of ``token``.
    package var basicAuth: BasicAuthenticationSettings?
    /// More header fields for each request; their values may be secrets.
    package var headers: [HeaderSettings] = []
    /// Where a token comes from that expires, instead of ``token``.
    package var auth = TokenSettings()
    /// What the request looks like. Default overland.
    package var profile = Profile.overland
    /// The name in each record, instead of the agent's own device id.
    package var deviceID: String?
    /// Files for TLS.
    package var tls = TLSFiles()
    /// Allows `http` to other machines: everyone on the way can read the positions and the token. Default false.
    package var allowInsecure = false
    /// How exact the times of records are. Default seconds, which every receiver takes.
    package var timestamps = TimestampStyle.seconds
    /// Rounds speeds to whole metres per second, for Wayfinder. Default false.
    package var integerSpeed = false
    /// What is said about a battery that nothing is known of. Default asOverland.
    package var battery = BatteryStyle.asOverland
    /// Which events are sent beside positions. Default none.
    package var events: [EventKind] = []
    /// Metres to claim for a fix whose accuracy is unknown. Default none: -1, as Overland has it.
    package var assumedAccuracy: Int?
    /// Whether only the newest of the positions that wait is sent. Default false.
    package var latestOnly = false
    /// Whether Overland's tracking stats are sent. Default false.
    package var trackingStatistics = false
    /// What they tell as the desired accuracy.
    package var desiredAccuracy = DesiredAccuracy.best
    /// Whether a UUID of the device is sent. Default false.
    package var uniqueID = false
    /// Whether settings in replies are taken. Default false.
    package var takesSettings = false
    /// The longest body that is sent, in bytes. Default none.
    package var maximumBodyLength: Int?
    /// The parameter of the address in which the token is sent. Default none: it goes into a header field.
    package var tokenParameter: String?
    /// Which replies acknowledge a batch; by default what the profile's receivers send.
    package var success: SuccessRule?
    /// The request's method. Default POST.
    package var method = HTTPMethod.post
    /// How long one exchange may take, in milliseconds, 100 to 600 000. Default 10 000.
    package var httpTimeout = 10_000

    package init() {}

    /// CalmGeo has these keys in its one table.
    package static let inheritedKeys = ["httpTimeout", "method", "desiredAccuracy"]

    package static let fields: [Field<Self>] = [
        .url,
        .preset.meaning(
            "A receiver of which it is known what it needs: sets the address's path and the keys below it; keys beside it hold."
        ),
        .token,
        .basicAuth,
        .headers,
        .auth,
        .choice("profile", \.profile)
            .meaning("What requests look like: as Overland's, as the Trace server takes them, or as CalmGeo's."),
        .deviceID,
        .tls,
        .flag("allowInsecure", \.allowInsecure)
            .meaning("Allows http to other machines: everyone on the way can read the positions and the token."),
        .choice("timestamps", \.timestamps)
            .meaning("How exact the times of records are; every receiver takes seconds."),
        .flag("integerSpeed", \.integerSpeed).meaning("Rounds speeds to whole metres per second, for Wayfinder."),
        .choice("battery", \.battery)
            .meaning("What is said about an unknown battery: as Overland says it, nothing, or that it is full."),
        .choices("events", \.events)
            .meaning("Which events are sent beside positions, for receivers that know Overland's features of them."),
        .integer("assumedAccuracy", \.assumedAccuracy, OverlandSink.Configuration.accuracies, "metres")
            .meaning("The accuracy of a fix whose own is unknown, for receivers that drop it; null says -1."),
        .flag("latestOnly", \.latestOnly)
            .meaning("Sends of the positions that wait only the newest, and settles the others; events are sent all."),
        .flag("trackingStatistics", \.trackingStatistics)
            .meaning("Adds what Overland calls tracking stats to each location."),
        .desiredAccuracy("desiredAccuracy", \.desiredAccuracy)
            .meaning("With trackingStatistics: the accuracy that is told, in place of that of the section tracking."),
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

// MARK: What its values are

extension OverlandSettings {
    /// The shapes of requests.
    package enum Profile: String, Sendable, Hashable, CaseIterable {
        /// What every receiver of the Overland format takes.
        case overland
        /// The Trace server's `/dump`.
        case trace
        /// CalmGeo's own array of records.
        case calmgeo
    }

    /// How exact times are written.
    package enum TimestampStyle: String, Sendable, Hashable, CaseIterable {
        case seconds, milliseconds
    }

    /// What is said about an unknown battery.
    package enum BatteryStyle: String, Sendable, Hashable, CaseIterable {
        /// State `unknown` and level -1, as Overland does.
        case asOverland
        /// Nothing.
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
        /// Pauses and the like.
        case action
        /// Signs of life at rest, as positions.
        case heartbeat
    }

    /// Which replies acknowledge a batch.
    package enum SuccessRule: String, Sendable, Hashable, CaseIterable {
        /// 2xx with a JSON object whose `result` is `ok`.
        case ok
        /// Any 2xx.
        case any2xx
    }
}

extension OverlandSettings {
    /// The tokens of all sinks that send by HTTP, of whichever type.
    package static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedPlace] {
        [SealedFiles(in: TokenFile.directory(in: stateDirectory))]
    }
}
