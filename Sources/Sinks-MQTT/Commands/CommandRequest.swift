package import TrackEngine
public import TrackEngineSettings

/// What others may ask for over MQTT.
public typealias MQTTCommand = RemoteCommand

/// Carries out commands that came over MQTT and were found allowed.
public typealias MQTTCommandHandler = RemoteCommandHandler

/// A message on the command topic, looked at: what to do, or why nothing is done.
package enum CommandRequest: Sendable, Hashable {
    /// An allowed command.
    case command(MQTTCommand)
    /// An allowed change of the configuration.
    case configure([RemoteValue])
    /// An allowed trip.
    case startTrip(TripMode)
    /// Allowed places to be kept, as OwnTracks' message `waypoints`.
    case keepWaypoints([UInt8])
    /// Nothing to be done, for this reason. It quotes nothing of the message.
    case rejected(String)

    /// Reads a command: its bare name (`report`), or a JSON object with its name (`{"command":"report"}`); a change of the
    /// configuration has the values beside it, `{"command":"setConfiguration","configuration":{"tracking":{"interval":60}}}`, a trip
    /// its mode, `{"command":"startTrip","mode":"car"}`, and places are OwnTracks' message,
    /// `{"command":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[…]}}`.
    ///
    /// Retained commands are rejected: the broker would hand them out again after every connect.
    package static func parse(_ message: IncomingMessage, allowed: Set<MQTTCommand>) -> CommandRequest {
        if message.isRetained { return .rejected(retained) }
        if message.isTooLong { return .rejected(tooLong) }
        let expected = "expected " + allowed.map(\.rawValue).sorted().joined(separator: ", ")
        // Not JSON either: the caller says what was expected, which is more useful than where it went wrong.
        let document = JSONValue(ifReadable: message.payload, maximumDepth: 6)
        guard let name = name(in: message.payload, document) else {
            return .rejected("\(expected), as a word or as {\"command\":…}")
        }
        guard let command = MQTTCommand(rawValue: name) else { return .rejected("unknown command: \(expected)") }
        guard allowed.contains(command) else { return .rejected("command not allowed: \(expected)") }
        switch command {
        case .report, .sync, .status, .dump, .stopTrip, .waypoints, .clearWaypoints: return .command(command)
        case .setConfiguration:
            guard let values = document?["configuration"].flatMap(RemoteValue.all(in:)) else {
                return .rejected("expected 'configuration', an object with up to \(RemoteValue.maximumCount) values")
            }
            return .configure(values)
        case .startTrip:
            let mode = RemoteParameter.mode(document?["mode"])
            return mode.map(CommandRequest.startTrip) ?? .rejected(RemoteParameter.modeExpectation)
        case .setWaypoints:
            let waypoints = RemoteParameter.waypoints(document?["waypoints"])
            return waypoints.map(CommandRequest.keepWaypoints) ?? .rejected(RemoteParameter.waypointsExpectation)
        }
    }

    /// What may stand beside a command.
    private static let others = ["configuration", "mode", "waypoints"]

    static let retained = "retained commands are not carried out"
    static let tooLong = "expected at most \(IncomingMessage.maximumPayload) bytes"

    private static func name(in payload: [UInt8], _ document: JSONValue?) -> String? {
        guard let text = String(validating: payload, as: UTF8.self) else { return nil }
        let blanks: Set<Character> = [" ", "\t", "\r", "\n", "\r\n"]
        let word = text.drop(while: blanks.contains).reversed().drop(while: blanks.contains).reversed()
        if !word.isEmpty, word.allSatisfy({ $0.isASCII && $0.isLetter }) { return String(word) }
        let names = Set(document?.members?.map(\.name) ?? [])
        guard names == ["command"] || others.contains(where: { names == ["command", $0] }) else { return nil }
        return document?["command"]?.string
    }
}
