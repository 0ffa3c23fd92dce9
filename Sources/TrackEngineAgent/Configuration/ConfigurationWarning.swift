import Logging
import TrackEngine
import TrackEngineSettings

/// A warning about a valid configuration: a setting has a consequence that the user should know.
package struct ConfigurationWarning: Sendable, Hashable {
    /// The subject: `store`, `tracking`, a sink by its name, or the key of a secret.
    package let subject: String
    /// The key, its value and the consequence.
    package let text: String

    /// The warning for the user: `sink home: protocol = 3.1.1: …`
    package var line: String { "\(subject): \(text)" }

    func log(to logger: Logger) {
        logger.warning("a setting has a consequence", metadata: ["of": "\(subject)", "setting": "\(text)"])
    }
}

extension AgentConfiguration {
    /// The warnings about a valid configuration.
    ///
    /// - Parameter sourceCount: the number of sources; a plugin may make several of them from one entry.
    package func cautions(sourceCount: Int) -> [ConfigurationWarning] {
        var cautions = store.kind.cautions.map { ConfigurationWarning(subject: "store", text: $0) }
        cautions +=
            pathsForSecrets
            + tracking.settingsOfOtherRules.map {
                ConfigurationWarning(
                    subject: "tracking", text: "\($0): has no effect with record = \(tracking.record.rawValue)")
            }
        for sink in sinks {
            let keepsInPlain = sink.directory != nil && sink.encryptedPlaces.isEmpty
            let plain = store.kind.sealsRecords && keepsInPlain ? [Self.plainBesideSealed] : []
            cautions += (sink.cautions(beside: tracking, sourceCount: sourceCount) + plain).map {
                ConfigurationWarning(subject: "sink \(sink.name)", text: $0)
            }
        }
        return cautions + rivals + namesThatFallTogether
    }

    /// Warnings about sinks that share a resource that each should have for itself.
    private var rivals: [ConfigurationWarning] {
        var owners: [String: SinkID] = [:]
        return sinks.compactMap { sink in
            guard let rivalry = sink.conflict, !rivalry.isRefused else { return nil }
            guard let owner = owners[rivalry.place] else {
                owners[rivalry.place] = sink.name
                return nil
            }
            return ConfigurationWarning(
                subject: "sink \(sink.name)", text: "\(rivalry.key) = that of sink \(owner): \(rivalry.expectation)")
        }
    }

    /// Warnings about sinks that a server cannot distinguish although their names differ.
    private var namesThatFallTogether: [ConfigurationWarning] {
        let named = sinks.compactMap { sink in
            sink.receiverName.flatMap {
                name -> (sink: SinkID, name: ReceiverName, shown: String, folded: String)? in
                guard let device = name.device ?? self.device.id.map(DeviceID.init(rawValue:)) else { return nil }
                return (sink.name, name, "\(name.user)/\(device)", name.folded(name.user, device))
            }
        }
        return named.enumerated().compactMap { index, own in
            guard let other = named[..<index].first(where: { $0.folded == own.folded && $0.shown != own.shown }) else {
                return nil
            }
            return ConfigurationWarning(
                subject: "sink \(own.sink)",
                text: "\(own.name.key) = \(own.shown): a receiver may keep it with \(other.shown) of sink "
                    + "\(other.sink), as \(own.folded)")
        }
    }

    private static let plainBesideSealed =
        "directory = its own: places are kept there in plain, although the store is encrypted"

    /// Warnings about texts that are sent as secrets and are paths of files: the content of the file was probably
    /// meant.
    private var pathsForSecrets: [ConfigurationWarning] {
        secrets.compactMap { key, reference in
            guard case .literal(let secret) = reference, secret.revealed.hasPrefix("/"),
                FileStatus.following(secret.revealed)?.kind == .regular
            else { return nil }
            return ConfigurationWarning(
                subject: key,
                text: "the text itself is sent, though there is a file of that path: {file: PATH} reads one")
        }
    }
}

extension RecordingConfiguration {
    /// The keys of the section that are set and belong to another recording rule than the selected one.
    fileprivate var settingsOfOtherRules: [String] {
        let defaults = RecordingConfiguration()
        var keys: [String] = []
        if record != .any, record != .all {
            keys += [interval == nil ? nil : "interval", angle == nil ? nil : "angle"].compactMap(\.self)
        }
        if record != .deviation {
            if maximumDeviation != defaults.maximumDeviation { keys.append("maximumDeviation") }
            if maximumAltitudeDeviation != nil { keys.append("maximumAltitudeDeviation") }
            if maximumInterval != defaults.maximumInterval { keys.append("maximumInterval") }
        }
        return keys
    }
}
