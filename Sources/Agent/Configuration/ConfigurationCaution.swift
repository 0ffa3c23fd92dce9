import Logging
import TrackEngine
import TrackEngineSettings

/// Something that a configuration may say and that has a consequence which a person should know.
package struct ConfigurationCaution: Sendable, Hashable {
    /// What it is about: `store`, or a sink by its name.
    package let subject: String
    /// The key, its value and what follows from it.
    package let text: String

    /// For a person: `sink home: protocol = 3.1.1: …`
    package var line: String { "\(subject): \(text)" }

    /// Tells the log.
    func log(to logger: Logger) {
        logger.warning("a setting has a consequence", metadata: ["of": "\(subject)", "setting": "\(text)"])
    }
}

extension AgentConfiguration {
    /// What a person should know about a configuration that can be used.
    ///
    /// - Parameter sourceCount: how many sources it comes to, which a plugin may make several of for one row.
    func cautions(sourceCount: Int) -> [ConfigurationCaution] {
        var cautions = store.kind.cautions.map { ConfigurationCaution(subject: "store", text: $0) }
        for sink in sinks {
            let mixing = sourceCount > 1 ? sink.kind.cautionAboutSeveralSources : nil
            cautions += (sink.kind.cautions + [mixing].compactMap(\.self)).map {
                ConfigurationCaution(subject: "sink \(sink.name)", text: $0)
            }
        }
        return cautions
    }
}
