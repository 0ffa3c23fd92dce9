package import TrackEngine
package import TrackEngineSettings

/// A message `{"_type":"cmd","action":"…"}`, looked at: what to do, or why nothing is done.
package enum CommandMessage: Sendable, Hashable {
    /// An allowed command.
    case command(RemoteCommand)
    /// Nothing to be done, for this reason. It quotes nothing of the message.
    case rejected(String)

    /// Reads a command.
    ///
    /// - Parameters:
    ///   - message: the message, decrypted.
    ///   - allowed: what is carried out.
    package init(_ message: JSONValue, allowed: Set<RemoteCommand>) {
        let expected = "expected " + Self.actions.filter { allowed.contains($0.command) }.map(\.name).inWords
        guard message["_type"]?.string == "cmd", let name = message["action"]?.string else {
            self = .rejected("expected a message of the type cmd with an action")
            return
        }
        guard let action = Self.actions.first(where: { $0.name == name }) else {
            self = .rejected("unknown action: \(expected)")
            return
        }
        self =
            allowed.contains(action.command)
            ? .command(action.command) : .rejected("action not allowed: \(expected)")
    }

    private static let actions: [(name: String, command: RemoteCommand)] = [
        ("reportLocation", .report), ("status", .status), ("dump", .dump),
    ]
}
