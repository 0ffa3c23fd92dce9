import Encryption
import TrackEngine
public import TrackEngineSettings

extension OverlandSink {
    /// `type: overland`: a receiver of the Overland format over HTTP.
    public static let plugin = SinkPlugin(
        OverlandSettings.self, setupLink: OverlandSetupLink.format,
        inheritedKeys: ["httpTimeout", "method", "desiredAccuracy"])
}

/// `{type: overland, url: "https://…", token: {file: …}}`: a receiver of the Overland format over HTTP.
package struct OverlandSettings: AuthenticationSettings {
    package static let type = "overland"
    package static let summary = "A receiver of the Overland format over HTTP."

    /// The sink's configuration, with the values that need neither a secret nor the agent's device.
    package var configuration = OverlandSink.Configuration(url: "", deviceID: "")
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
    /// The name in each record, instead of the agent's own device id.
    package var deviceID: String?
    /// The events that are sent in addition to positions. Default none.
    package var events: [EventKind] = []

    package init() {}

    package static let fields: [Field<Self>] = [
        .url,
        .preset.meaning(
            "A receiver with known requirements: sets the address's path and the keys below it; keys that are set take precedence."
        ),
        .token,
        .basicAuth,
        .headers,
        .auth,
        .choice("profile", \.configuration.profile)
            .meaning("The format of requests: Overland's, that of the Trace server, or CalmGeo's."),
        .deviceID,
        .tls,
        .flag("allowInsecure", \.configuration.allowInsecure)
            .meaning("Allows http to other machines: everyone on the way can read the positions and the token."),
        .choice("timestamps", \.configuration.timestampPrecision, timestampWords)
            .meaning("How exact the times of records are; every receiver takes seconds."),
        .flag("integerSpeed", \.configuration.integerSpeed).meaning(
            "Rounds speeds to whole metres per second, for Wayfinder."),
        .choice("battery", \.configuration.unknownBattery, batteryWords)
            .meaning("How an unknown battery is sent: as Overland sends it, not at all, or as a full one."),
        .choices("events", \.events)
            .meaning(
                "Which events are sent in addition to positions, for receivers that know Overland's features of them."),
        .integer("assumedAccuracy", \.configuration.assumedAccuracy, OverlandSink.Configuration.accuracies, "metres")
            .meaning("The accuracy that is sent for a fix without one, for receivers that drop it; null sends -1."),
        .flag("latestOnly", \.configuration.latestOnly)
            .meaning("Sends of the positions that wait only the newest, and settles the others; events are sent all."),
        .flag("trackingStatistics", \.configuration.trackingStatistics)
            .meaning("Adds Overland's tracking stats to each location."),
        .desiredAccuracy("desiredAccuracy", \.configuration.desiredAccuracy)
            .meaning("With trackingStatistics: the accuracy that is sent, in place of that of the section tracking."),
        .flag("uniqueID", \.configuration.uniqueID).meaning(
            "Adds unique_id, a UUID that is made of the device's name."),
        .flag("takesSettings", \.configuration.takesSettings)
            .meaning("Takes settings that replies want (set), as far as control.remoteKeys allows them."),
        .integer(
            "maximumBodyLength", \.configuration.maximumBodyLength, OverlandSink.Configuration.bodyLengths, "bytes"
        )
        .meaning("The longest body that is sent; null leaves it to the receiver."),
        .text("tokenParameter", \.configuration.tokenParameter)
            .meaning("The parameter of the address in which token is sent; null for the Authorization header."),
        .choice("success", \.configuration.success, successWords)
            .meaning("Which replies acknowledge a batch: 2xx with result ok, or any 2xx; null goes by the profile."),
        .choice("method", \.configuration.method).meaning("The request's method."),
        .httpTimeout,
    ]
}

// MARK: Values

extension OverlandSettings {
    private static let timestampWords: [(String, Timestamp.Precision)] = [
        ("seconds", .seconds), ("milliseconds", .milliseconds),
    ]
    private static let batteryWords: [(String, OverlandSink.Configuration.UnknownBattery)] = [
        ("asOverland", .unknown), ("omit", .omitted), ("mains", .mains),
    ]
    private static let successWords: [(String, OverlandSink.Configuration.SuccessRule)] = [
        ("ok", .resultOK), ("any2xx", .any2xx),
    ]

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
}

extension OverlandSettings: EncryptedSettings {
    package var encryptedPlaces: [any EncryptedDirectory] { [] }

    /// The files of the tokens of all sinks over HTTP, of any type.
    package static func encryptedPlaces(in stateDirectory: String) -> [any EncryptedDirectory] {
        [EncryptedFiles(in: TokenFile.directory(in: stateDirectory))]
    }
}
