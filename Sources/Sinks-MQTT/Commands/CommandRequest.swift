package import TrackEngine
public import TrackEngineSettings

/// A command that other clients may send over MQTT.
public typealias MQTTCommand = RemoteCommand

/// Carries out allowed commands from MQTT.
public typealias MQTTCommandHandler = RemoteCommandHandler

/// A parsed message on the command topic: the command to carry out, or the reason for its rejection.
package enum CommandRequest: Sendable, Hashable {
    /// An allowed command.
    case command(MQTTCommand)
    /// An allowed change of the configuration.
    case configure([RemoteValue])
    /// An allowed trip.
    case startTrip(TripMode)
    /// An allowed list of places to keep, as OwnTracks' message `waypoints`.
    case keepWaypoints([UInt8])
    /// Rejected for this reason, which quotes no part of the message.
    case rejected(String)

    /// Parses a command: its bare name (`report`), or a JSON object with its name (`{"command":"report"}`). Some
    /// commands need a second member:
    ///
    /// - A change of the configuration has the values:
    ///   `{"command":"setConfiguration","configuration":{"tracking":{"interval":60}}}`.
    /// - A trip has its mode: `{"command":"startTrip","mode":"car"}`.
    /// - Places are OwnTracks' message:
    ///   `{"command":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[…]}}`.
    ///
    /// Retained commands are rejected: the broker would deliver them again after every connect.
    package static func parse(_ message: ReceivedMessage, allowed: Set<MQTTCommand>) -> CommandRequest {
        if message.isRetained { return .rejected(retained) }
        if message.isTooLong { return .rejected(tooLong) }
        let expected = "expected " + allowed.map(\.rawValue).sorted().joined(separator: ", ")
        // Payloads that are no JSON get the list of expected commands, which is more useful than the position of a
        // syntax error.
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

    /// The members that may accompany a command.
    private static let others = ["configuration", "mode", "waypoints"]

    static let retained = "retained commands are not carried out"
    static let tooLong = "expected at most \(ReceivedMessage.maximumPayload) bytes"

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
