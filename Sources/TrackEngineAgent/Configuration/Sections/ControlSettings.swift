import TrackEngineSettings

/// The section `control`: how `trackd status` and similar commands reach the running agent.
package struct ControlSettings: Sendable, Hashable {
    /// The path of the agent's unix socket, at most 107 bytes; `null` switches it off. Default: `trackd.sock` in the
    /// store's directory.
    package var socket: String?

    /// The keys that others may change through a sink that permits `setConfiguration`. Default: none.
    package var remoteKeys: [String] = []

    static let fields: [Field<Self>] = [
        .text("socket", \.socket, .socketPath)
            .meaning("The unix socket by which commands such as status reach the running agent; null switches it off."),
        .texts("remoteKeys", \.remoteKeys, .remoteKey, remoteKeysExpectation)
            .meaning("The keys that can be changed remotely through a sink with setConfiguration among its commands."),
    ]

    private static let remoteKeysExpectation =
        "a list of log.level and keys of tracking such as tracking.distanceFilter, but none of store, which would drop "
        + "undelivered records, of events or of sinks"
}

extension TextRule {
    fileprivate static let remoteKey = TextRule(
        expectation: "a key of tracking, or log.level",
        isSatisfied: RemoteValues.canChange)

    fileprivate static let socketPath = TextRule(
        expectation: "a path of at most \(UnixSocket.longestPath) bytes, or null"
    ) { text in
        (1...UnixSocket.longestPath).contains(text.utf8.count) && TextRule.path.isSatisfied(by: text)
    }
}
