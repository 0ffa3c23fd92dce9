import TrackEngine

extension Field {
    /// A list of the commands that others may send.
    package static func commands(
        _ name: String, _ path: any WritableKeyPath<Section, Set<RemoteCommand>> & Sendable
    ) -> Field {
        let words = RemoteCommand.allCases.map(\.rawValue)
        let rule = ValueRule<Set<RemoteCommand>>(.list, "a list of \(words.inWords)") { node in
            guard let elements = node.elements else { return nil }
            let commands = elements.compactMap { $0.text.flatMap(RemoteCommand.init(rawValue:)) }
            return commands.count == elements.count ? Set(commands) : nil
        }
        return value(
            name, path, rule,
            show: { commands in .list(RemoteCommand.allCases.filter(commands.contains).map { .text($0.rawValue) }) })
    }
}
