import TrackEngineSettings

/// The section `control`: how `trackd status` and its kin reach the running agent.
package struct ControlSettings: Sendable, Hashable {
    /// The path of the agent's unix socket, at most 107 bytes; `null` switches it off. Default `trackd.sock` beside the
    /// store.
    package var socket: String?

    package init(socket: String?) {
        self.socket = socket
    }

    static let fields: [Field<Self>] = [
        .text("socket", \.socket, .socketPath)
            .meaning("The unix socket by which commands such as status reach the running agent; null switches it off.")
    ]
}

extension TextRule {
    fileprivate static let socketPath = TextRule(
        expectation: "a path of at most \(UnixSocket.longestPath) bytes, or null"
    ) { text in
        (1...UnixSocket.longestPath).contains(text.utf8.count) && TextRule.path.isSatisfied(by: text)
    }
}
