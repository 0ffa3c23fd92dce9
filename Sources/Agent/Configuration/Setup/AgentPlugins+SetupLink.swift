package import TrackEngineSettings

extension AgentPlugins {
    /// The longest link that is taken, in bytes.
    package static let longestLink = 8192

    /// Reads a link with which a receiver configures its senders.
    ///
    /// - Throws: that no plugin knows such links, or what the plugin finds wrong.
    package func setupLink(_ text: String) throws(SetupLink.Malformed) -> (link: SetupLink, type: String) {
        guard text.utf8.count <= Self.longestLink else {
            throw SetupLink.Malformed("expected a link of at most \(Self.longestLink) bytes")
        }
        for plugin in sinks {
            guard let format = plugin.setupLink, text.lowercased().hasPrefix(format.prefix) else { continue }
            return (try format.read(text), plugin.type)
        }
        throw SetupLink.Malformed("expected a link that begins with \(setupPrefixes.map { "\($0)?" }.inWords)")
    }

    /// What the links begin with that some plugin knows.
    package var setupPrefixes: [String] { sinks.compactMap { $0.setupLink?.prefix } }
}
