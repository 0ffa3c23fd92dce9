import TrackEngine
public import TrackEngineSettings

/// What others may ask for over MQTT.
public typealias MQTTCommand = RemoteCommand

/// Carries out commands that came over MQTT and were found allowed.
public typealias MQTTCommandHandler = RemoteCommandHandler

/// A message on the command topic, looked at: what to do, or why nothing is done.
package enum CommandRequest: Sendable, Hashable {
    /// An allowed command.
    case command(MQTTCommand)
    /// Nothing to be done, for this reason. It quotes nothing of the message.
    case rejected(String)

    /// Reads a command: its bare name (`report`), or a JSON object with its name (`{"command":"report"}`).
    ///
    /// Retained commands are rejected: the broker would hand them out again after every connect.
    package static func parse(_ message: IncomingMessage, allowed: Set<MQTTCommand>) -> CommandRequest {
        if message.isRetained { return .rejected(retained) }
        if message.isTooLong { return .rejected(tooLong) }
        let expected = "expected " + allowed.map(\.rawValue).sorted().joined(separator: ", ")
        guard let name = name(in: message.payload) else {
            return .rejected("\(expected), as a word or as {\"command\":…}")
        }
        guard let command = MQTTCommand(rawValue: name) else { return .rejected("unknown command: \(expected)") }
        guard allowed.contains(command) else { return .rejected("command not allowed: \(expected)") }
        return .command(command)
    }

    static let retained = "retained commands are not carried out"
    static let tooLong = "expected at most \(IncomingMessage.maximumPayload) bytes"

    private static func name(in payload: [UInt8]) -> String? {
        guard let text = String(validating: payload, as: UTF8.self) else { return nil }
        let blanks: Set<Character> = [" ", "\t", "\r", "\n", "\r\n"]
        let word = text.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed()
        if !word.isEmpty, word.allSatisfy({ $0.isASCII && $0.isLetter }) { return String(word) }
        // Not JSON either: the caller says what was expected, which is more useful than where it went wrong.
        guard let value = JSONValue(ifReadable: payload, maximumDepth: 4), value.members?.count == 1 else { return nil }
        return value["command"]?.string
    }
}
