import Encryption
import OwnTracksFormat
import TrackEngine
import TrackEngineSettings

/// Encodes requests of OwnTracks' HTTP mode.
struct LocationEncoder: Sendable {
    /// Header fields with the user and the device.
    let headers: [(name: String, value: String)]
    /// Encrypts the messages; `nil` for unencrypted messages.
    let secret: OwnTracksSecret?
    private let location: LocationMessage
    private let transition: TransitionMessage
    private let quotedTopic: [UInt8]
    private let quotedEventTopic: [UInt8]

    init(_ configuration: OwnTracksSink.Configuration) throws(ConfigurationError) {
        headers = [("X-Limit-U", configuration.user), ("X-Limit-D", configuration.deviceID.rawValue)]
        let trackerID = configuration.trackerID ?? TrackerID.ofDevice(configuration.deviceID)
        location = LocationMessage(trackerID: trackerID, assumedAccuracy: configuration.assumedAccuracy)
        transition = TransitionMessage(trackerID: trackerID, assumedAccuracy: configuration.assumedAccuracy)
        do throws(EncryptionError) {
            secret = if let text = configuration.secret { try OwnTracksSecret(text) } else { nil }
        } catch {
            throw ConfigurationError("secret", "***", error.description)
        }
        let topic = "owntracks/\(configuration.user)/\(configuration.deviceID)"
        quotedTopic = Self.quoted(topic)
        quotedEventTopic = Self.quoted(topic + "/event")
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }

    func body(of record: TrackRecord) -> [UInt8] {
        sealed(
            transition.payload(of: record, quotedTopic: quotedEventTopic)
                ?? location.payload(of: record, quotedTopic: quotedTopic))
    }

    /// The message that answers a command; `nil` if there is none.
    func answer(_ command: RemoteCommand, result: [UInt8]) -> [UInt8]? {
        CommandReplyMessage(command, result: result, location: location, quotedTopic: quotedTopic).map {
            sealed($0.payload)
        }
    }

    private func sealed(_ payload: [UInt8]) -> [UInt8] { secret?.sealed(payload) ?? payload }
}
